/** The suggested policy: its document, why, and the way to a backtest of it. */

import {
  ConnectionError,
  TimeoutError,
  type Calibration,
  type FairwayError,
  type Policy,
  type PolicyDocument,
} from '@fairway/client'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAction } from '../../action.ts'
import { Problem } from '../../problem.tsx'
import { useMay } from '../../caller.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/state.tsx'
import { policyHref } from '../policies/labels.ts'
import { useRefreshPolicies } from '../policies/queries.ts'
import { DocumentJson, DocumentText } from '../policy/document.tsx'
import type { Filters } from './filters.ts'

function StartError({ error, draft }: { readonly error: FairwayError; readonly draft: Policy | null }) {
  const isSilent = error instanceof ConnectionError || error instanceof TimeoutError
  if (draft === null && isSilent) {
    return (
      <Notice tone="nogo" title="Fairway is not responding" live>
        <p>
          The draft may already be saved: look at <Link href="/policies">your policies</Link> before you try
          again.
        </p>
      </Notice>
    )
  }
  return (
    <>
      <Problem error={error} />
      {draft !== null && (
        <p>
          The draft is saved as <Link href={policyHref(draft.policy_id)}>{draft.document.name}</Link>, but its
          backtest did not start. Another try starts a backtest of that draft.
        </p>
      )}
    </>
  )
}

interface SuggestedProps {
  readonly document: PolicyDocument
  readonly calibration: Calibration
  readonly filters: Filters
}

function BacktestThis({ document, calibration: { from, to }, filters: { mode } }: SuggestedProps) {
  const [, navigate] = useLocation()
  const refresh = useRefreshPolicies()
  /** Another try does not save it again. */
  const [draft, setDraft] = useState<Policy | null>(null)
  const action = useAction(
    async (client) => {
      const policy = draft ?? (await client.createPolicy(document))
      setDraft(policy)
      return client.startBacktest(policy.policy_id, { from, to, ...(mode !== '' && { mode }) })
    },
    ({ policy_id: policyId, backtest_id: report }) => {
      refresh()
      navigate(`${policyHref(policyId)}?${new URLSearchParams({ report }).toString()}`)
    },
  )
  return (
    <>
      <div>
        <Button variant="primary" icon="clock" busy={action.busy} onClick={action.run}>
          Backtest this
        </Button>
      </div>
      {action.error !== null && <StartError error={action.error} draft={draft} />}
    </>
  )
}

function Suggested(props: SuggestedProps) {
  const { document, filters } = props
  const mayWrite = useMay('policy:write')
  return (
    <>
      <p className="policy-title">
        <strong className="anywhere">{document.name}</strong>
      </p>
      <DocumentText of={document} />
      <DocumentJson of={document} />
      {mayWrite ? (
        <>
          <p className="small soft">
            A backtest saves this as a draft, which decides nothing, and decides each decision of this stretch
            again under it{filters.corridor === '' ? '' : ', of every corridor'}. Another key or person then
            promotes it, if it is right.
          </p>
          {/* Another suggestion is another draft. */}
          <BacktestThis key={JSON.stringify(document)} {...props} />
        </>
      ) : (
        <p className="small soft">
          To backtest it, sign in as a policy author, or with a key that has the scope{' '}
          <code>policy:write</code>.
        </p>
      )}
    </>
  )
}

export function Suggestion({
  calibration,
  filters,
}: {
  readonly calibration: Calibration
  readonly filters: Filters
}) {
  const { suggestion: document, suggestion_reason: reason } = calibration
  return (
    <Card
      title="Suggestion"
      note="The mildest tightening that the outcomes support, on top of your policy in force."
    >
      {document === null ? (
        <p>
          <strong>No change is suggested.</strong> {reason}
        </p>
      ) : (
        <>
          <p>{reason}</p>
          <Suggested {...{ document, calibration, filters }} />
        </>
      )}
    </Card>
  )
}

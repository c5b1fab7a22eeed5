/** Confirms an override and records it once, even if a response is lost. */

import {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  PermissionError,
  type AuditRecord,
  type FairwayClient,
  type Override,
  type OverrideRequest,
} from '@fairway/client'
import { useState } from 'react'
import { formatAmount } from '../../format.ts'
import { actions } from '../../override/draft.ts'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Notice } from '../../ui/state.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { reviewIdOf } from './file.ts'
import { ReviewLink } from './review.tsx'

/** The decision's override, and whether it is the one sent from here. */
export interface Recorded {
  readonly override: Override
  readonly isOurs: boolean
}

/** The same override again gets the first answer, so a conflict means that another one was recorded. */
async function recordOnce(client: FairwayClient, request: OverrideRequest): Promise<Recorded> {
  try {
    return { override: await client.override(request), isOurs: true }
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    const { human_override: override } = await client.audit(request.request_id)
    if (override === null) throw error
    return { override, isOurs: false }
  }
}

function useRecording(
  request: OverrideRequest,
  onDone: (recorded: Recorded) => void,
  onRefused: (error: InvalidRequestError) => void,
) {
  const { client, reject } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function send(): Promise<void> {
    if (client === null) return
    setBusy(true)
    setError(null)
    try {
      onDone(await recordOnce(client, request))
    } catch (caught) {
      setBusy(false)
      if (caught instanceof InvalidRequestError) onRefused(caught)
      // The page asks for another key; the draft stays stored until then.
      else if (caught instanceof AuthenticationError) reject()
      else setError(caught)
    }
  }
  return { busy, error, send: () => void send() }
}

/** The operator may have switched direct overrides off: the same text is then proposed in the review. */
function Refusal({ error, record }: { readonly error: unknown; readonly record: AuditRecord }) {
  if (!(error instanceof PermissionError && error.code === 'REVIEW_REQUIRED'))
    return <Problem error={error} />
  return (
    <Notice tone="degraded" title="This override needs a review" live>
      <p>
        It was not recorded. Propose it in the review of this decision: another principal must approve it.
      </p>
      <ReviewLink id={reviewIdOf(record.request_id, record.cooldown_source_request_id)}>
        Open the review
      </ReviewLink>
    </Notice>
  )
}

/** Shows the override in full before it is recorded, because it cannot be withdrawn. */
export function Confirmation({
  record,
  request,
  onCancel,
  onDone,
  onRefused,
}: {
  readonly record: AuditRecord
  readonly request: OverrideRequest
  readonly onCancel: () => void
  readonly onDone: (recorded: Recorded) => void
  readonly onRefused: (error: InvalidRequestError) => void
}) {
  const { busy, error, send } = useRecording(request, onDone, onRefused)
  return (
    <div className="stack decision-confirm">
      <p>An override cannot be changed or withdrawn. The original decision stays on record.</p>
      <Pairs
        of={[
          ['Decision', <Verdict key="decision" of={record.decision} />],
          ['Payment', `${formatAmount(record.amount, record.currency)} on ${record.corridor}`],
          ['Request id', <code key="id">{record.request_id}</code>],
          ['Action', `${request.action}: ${actions[request.action].toLowerCase()}`],
          ['Reason code', <code key="reason">{request.reason_code}</code>],
          [
            'Justification',
            <div key="why" className="decision-text" tabIndex={0} role="group" aria-label="Justification">
              {request.justification}
            </div>,
          ],
        ]}
      />
      {error !== null && <Refusal error={error} record={record} />}
      <div className="dialog-actions">
        <Button onClick={onCancel}>Go back</Button>
        <Button variant="primary" busy={busy} onClick={send}>
          Record override
        </Button>
      </div>
    </div>
  )
}

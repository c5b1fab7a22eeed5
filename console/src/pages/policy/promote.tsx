/** Puts a policy in force, after a dialog with its report. */

import { PermissionError, type FairwayError, type Policy, type PolicyReport } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { formatTime } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { useCallerId } from '../../caller.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { useRefreshPolicies, useTheOne } from '../policies/queries.ts'
import { ReasonField, useReason } from '../policies/reason.tsx'
import { useBacktests, useCandidateReport, wasCandidate } from './queries.ts'
import { emptyCandidate, emptyStretch } from './reports.tsx'
import { ReportSummary } from './report.tsx'

interface Evidence {
  readonly title: string
  readonly report: PolicyReport
  readonly empty: string
}

/** The candidate's report or, if it has none with decisions, the newest backtest. Undefined while loading. */
function useEvidence(policy: Policy): Evidence | null | undefined {
  const candidate = useCandidateReport(policy)
  const backtests = useBacktests(policy.policy_id)
  const isLoading =
    (backtests.data === undefined && backtests.error === undefined) ||
    (wasCandidate(policy) && candidate.data === undefined && candidate.error === undefined)
  if (isLoading) return undefined
  const own = candidate.data
  const newest = backtests.data?.find(({ report }) => report !== null)
  if (own !== undefined && (own.records > 0 || newest === undefined)) {
    const title = `Candidate report since ${formatTime(own.since, false)}`
    return { title, report: own, empty: emptyCandidate }
  }
  if (newest === undefined || newest.report === null) return null
  const title = `Newest backtest: ${formatTime(newest.from, false)} to ${formatTime(newest.to, false)}`
  return { title, report: newest.report, empty: emptyStretch }
}

function EvidenceView({ policy }: { readonly policy: Policy }) {
  const evidence = useEvidence(policy)
  if (evidence === undefined) return <Skeleton height={200} label="Loading report" />
  if (evidence === null) {
    return (
      <Notice tone="degraded" title="No report yet">
        <p>
          Nobody has seen what this policy changes. Start a backtest, or make it the candidate, before you
          promote it.
        </p>
      </Notice>
    )
  }
  return (
    <section className="policy-evidence stack" aria-label="Report">
      <h3>{evidence.title}</h3>
      <ReportSummary report={evidence.report} empty={evidence.empty} />
    </section>
  )
}

const isFourEyes = (error: FairwayError | null): boolean =>
  error instanceof PermissionError && error.code === 'FOUR_EYES'

/** Says it before the attempt if this very caller wrote the policy, and after it if the server refused. */
function FourEyes({ policy, error }: { readonly policy: Policy; readonly error: FairwayError | null }) {
  const { person, installation } = useSession()
  const callerId = useCallerId()
  const other = person === null ? 'key' : installation === null ? 'person' : 'admin'
  const isRefused = isFourEyes(error)
  if (!isRefused && callerId !== policy.created_by.id) return null
  return (
    <Notice
      tone={isRefused ? 'nogo' : 'degraded'}
      title={`You wrote this policy; another ${other} must promote it`}
      live={isRefused}
    >
      {person === null ? (
        <p>
          A second person decides: sign in with another key of the same owner that has the scope{' '}
          <code>policy:approve</code>. A key that replaced yours counts as yours.
        </p>
      ) : (
        <p>
          A second person decides: ask another{' '}
          {installation === null ? 'approver of the same owner' : 'admin of the installation'} to promote it.
        </p>
      )}
    </Notice>
  )
}

export function Promote({ policy, onDone }: { readonly policy: Policy; readonly onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const reason = useReason()
  const refresh = useRefreshPolicies()
  const action = useAction(
    (client) => client.promotePolicy(policy.policy_id, { reason: reason.text.trim() }),
    () => {
      close()
      refresh()
      onDone()
    },
  )
  function close(): void {
    action.clearError()
    reason.clear()
    setOpen(false)
  }
  return (
    <>
      <Button variant="primary" icon="check" onClick={() => setOpen(true)}>
        Promote
      </Button>
      <Dialog
        title={`Promote ${policy.document.name}`}
        className="dialog policy-promote"
        open={isOpen}
        onClose={close}
      >
        <Replaced />
        <EvidenceView policy={policy} />
        <ReasonField of={reason} />
        <FourEyes policy={policy} error={action.error} />
        {action.error !== null && !isFourEyes(action.error) && <Problem error={action.error} />}
        <div className="dialog-actions">
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" busy={action.busy} onClick={() => reason.submit(action.run)}>
            Promote
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function Replaced() {
  const { data: active } = useTheOne('active')
  return (
    <p>
      It decides on every instance within a second
      {active === undefined || active === null ? (
        '.'
      ) : (
        <>
          , in place of <strong>{active.document.name}</strong>.
        </>
      )}
    </p>
  )
}

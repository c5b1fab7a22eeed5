/** The reports of a policy: a list of them, and the chosen one. */

import type { Policy, PolicyBacktest, PolicyCandidateReport } from '@fairway/client'
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { useAction } from '../../action.ts'
import { useAddress } from '../../address.ts'
import { formatCount, formatShare, formatTime } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import type { Query } from '../../query.ts'
import { useMay } from '../../caller.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { policyHref } from '../policies/labels.ts'
import { flipCount } from './flips.ts'
import { isWaiting, useBacktests, useCandidateReport, useProgress, wasCandidate } from './queries.ts'
import { Report, type ReportLinks } from './report.tsx'

const candidateKey = 'candidate'
const shownFirst = 5

export const emptyStretch = 'No decisions in this stretch'
export const emptyCandidate = 'No decisions since it became the candidate'

const modes = { shadow: 'shadow', live: 'live' } as const

const stretchOf = ({ from, to, mode }: PolicyBacktest): string =>
  `${formatTime(from, false)} to ${formatTime(to, false)}, ${mode === null ? 'all modes' : modes[mode]}`

const states: Readonly<Record<PolicyBacktest['status'], readonly [label: string, tone?: Tone]>> = {
  queued: ['Queued', 'info'],
  running: ['Running', 'info'],
  done: ['Done'],
  failed: ['Failed', 'nogo'],
  cancelled: ['Cancelled'],
}

function shareText({ progress: { records, total } }: PolicyBacktest): string {
  return total === null ? '' : ` ${formatShare(records, total)}`
}

/** One line of the list. */
function Run({
  of: listed,
  isChosen,
  href,
  onEnd,
}: {
  readonly of: PolicyBacktest
  readonly isChosen: boolean
  readonly href: string
  readonly onEnd: () => void
}) {
  const backtest = useProgress(listed, onEnd)
  const [label, tone] = states[backtest.status]
  const { report } = backtest
  return (
    <Link href={href} className="policy-run" {...(isChosen && { 'aria-current': 'true' as const })}>
      <strong>Backtest</strong>
      <span className="small soft">{stretchOf(backtest)}</span>
      {report === null ? (
        <Chip {...(tone !== undefined && { tone })}>
          {label}
          {isWaiting(backtest) && shareText(backtest)}
        </Chip>
      ) : (
        <span className="small figures">
          {report.records === 0
            ? 'No decisions'
            : `${formatCount(flipCount(report.flips))} of ${formatCount(report.records)} flipped`}
        </span>
      )}
    </Link>
  )
}

function CandidateRun({
  query,
  isChosen,
  href,
}: {
  readonly query: Query<PolicyCandidateReport>
  readonly isChosen: boolean
  readonly href: string
}) {
  const { data } = query
  return (
    <Link href={href} className="policy-run" {...(isChosen && { 'aria-current': 'true' as const })}>
      <strong>Candidate report</strong>
      {data !== undefined && (
        <>
          <span className="small soft">Since {formatTime(data.since, false)}</span>
          <span className="small figures">
            {data.records === 0
              ? 'No decisions'
              : `${formatCount(flipCount(data.flips))} of ${formatCount(data.records)} flipped`}
          </span>
        </>
      )}
    </Link>
  )
}

function Progress({ of: backtest, onEnd }: { readonly of: PolicyBacktest; readonly onEnd: () => void }) {
  const { policy_id: policyId, backtest_id: id, progress, status } = backtest
  const { records, total } = progress
  const cancel = useAction((client) => client.cancelBacktest(policyId, id), onEnd)
  const text =
    status === 'queued'
      ? 'Waiting to start'
      : total === null
        ? 'Counting records'
        : `${formatCount(records)} of ${formatCount(total)} records`
  return (
    <div className="stack" aria-live="polite">
      <p className="figures">{text}</p>
      <div
        className="bar policy-progress"
        role="progressbar"
        aria-label="Backtest progress"
        aria-valuetext={text}
        {...(total !== null && { 'aria-valuemin': 0, 'aria-valuemax': total, 'aria-valuenow': records })}
      >
        <span style={{ width: `${total === null || total === 0 ? 0 : (records / total) * 100}%` }} />
      </div>
      {cancel.error !== null && <Problem error={cancel.error} />}
      <div>
        <Button busy={cancel.busy} onClick={cancel.run}>
          Cancel backtest
        </Button>
      </div>
    </div>
  )
}

/** The addresses of parts of a report, and of the decisions that it is about. */
function useLinks(policyId: string, report: string, range: { from: string; to: string | null }): ReportLinks {
  const here = (more: Readonly<Record<string, string>>): string =>
    `${policyHref(policyId)}?${new URLSearchParams({ report, ...more }).toString()}`
  return {
    flipHref: (flip) => here({ flip }),
    ruleHref: (rule) => here({ rule }),
    allHref: here({}),
    corridorHref: (corridor) =>
      `/verifications?${new URLSearchParams({
        corridor,
        from: range.from,
        ...(range.to !== null && { to: range.to }),
      }).toString()}`,
  }
}

function useFilter() {
  const [params] = useAddress()
  return { flip: params.get('flip'), rule: params.get('rule') }
}

function BacktestView({ of: listed, onEnd }: { readonly of: PolicyBacktest; readonly onEnd: () => void }) {
  const backtest = useProgress(listed, onEnd)
  const { policy_id: policyId, backtest_id: id, report, status } = backtest
  const links = useLinks(policyId, id, backtest)
  const filter = useFilter()
  const head = <p className="card-note">Backtest: {stretchOf(backtest)}.</p>
  if (report !== null) return <Report {...{ report, links, filter, head }} empty={emptyStretch} />
  return (
    <div className="stack policy-report">
      {head}
      {isWaiting(backtest) && <Progress of={backtest} onEnd={onEnd} />}
      {status === 'failed' && (
        <Notice tone="nogo" title="The backtest failed">
          <p>{backtest.error}</p>
        </Notice>
      )}
      {status === 'cancelled' && (
        <Notice tone="info" title="The backtest was cancelled">
          <p>Start another one for a report.</p>
        </Notice>
      )}
    </div>
  )
}

function CandidateView({
  policyId,
  query,
}: {
  readonly policyId: string
  readonly query: Query<PolicyCandidateReport>
}) {
  const { data, error, mutate } = query
  const links = useLinks(policyId, candidateKey, { from: data?.since ?? '', to: data?.until ?? null })
  const filter = useFilter()
  const head = data !== undefined && (
    <p className="card-note">
      Every decision since <Time at={data.since} />
      {data.until !== null && (
        <>
          {' '}
          until <Time at={data.until} />
        </>
      )}
      , decided again under this policy.
    </p>
  )
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={() => void mutate()} />}
      {data === undefined ? (
        error === undefined && <Skeleton height={240} label="Loading report" />
      ) : (
        <Report {...{ links, filter, head }} report={data} empty={emptyCandidate} />
      )}
    </>
  )
}

interface ListProps {
  readonly policy: Policy
  readonly chosen: string | null
  readonly backtests: readonly PolicyBacktest[]
  readonly candidate: Query<PolicyCandidateReport>
  readonly onEnd: () => void
}

function Chosen({ policy, chosen, backtests, candidate, onEnd }: ListProps) {
  if (chosen === candidateKey && wasCandidate(policy)) {
    return <CandidateView policyId={policy.policy_id} query={candidate} />
  }
  const backtest = backtests.find(({ backtest_id: id }) => id === chosen)
  if (backtest !== undefined) return <BacktestView key={backtest.backtest_id} of={backtest} onEnd={onEnd} />
  return <p className="soft">Choose a report.</p>
}

function List({ policy, chosen, backtests, candidate, onEnd }: ListProps) {
  const [isAll, setAll] = useState(false)
  // The chosen one is always in the list.
  const shown = backtests.filter(({ backtest_id: id }, place) => isAll || place < shownFirst || id === chosen)
  const hrefOf = (report: string): string =>
    `${policyHref(policy.policy_id)}?${new URLSearchParams({ report }).toString()}`
  return (
    <nav className="stack" aria-label="Reports">
      <ul className="policy-runs">
        {wasCandidate(policy) && (
          <li>
            <CandidateRun query={candidate} isChosen={chosen === candidateKey} href={hrefOf(candidateKey)} />
          </li>
        )}
        {shown.map((backtest) => (
          <li key={backtest.backtest_id}>
            <Run
              of={backtest}
              isChosen={chosen === backtest.backtest_id}
              href={hrefOf(backtest.backtest_id)}
              onEnd={onEnd}
            />
          </li>
        ))}
      </ul>
      {shown.length < backtests.length && (
        <div>
          <Button small onClick={() => setAll(true)}>
            {`Show all ${backtests.length} backtests`}
          </Button>
        </div>
      )}
    </nav>
  )
}

function NoReport() {
  const mayWrite = useMay('policy:write')
  return (
    <Empty icon="chart" title="No report yet">
      {mayWrite
        ? 'Start a backtest, or make this policy the candidate, to see which decisions it would change.'
        : 'A policy author, or a key with the scope policy:write, can start a backtest.'}
    </Empty>
  )
}

export function Reports({ policy }: { readonly policy: Policy }) {
  const [params] = useAddress()
  const candidate = useCandidateReport(policy)
  const { data, error, mutate } = useBacktests(policy.policy_id)
  const onEnd = useCallback(() => void mutate(), [mutate])
  if (data === undefined) {
    return (
      <Card title="Reports">
        {error === undefined ? (
          <Skeleton height={160} label="Loading reports" />
        ) : (
          <Problem error={error} onRetry={() => void mutate()} />
        )}
      </Card>
    )
  }
  const hasCandidate = wasCandidate(policy)
  const chosen = params.get('report') ?? (hasCandidate ? candidateKey : (data[0]?.backtest_id ?? null))
  const props = { policy, chosen, candidate, onEnd, backtests: data }
  return (
    <Card title="Reports" note="What this policy would have done to recorded decisions.">
      {!hasCandidate && data.length === 0 ? (
        <NoReport />
      ) : (
        <div className="policy-reports">
          <List {...props} />
          <Chosen {...props} />
        </div>
      )}
    </Card>
  )
}

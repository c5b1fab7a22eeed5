/** The overview page: a summary of the decisions in a time range, refreshed automatically. */

import {
  InvalidRequestError,
  PermissionError,
  type FairwayClient,
  type FairwayError,
  type VerificationsSummary,
} from '@fairway/client'
import { useSearchParams } from 'wouter'
import { QueryResult } from '../../query-result.tsx'
import { useSettings } from '../../caller.ts'
import { useQuery, type Query } from '../../query.ts'
import { OpenCooldowns } from '../../cooldown.tsx'
import { formatClock, formatUtc } from '../../format.ts'
import { FirstSteps, useFirstDecisions } from '../../first-steps.tsx'
import { Keyed } from '../../keyed.tsx'
import { errorOf, Problem } from '../../problem.tsx'
import { useRules } from '../../rules.ts'
import { useSession } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { readHealths } from '../corridors/traffic.ts'
import { Controls } from './controls.tsx'
import { Corridors } from './corridors.tsx'
import { Latency, OverTime, Reasons, Scores, Shares, SummaryTiles, type Shown } from './charts.tsx'
import { filtersOf, holdHours, paramsOf, queryOf, refreshMs, type Filters } from './filters.ts'
import { HoldsCard } from './holds.tsx'
import { useWaiting, WaitingTiles, type Waiting } from './waiting.tsx'

function NoDecisions({
  filters,
  onChange,
}: {
  filters: Filters
  onChange: (changed: Partial<Filters>) => void
}) {
  const isNarrow = filters.corridor !== '' || filters.mode !== ''
  const verifyLink = (
    <LinkButton href="/" variant="primary" icon="bolt">
      Verify a payment
    </LinkButton>
  )
  const broader = isNarrow
    ? { label: 'Clear filters', changed: { corridor: '', mode: '' as const } }
    : { label: 'Show 90 days', changed: { range: '90d' as const } }
  return (
    <Empty
      icon="chart"
      title={isNarrow ? 'No verifications match these filters' : 'No verifications in this time range'}
      action={
        !isNarrow && filters.range === '90d' ? (
          verifyLink
        ) : (
          <Button onClick={() => onChange(broader.changed)}>{broader.label}</Button>
        )
      }
    />
  )
}

function Summary(shown: Shown) {
  const { summary } = shown
  const rules = useRules()
  return (
    <>
      <SummaryTiles summary={summary} />
      <OverTime {...shown} />
      <div className="columns overview-pair">
        <div className="page">
          <Shares {...shown} />
          <QueryResult query={rules} skeleton={<Skeleton height={360} />}>
            {(published) => <Scores summary={summary} rules={published} />}
          </QueryResult>
        </div>
        <div className="page">
          <Reasons summary={summary} />
          <Latency summary={summary} />
        </div>
      </div>
      <Corridors {...shown} />
    </>
  )
}

const skeletons = (
  <>
    <Skeleton height={104} label="Loading summary" />
    <Skeleton height={360} label="Loading decisions" />
    <Skeleton height={260} label="Loading shares" />
  </>
)

/** The time that the answer covers: the requested range, extended to full hours. */
function CoveredTime({ summary, linked }: { summary: VerificationsSummary; linked: boolean }) {
  const { from, to, generated_at: at } = summary
  return (
    <p className="small soft">
      From <Time at={from} seconds={false} /> to <Time at={to} seconds={false} />, in full hours. Updated at{' '}
      <time dateTime={at} title={formatUtc(at)} className="figures">
        {formatClock(Date.parse(at))}
      </time>
      .{!linked && ' The list of verifications has no mode filter, so the figures do not link to it.'}
    </p>
  )
}

/** Members whose errors show at their fields, not in a notice. */
const fieldPaths = ['/from', '/to', '/corridor']

const lastDay = { range: '24h', from: '', to: '' } as const

const cooldownsRefreshMs = 10_000
/** Rarely, because each corridor costs a request that may read its feeds. */
const personCooldownsRefreshMs = 60_000
const dayMs = 86_400_000

/** Of corridors with a recent NO-GO. */
async function readCooldowns(client: FairwayClient) {
  const query = { decision: 'NO-GO', limit: 25, from: new Date(Date.now() - dayMs).toISOString() } as const
  const { items } = await client.verifications(query).page()
  return readHealths(client, [...new Set(items.map(({ corridor }) => corridor))])
}

function PersonCooldowns() {
  const { data } = useQuery(['cooldowns'], readCooldowns, { refreshMs: personCooldownsRefreshMs })
  return <OpenCooldowns of={data ?? []} />
}

/** The settings of a key name them. */
function KeyCooldowns() {
  const { data } = useSettings({ refreshMs: cooldownsRefreshMs })
  const open = data?.open_cooldowns ?? []
  return <OpenCooldowns of={open.map(({ corridor, ...cooldown }) => ({ corridor, cooldown }))} />
}

function Cooldowns() {
  const { person } = useSession()
  return person === null ? <KeyCooldowns /> : <PersonCooldowns />
}

/** One error for the page, since its queries often fail together. A caller without a scope lacks figures, not an answer. */
function errorToShow(
  summary: FairwayError | undefined,
  { reviews, holds }: Waiting,
): FairwayError | undefined {
  if (summary !== undefined) {
    return fieldPaths.some((path) => errorOf(summary, path) !== undefined) ? undefined : summary
  }
  return [reviews.error, holds.error].find(
    (error) => error !== undefined && !(error instanceof PermissionError),
  )
}

function Figures({
  query: { data, error, isLoading },
  filters,
  onChange: change,
}: {
  readonly query: Query<VerificationsSummary>
  readonly filters: Filters
  readonly onChange: (changed: Partial<Filters>) => void
}) {
  const isTimeInvalid = ['/from', '/to'].some((path) => errorOf(error, path) !== undefined)
  return (
    <>
      {data === undefined && error === undefined && skeletons}
      {isTimeInvalid && (
        <Empty
          icon="clock"
          title="Invalid time range"
          action={<Button onClick={() => change(lastDay)}>Show last 24 hours</Button>}
        />
      )}
      {/* A rejected query shows nothing, not even the previous answer. */}
      {data !== undefined && !(error instanceof InvalidRequestError) && (
        <div className="page overview" aria-busy={isLoading}>
          <CoveredTime summary={data} linked={filters.mode === ''} />
          {data.total === 0 ? (
            <NoDecisions filters={filters} onChange={change} />
          ) : (
            <Summary summary={data} corridor={filters.corridor} linked={filters.mode === ''} />
          )}
        </div>
      )}
    </>
  )
}

function Overview() {
  const [params, setParams] = useSearchParams()
  const filters = filtersOf(params)
  const change = (changed: Partial<Filters>): void => setParams(paramsOf({ ...filters, ...changed }))
  const query = useQuery(
    ['summary', paramsOf(filters).toString()],
    (client) => client.verificationsSummary(queryOf(filters, Date.now())),
    { refreshMs, keepPrevious: true },
  )
  const waiting = useWaiting(filters)
  const { data, error, mutate } = query
  const { reviews, holds } = waiting
  const shownError = errorToShow(error, waiting)
  const retry = (): void => void Promise.all([mutate(), reviews.mutate(), holds.mutate()])
  // Not asked before the total is there, which would ask twice.
  const version = data === undefined ? (error === undefined ? undefined : null) : String(data.total)
  const { data: first } = useFirstDecisions(version)
  // Without any decision the figures would all be zero.
  if (first?.items.length === 0 && version === '0' && paramsOf(filters).size === 0) {
    return (
      <>
        <FirstSteps version={version} isPrimary />
        {holds.data !== undefined && holds.data.requests > 0 && (
          <HoldsCard of={holds.data} hours={holdHours(filters.range)} mode={filters.mode} />
        )}
      </>
    )
  }
  return (
    <>
      <Cooldowns />
      <Controls filters={filters} error={error} onChange={change} />
      {shownError !== undefined && <Problem error={shownError} onRetry={retry} />}
      <WaitingTiles waiting={waiting} filters={filters} />
      <Figures query={query} filters={filters} onChange={change} />
      {holds.data !== undefined && (
        <HoldsCard of={holds.data} hours={holdHours(filters.range)} mode={filters.mode} />
      )}
      {version !== undefined && <FirstSteps version={version} />}
    </>
  )
}

export default function OverviewPage() {
  return (
    <Page title="Overview" lead="A summary of your decisions, refreshed every 10 seconds.">
      <Keyed what="your decisions">
        <Overview />
      </Keyed>
    </Page>
  )
}

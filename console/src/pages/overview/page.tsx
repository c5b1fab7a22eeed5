/** Overview: what was decided in a time, summed up, and kept up to date. */

import { InvalidRequestError, type VerificationsSummary } from '@fairway/client'
import { useSearchParams } from 'wouter'
import { Answered } from '../../answer.tsx'
import { useAsk } from '../../ask.ts'
import { formatClock, formatUtc } from '../../format.ts'
import { Keyed } from '../../keyed.tsx'
import { errorOf, Problem } from '../../problem.tsx'
import { useRules } from '../../rules.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Controls } from './controls.tsx'
import { Corridors } from './corridors.tsx'
import { Latency, OverTime, Reasons, Scores, Shares, SummaryTiles, type Shown } from './figures.tsx'
import { filtersOf, paramsOf, queryOf, type Filters } from './filters.ts'
import './overview.css'

const everyMs = 10_000

function Nothing({ filters, onChange }: { filters: Filters; onChange: (changed: Partial<Filters>) => void }) {
  const { data } = useAsk(['settings'], (client) => client.organisationSettings())
  const isNarrow = filters.corridor !== '' || filters.mode !== ''
  const isNew = !isNarrow && data?.usage.verifications_this_key === 0
  const tryOne = (
    <LinkButton href="/" look="primary" icon="bolt">
      Try one
    </LinkButton>
  )
  if (isNew) {
    return (
      <Empty icon="chart" title="No verifications yet: try one" action={tryOne}>
        Ask about a payment, and the decision is counted here within seconds.
      </Empty>
    )
  }
  const wider = isNarrow
    ? { words: 'Show all corridors and modes', changed: { corridor: '', mode: '' as const } }
    : { words: 'Look at 90 days', changed: { range: '90d' as const } }
  return (
    <Empty
      icon="chart"
      title={isNarrow ? 'No verifications of this kind in this time' : 'No verifications in this time'}
      action={
        !isNarrow && filters.range === '90d' ? (
          tryOne
        ) : (
          <Button onClick={() => onChange(wider.changed)}>{wider.words}</Button>
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
          <Answered asked={rules} skeleton={<Skeleton height={360} />}>
            {(known) => <Scores summary={summary} rules={known} />}
          </Answered>
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

const shapes = (
  <>
    <Skeleton height={104} label="Loading the summary" />
    <Skeleton height={360} label="Loading the decisions" />
    <Skeleton height={260} label="Loading the shares" />
  </>
)

/** What the answer covers, which is more than was asked for: whole hours. */
function Covered({ summary, linked }: { summary: VerificationsSummary; linked: boolean }) {
  const { from, to, generated_at: at } = summary
  return (
    <p className="small soft">
      From <Time at={from} seconds={false} /> to <Time at={to} seconds={false} />, in whole hours. Updated at{' '}
      <time dateTime={at} title={formatUtc(at)} className="figures">
        {formatClock(Date.parse(at))}
      </time>
      .{!linked && ' Verifications cannot be filtered by mode, so the figures do not lead to them.'}
    </p>
  )
}

/** Those that stand beside a field are not told a second time. */
const fields = ['/from', '/to', '/corridor']

const lastDay = { range: '24h', from: '', to: '' } as const

function Overview() {
  const [params, setParams] = useSearchParams()
  const filters = filtersOf(params)
  const change = (changed: Partial<Filters>): void => setParams(paramsOf({ ...filters, ...changed }))
  const asked = useAsk(
    ['summary', paramsOf(filters).toString()],
    (client) => client.verificationsSummary(queryOf(filters, Date.now())),
    { everyMs, keepPrevious: true },
  )
  const { data, error, isLoading, mutate } = asked
  const isRefused = error instanceof InvalidRequestError
  const isTimeRefused = ['/from', '/to'].some((path) => errorOf(error, path) !== undefined)
  const isBeside = fields.some((path) => errorOf(error, path) !== undefined)
  return (
    <>
      <Controls filters={filters} error={error} onChange={change} />
      {error !== undefined && !isBeside && <Problem error={error} onRetry={() => void mutate()} />}
      {data === undefined && error === undefined && shapes}
      {isTimeRefused && (
        <Empty
          icon="clock"
          title="There is nothing to show for this time"
          action={<Button onClick={() => change(lastDay)}>Show the last 24 hours</Button>}
        />
      )}
      {/* Of a question that was refused there is nothing to show, not even the answer to the one before. */}
      {data !== undefined && !isRefused && (
        <div className="page overview" aria-busy={isLoading}>
          <Covered summary={data} linked={filters.mode === ''} />
          {data.total === 0 ? (
            <Card>
              <Nothing filters={filters} onChange={change} />
            </Card>
          ) : (
            <Summary summary={data} corridor={filters.corridor} linked={filters.mode === ''} />
          )}
        </div>
      )}
    </>
  )
}

export default function OverviewPage() {
  return (
    <Page title="Overview" lead="What Fairway decided for you, summed up. It keeps itself up to date.">
      <Keyed what="your decisions">
        <Overview />
      </Keyed>
    </Page>
  )
}

/** A corridor's health: its status, the advice and the signals behind it. */

import type { CorridorHealth } from '@fairway/client'
import { Link } from 'wouter'
import { corridorName } from '../../countries.ts'
import { formatAmount, formatCount, formatScore } from '../../format.ts'
import { OpenCooldowns } from '../../cooldown.tsx'
import { HealthMark, healthOf } from '../../health.tsx'
import { HoldNotice, signalCount, useLiveFeeds } from '../../mode.tsx'
import { useRules } from '../../rules.ts'
import { useCorridorCodes } from '../../supported.tsx'
import { Card } from '../../ui/card.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { RiskBar, RiskMark } from '../../ui/risk.tsx'
import { signalLabel } from '../../labels.ts'
import { CorridorFeeds } from './feeds.tsx'

type Bucket = CorridorHealth['signals']['fx'] & { readonly name: keyof CorridorHealth['signals'] }

const names: Readonly<Record<Bucket['name'], string>> = {
  fx: 'FX',
  network: 'Network',
  settlement: 'Settlement',
  liquidity: 'Liquidity',
  compliance: 'Compliance',
}

const columns: readonly Column<Bucket>[] = [
  {
    name: 'Area',
    cell: ({ name, signals }) => (
      <>
        <strong>{names[name]}</strong>
        <span className="second">{signals.map(signalLabel).join(', ')}</span>
      </>
    ),
  },
  { name: 'Status', cell: ({ status }) => <RiskMark of={status} /> },
  {
    name: 'Health',
    cell: ({ risk_value: value, status }) => (
      <span className="bucket-value">
        <span className="figures">{value === null ? '–' : formatScore(value)}</span>
        <RiskBar of={status} value={value} />
      </span>
    ),
  },
]

/** A live file may declare hundreds of corridors. */
const listedMax = 2

/** The consequences of a corridor without data. */
function Unsupported() {
  const { data: rules } = useRules()
  const supported = useCorridorCodes()
  if (rules === undefined) return null
  return (
    <div className="stack">
      <h3>Decisions without data</h3>
      <p>
        {`Every payment on this corridor is DEGRADED, or NO-GO above ${formatCount(rules.policy_gate.no_go_above)} units of its currency. Decide manually. `}
        {supported.length === 0 || supported.length > listedMax ? (
          <Link href="/corridors">Show supported corridors</Link>
        ) : (
          <>
            Supported corridors:{' '}
            {supported.map((corridor, place) => (
              <span key={corridor}>
                {place > 0 && ' and '}
                <Link href={`/corridors/${corridor}`}>{corridorName(corridor)}</Link>
              </span>
            ))}
            .
          </>
        )}
      </p>
    </div>
  )
}

function sourceOf({ data_environment: environment, live_signals: live, ...health }: CorridorHealth): string {
  if (environment === 'simulation') return 'from simulated signals'
  return health.corridor_supported ? `with ${live} of ${signalCount} signals live` : 'without signals'
}

function Buckets({ of }: { readonly of: readonly Bucket[] }) {
  if (of.every(({ risk_value: value }) => value === null)) {
    return <p className="soft">No data: no signal of this corridor can be read.</p>
  }
  return (
    <Table
      caption="Signals behind this status; health 1 is best"
      captionShown
      columns={columns}
      rows={of}
      keyOf={({ name }) => name}
    />
  )
}

export function HealthCard({ health }: { readonly health: CorridorHealth }) {
  const { signals, amount } = health
  const liveFeeds = useLiveFeeds()
  const buckets = (Object.keys(names) as Bucket['name'][]).map((name) => ({ name, ...signals[name] }))
  return (
    <Card
      isPrimary
      title={
        amount === null
          ? 'Health for everyday payments'
          : `Health for payments of ${formatAmount(amount, health.currency)}`
      }
    >
      <div className="corridor-state">
        <HealthMark of={healthOf(health)} large />
        <p>{health.advisory}</p>
      </div>
      {liveFeeds !== null && health.corridor_supported && health.live_signals < signalCount && (
        <HoldNotice feeds={liveFeeds} />
      )}
      <OpenCooldowns of={[health]} />
      {health.corridor_supported ? <Buckets of={buckets} /> : <Unsupported />}
      <CorridorFeeds health={health} />
      <p className="small soft">
        {`Evaluated at `}
        <Time at={health.evaluated_at} />
        {` ${sourceOf(health)} (${health.environment}). Nothing is recorded.`}
      </p>
    </Card>
  )
}

/** The health, confidence and source of each signal. */

import type { SignalProvenance } from '@fairway/client'
import { formatMs, formatScore } from '../../format.ts'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { signalLabel } from '../../labels.ts'
import type { DecisionQueries } from './queries.ts'
import { Label, Part, Section } from './section.tsx'

type Signal = SignalProvenance['signals'][number]

const columns: readonly Column<Signal>[] = [
  {
    name: 'Signal',
    cell: ({ signal }) => (
      <>
        {signalLabel(signal)}
        <code className="decision-second">{signal}</code>
      </>
    ),
  },
  { name: 'Status', cell: ({ label }) => <Label of={label} /> },
  { name: 'Health', number: true, cell: ({ risk_value: value }) => value?.toFixed(3) ?? '–' },
  { name: 'Confidence', number: true, cell: ({ confidence }) => formatScore(confidence) },
  { name: 'Source', cell: ({ source }) => source },
  { name: 'Category', cell: ({ category }) => category },
]

function Feed({ of: feed }: { readonly of: Signal['feed'] }) {
  if (feed === null) return <span className="soft">none</span>
  return (
    <>
      <code>{String(feed.value)}</code> via {feed.kind}
      {feed.observed_at !== null && (
        <span className="decision-second">
          <Time at={feed.observed_at} />
          {feed.age_ms !== null && `, ${formatMs(feed.age_ms)} old`}
        </span>
      )}
      {feed.history !== null && (
        <span className="decision-second">
          {feed.history.have} of {feed.history.need} observations
        </span>
      )}
    </>
  )
}

const feedColumn: Column<Signal> = { name: 'Feed reading', cell: ({ feed }) => <Feed of={feed} /> }

function Sources({ of: { signals, model_version: model } }: { readonly of: SignalProvenance }) {
  const isEmpty = signals.every(({ risk_value: value }) => value === null)
  return (
    <>
      {isEmpty ? (
        <p className="soft">No data: there are no signals for this corridor.</p>
      ) : (
        <Table
          caption="Signals of this decision"
          rows={signals}
          keyOf={({ signal }) => signal}
          columns={signals.some(({ feed }) => feed !== null) ? [...columns, feedColumn] : columns}
        />
      )}
      <p className="small soft">Model version: {model}</p>
    </>
  )
}

export function Signals({ queries }: { readonly queries: DecisionQueries }) {
  return (
    <Section
      id="signals"
      title="Signal sources"
      note="Health ranges from 0 (worst) to 1 (best). Below 0.50 a signal is flagged."
    >
      <Part query={queries.provenance} height={320}>
        {(provenance) => <Sources of={provenance} />}
      </Part>
    </Section>
  )
}

/** The signals of a decision: their health and, as evidence, their sources. */

import type { DecisionFile, SignalProvenance } from '@fairway/client'
import { formatScore, formatShortAge } from '../../format.ts'
import { RiskMark, riskShown } from '../../ui/risk.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { signalLabel } from '../../labels.ts'
import { Section } from './section.tsx'

type Signal = SignalProvenance['signals'][number]

const name: Column<Signal> = {
  name: 'Signal',
  cell: ({ signal }) => (
    <>
      {signalLabel(signal)}
      <code className="second">{signal}</code>
    </>
  ),
}

const healthColumns: readonly Column<Signal>[] = [
  { name: 'Signal', cell: ({ signal }) => signalLabel(signal) },
  { name: 'Status', cell: ({ label }) => <RiskMark of={label} /> },
  { name: 'Health', number: true, cell: ({ risk_value: health }) => health?.toFixed(3) ?? '–' },
  { name: 'Confidence', number: true, cell: ({ confidence }) => formatScore(confidence) },
]

function Feed({ of: feed }: { readonly of: Signal['feed'] }) {
  if (feed === null) return <span className="soft">none</span>
  return (
    <>
      <code>{String(feed.value)}</code> via {feed.kind}
      {feed.observed_at !== null && (
        <span className="second">
          <Time at={feed.observed_at} />
          {feed.age_ms !== null && `, ${formatShortAge(feed.age_ms)} old`}
        </span>
      )}
      {feed.history !== null && (
        <span className="second">
          {feed.history.have} of {feed.history.need} observations
        </span>
      )}
    </>
  )
}

/** The value and its age; the sources on the tab of the evidence have the rest. */
function Reading({ of: feed }: { readonly of: Signal['feed'] }) {
  if (feed === null) return <span className="soft">none</span>
  return (
    <>
      <code>{String(feed.value)}</code>
      {feed.age_ms !== null && <span className="second">{formatShortAge(feed.age_ms)}</span>}
    </>
  )
}

const readingColumn: Column<Signal> = { name: 'Reading', cell: ({ feed }) => <Reading of={feed} /> }
const feedColumn: Column<Signal> = { name: 'Feed reading', cell: ({ feed }) => <Feed of={feed} /> }

const sourceColumns: readonly Column<Signal>[] = [
  name,
  { name: 'Source', cell: ({ source }) => source },
  { name: 'Category', cell: ({ category }) => category },
]

const hasFeeds = (signals: readonly Signal[]): boolean => signals.some(({ feed }) => feed !== null)

export function Signals({ file: { provenance, explanation } }: { readonly file: DecisionFile }) {
  const { corridor_supported: isSupported } = explanation
  const signals = provenance.signals.map((one) => ({ ...one, label: riskShown(one.label, isSupported) }))
  const isEmpty = signals.every(({ risk_value: health }) => health === null)
  return (
    <Section
      id="signals"
      title="Signals"
      note="Health ranges from 0 (worst) to 1 (best). Below 0.50 a signal is flagged."
    >
      {isEmpty ? (
        <p className="soft">No data: there are no signals for this corridor.</p>
      ) : (
        <>
          {!isSupported && (
            <p className="soft">No data for this corridor: neutral values stand in for its signals.</p>
          )}
          <Table
            caption="Signals of this decision"
            rows={signals}
            keyOf={({ signal }) => signal}
            columns={hasFeeds(signals) ? [...healthColumns, readingColumn] : healthColumns}
          />
        </>
      )}
    </Section>
  )
}

export function Provenance({ of: { signals, model_version: model } }: { readonly of: SignalProvenance }) {
  return (
    <Section id="provenance" title="Signal sources" note={`Model version: ${model}`}>
      <StackTable
        caption="Sources of the signals"
        rows={signals}
        keyOf={({ signal }) => signal}
        columns={hasFeeds(signals) ? [...sourceColumns, feedColumn] : sourceColumns}
      />
    </Section>
  )
}

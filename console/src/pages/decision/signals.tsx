/** Where each signal came from, and how far it was trusted. */

import type { SignalProvenance } from '@fairway/client'
import { formatMs, formatScore } from '../../format.ts'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { signalWords } from '../../words.ts'
import type { AboutDecision } from './asks.ts'
import { Label, Part, Section } from './section.tsx'

type Signal = SignalProvenance['signals'][number]

const columns: readonly Column<Signal>[] = [
  {
    name: 'Signal',
    cell: ({ signal }) => (
      <>
        {signalWords(signal)}
        <code className="decision-second">{signal}</code>
      </>
    ),
  },
  { name: 'Status', cell: ({ label }) => <Label of={label} /> },
  { name: 'Risk value', number: true, cell: ({ risk_value: value }) => value.toFixed(3) },
  { name: 'Confidence', number: true, cell: ({ confidence }) => formatScore(confidence) },
  { name: 'Source', cell: ({ source }) => source },
  { name: 'Category', cell: ({ category }) => category },
]

function Feed({ of: feed }: { readonly of: Signal['feed'] }) {
  if (feed === null) return <span className="soft">none</span>
  return (
    <>
      <code>{String(feed.value)}</code> by {feed.kind}
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

const feedColumn: Column<Signal> = { name: 'As the feed gave it', cell: ({ feed }) => <Feed of={feed} /> }

export function Signals({ about }: { readonly about: AboutDecision }) {
  return (
    <Section
      id="signals"
      title="Where the signals came from"
      note="A risk value of 1 is clear; below 0.50 a signal is flagged."
    >
      <Part asked={about.provenance} height={320}>
        {({ signals, model_version: model }) => (
          <>
            <Table
              caption="Signals of this decision"
              rows={signals}
              keyOf={({ signal }) => signal}
              columns={signals.some(({ feed }) => feed !== null) ? [...columns, feedColumn] : columns}
            />
            <p className="small soft">Decided by the model {model}.</p>
          </>
        )}
      </Part>
    </Section>
  )
}

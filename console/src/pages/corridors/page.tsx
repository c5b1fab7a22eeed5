/** The corridors page: the health of each corridor and your traffic on it. */

import type { CorridorHealth, VerificationsSummary } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { QueryResult } from '../../query-result.tsx'
import { useQuery, type Query } from '../../query.ts'
import { corridorName } from '../../countries.ts'
import { formatAlignedShare, formatCount, formatScore, formatShare } from '../../format.ts'
import { HealthMark } from '../../health.tsx'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import { useCorridors } from '../../supported.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { toneOf, verdicts } from '../../ui/verdict.tsx'
import { pageIn, Pager, sliceOf } from '../batch/pager.tsx'
import { Diagram, Legend } from './diagram.tsx'
import { RangeChoice, useTraffic } from './range.tsx'
import { lanesOf, readHealths, trafficOf, withHealth, type Lane } from './traffic.ts'
import './corridors.css'

const columns: readonly StackColumn<Lane>[] = [
  {
    name: 'Corridor',
    fluid: 1,
    sort: ({ corridor }) => corridorName(corridor),
    cell: ({ corridor }) => (
      <>
        <Link {...rowLink} href={`/corridors/${corridor}`}>
          {corridorName(corridor)}
        </Link>
        <span className="second">{corridor}</span>
      </>
    ),
  },
  {
    name: 'Shares',
    cell: ({ sums }) =>
      sums !== null &&
      sums.total > 0 && (
        <span className="lane-shares" aria-hidden="true">
          {verdicts
            .filter((verdict) => sums[verdict] > 0)
            .map((verdict) => (
              <span key={verdict} className={`fill-${toneOf[verdict]}`} style={{ flexGrow: sums[verdict] }} />
            ))}
        </span>
      ),
  },
  {
    name: 'Health',
    cell: ({ health }) => (health === null ? <span className="soft">…</span> : <HealthMark of={health} />),
  },
  { name: 'Decisions', number: true, sort: trafficOf, cell: (lane) => formatCount(trafficOf(lane)) },
  ...verdicts.map((verdict): StackColumn<Lane> => ({
    name: verdict,
    number: true,
    sort: ({ sums }) => (sums === null || sums.total === 0 ? null : sums[verdict] / sums.total),
    cell: ({ sums }) => (sums === null ? '–' : formatAlignedShare(sums[verdict], sums.total)),
  })),
  {
    name: 'Average score',
    number: true,
    sort: ({ sums }) => sums?.average_score ?? null,
    cell: ({ sums }) =>
      sums === null || sums.average_score === null ? '–' : formatScore(sums.average_score),
  },
]

const partnersColumn: StackColumn<Lane> = {
  name: 'Partners',
  number: true,
  cell: ({ partners }) => (partners === null ? '–' : formatCount(partners)),
}

/** Opens any corridor, also one without data. */
function CorridorForm() {
  const [corridor, setCorridor] = useState('')
  const [, navigate] = useLocation()
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (corridor.trim() !== '') navigate(`/corridors/${encodeURIComponent(corridor.trim())}`)
  }
  return (
    <form className="corridor-form" onSubmit={submit}>
      <Field label="Other corridor" hint="For example GB-GH or United Kingdom-Ghana.">
        {(input) => (
          <input
            {...input}
            autoComplete="off"
            spellCheck={false}
            maxLength={128}
            value={corridor}
            onChange={({ target }) => setCorridor(target.value)}
          />
        )}
      </Field>
      <Button type="submit">Open corridor</Button>
    </form>
  )
}

function TrafficCard({ lanes, total }: { readonly lanes: readonly Lane[]; readonly total: number }) {
  const [busiest] = lanes.toSorted((left, right) => trafficOf(right) - trafficOf(left))
  return (
    <Card title="Traffic and health" actions={<RangeChoice />} isPrimary>
      <p className="card-note">
        {total === 0 || busiest === undefined
          ? 'No decisions in this time range. '
          : `${formatCount(total)} decisions. Busiest corridor: ${corridorName(busiest.corridor)} (${formatShare(trafficOf(busiest), total)}). `}
        Line width shows traffic, line style shows health. The table below has the same figures.
      </p>
      <Diagram lanes={lanes} />
      <Legend lanes={lanes} />
      {total === 0 && (
        <Empty
          icon="route"
          title="No verifications yet"
          action={<LinkButton href="/">Verify a payment</LinkButton>}
        >
          Verify a payment to see its corridor here.
        </Empty>
      )}
    </Card>
  )
}

/** The lanes whose code or country names contain the text. */
function matching(lanes: readonly Lane[], text: string): readonly Lane[] {
  const wanted = text.trim().toLowerCase()
  return lanes.filter(({ corridor }) =>
    `${corridor} ${corridorName(corridor)}`.toLowerCase().includes(wanted),
  )
}

/** Health is read for the rows on this page alone: a live file may declare hundreds of corridors. */
function CorridorTable({ lanes, note }: { readonly lanes: readonly Lane[]; readonly note: string }) {
  const [text, setText] = useState('')
  const [requested, setRequested] = useState(1)
  const found = matching(lanes, text)
  const page = pageIn(String(requested), found.length)
  const rows = sliceOf(found, page)
  const { data: healths, error } = useHealths(rows)
  const hasPartners = lanes.some(({ partners }) => partners !== null && partners > 0)
  return (
    <Card title="Corridors">
      {lanes.length > sliceOf(lanes, 1).length && (
        <div className="corridor-find">
          <Field label="Find a corridor">
            {(input) => (
              <input
                {...input}
                type="search"
                autoComplete="off"
                spellCheck={false}
                value={text}
                onChange={({ target }) => {
                  setText(target.value)
                  setRequested(1)
                }}
              />
            )}
          </Field>
        </div>
      )}
      {error !== undefined && healths === undefined && <Problem error={error} />}
      {found.length === 0 ? (
        <p className="soft">No corridor matches.</p>
      ) : (
        <StackTable
          caption="Corridors: health and decisions"
          order={note}
          columns={hasPartners ? [...columns, partnersColumn] : columns}
          rows={withHealth(rows, healths)}
          keyOf={({ corridor }) => corridor}
        />
      )}
      <Pager page={page} count={found.length} onPage={setRequested} />
      <CorridorForm />
    </Card>
  )
}

/** Refreshed slowly, because each request reads every feed of its corridor. */
const refreshMs = 60_000

function useHealths(lanes: readonly Lane[]): Query<CorridorHealth[]> {
  const codes = lanes.flatMap(({ corridor, partners }) => (partners === null ? [] : [corridor])).toSorted()
  return useQuery(['corridors', ...codes], (client) => readHealths(client, codes), {
    refreshMs,
    keepPrevious: true,
  })
}

function Lanes({
  lanes,
  summary,
}: {
  readonly lanes: readonly Lane[]
  readonly summary: VerificationsSummary
}) {
  const { total, corridors, corridors_total: all } = summary
  const first = sliceOf(lanes, 1)
  const healths = useHealths(first)
  return (
    <QueryResult query={healths} skeleton={<Skeleton height={420} />}>
      {(answers) => (
        <>
          <TrafficCard lanes={withHealth(first, answers)} total={total} />
          <CorridorTable
            lanes={lanes}
            note={
              all > corridors.length
                ? `Supported corridors first, then the busiest of ${formatCount(all)} with traffic.`
                : 'Supported corridors first, then by traffic.'
            }
          />
        </>
      )}
    </QueryResult>
  )
}

function CorridorsWork() {
  const supported = useCorridors()
  const traffic = useTraffic('')
  const skeleton = <Skeleton height={420} />
  return (
    <QueryResult query={supported} skeleton={skeleton}>
      {({ corridors }) => (
        <QueryResult query={traffic} skeleton={skeleton}>
          {(summary) => <Lanes lanes={lanesOf(corridors, summary.corridors)} summary={summary} />}
        </QueryResult>
      )}
    </QueryResult>
  )
}

export default function CorridorsPage() {
  return (
    <Page title="Corridors" lead="The current health of each corridor, and your traffic on it.">
      <Keyed what="corridor health">
        <div className="page">
          <CorridorsWork />
        </div>
      </Keyed>
    </Page>
  )
}

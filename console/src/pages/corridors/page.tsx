/** The corridors page: the health of each corridor and your traffic on it. */

import type { CorridorHealth } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { QueryResult } from '../../query-result.tsx'
import { useQuery, type Query } from '../../query.ts'
import { corridorName } from '../../countries.ts'
import { formatAlignedShare, formatCount, formatScore, formatShare } from '../../format.ts'
import { HealthMark } from '../../health.tsx'
import { Keyed } from '../../keyed.tsx'
import { useRules } from '../../rules.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { toneOf } from '../../ui/verdict.tsx'
import { Diagram, Legend } from './diagram.tsx'
import { RangeChoice, useTraffic } from './range.tsx'
import { lanesOf, trafficOf, type Lane } from './traffic.ts'
import './corridors.css'

const verdicts = ['GO', 'DEGRADED', 'NO-GO'] as const

const columns: readonly Column<Lane>[] = [
  {
    name: 'Corridor',
    cell: ({ corridor, sums }) => (
      <span className="lane-name">
        <Link href={`/corridors/${corridor}`}>{corridorName(corridor)}</Link>
        <span className="small soft">{corridor}</span>
        {sums !== null && (
          <span className="lane-shares" aria-hidden="true">
            {verdicts
              .filter((verdict) => sums[verdict] > 0)
              .map((verdict) => (
                <span
                  key={verdict}
                  className={`fill-${toneOf[verdict]}`}
                  style={{ flexGrow: sums[verdict] }}
                />
              ))}
          </span>
        )}
      </span>
    ),
  },
  { name: 'Health', cell: ({ health }) => <HealthMark of={health} /> },
  { name: 'Decisions', number: true, cell: (lane) => formatCount(trafficOf(lane)) },
  ...verdicts.map((verdict): Column<Lane> => ({
    name: verdict,
    number: true,
    cell: ({ sums }) => (sums === null ? '–' : formatAlignedShare(sums[verdict], sums.total)),
  })),
  {
    name: 'Average score',
    number: true,
    cell: ({ sums }) =>
      sums === null || sums.average_score === null ? '–' : formatScore(sums.average_score),
  },
]

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

function Lanes({
  lanes,
  total,
  all,
}: {
  readonly lanes: readonly Lane[]
  readonly total: number
  readonly all: number
}) {
  const [busiest] = lanes.toSorted((left, right) => trafficOf(right) - trafficOf(left))
  return (
    <>
      <Card title="Traffic and health" actions={<RangeChoice />}>
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
      <Card
        title="Corridors"
        note={
          all > lanes.length
            ? `The busiest of ${formatCount(all)} corridors.`
            : 'Supported corridors first, then by traffic.'
        }
      >
        <StackTable
          caption="Corridors: health and decisions"
          columns={columns}
          rows={lanes}
          keyOf={({ corridor }) => corridor}
        />
        <CorridorForm />
      </Card>
    </>
  )
}

function useHealths(): Query<CorridorHealth[]> {
  const { data: rules } = useRules()
  const corridors = rules?.supported_corridors
  return useQuery(
    corridors === undefined ? null : ['corridors', ...corridors],
    (client) => Promise.all((corridors ?? []).map((corridor) => client.corridorHealth(corridor))),
    { refreshMs: 30_000 },
  )
}

function CorridorsWork() {
  const rules = useRules()
  const healths = useHealths()
  const traffic = useTraffic('')
  const skeleton = <Skeleton height={420} />
  if (rules.data === undefined)
    return (
      <QueryResult query={rules} skeleton={skeleton}>
        {() => null}
      </QueryResult>
    )
  return (
    <QueryResult query={healths} skeleton={skeleton}>
      {(answers) => (
        <QueryResult query={traffic} skeleton={skeleton}>
          {({ corridors, corridors_total: all, total }) => (
            <Lanes lanes={lanesOf(answers, corridors)} total={total} all={all} />
          )}
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

/** Corridors: how each is doing, and what the key sends over it. */

import type { CorridorHealth } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { Answered } from '../../answer.tsx'
import { useAsk, type Asked } from '../../ask.ts'
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

/** Any corridor can be looked at; few have data. */
function LookUp() {
  const [corridor, setCorridor] = useState('')
  const [, navigate] = useLocation()
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (corridor.trim() !== '') navigate(`/corridors/${encodeURIComponent(corridor.trim())}`)
  }
  return (
    <form className="look-up" onSubmit={submit}>
      <Field label="Another corridor" hint="GB-GH, or United Kingdom-Ghana">
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
      <Button type="submit">Look at it</Button>
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
            ? 'No decisions in this time. '
            : `${formatCount(total)} decisions; the most, ${formatShare(trafficOf(busiest), total)}, for ${corridorName(busiest.corridor)}. `}
          A line is as thick as its traffic, and drawn by its health; the table has the same in words.
        </p>
        <Diagram lanes={lanes} />
        <Legend lanes={lanes} />
        {total === 0 && (
          <Empty icon="route" title="No verifications yet" action={<LinkButton href="/">Try one</LinkButton>}>
            What you verify with your key shows here, corridor by corridor.
          </Empty>
        )}
      </Card>
      <Card
        title="Corridors"
        note={
          all > lanes.length
            ? `The busiest of ${formatCount(all)}.`
            : 'Those with data first, then by traffic.'
        }
      >
        <StackTable
          caption="Corridors: health, decisions and verdicts"
          columns={columns}
          rows={lanes}
          keyOf={({ corridor }) => corridor}
        />
        <LookUp />
      </Card>
    </>
  )
}

function useHealths(): Asked<CorridorHealth[]> {
  const { data: rules } = useRules()
  const corridors = rules?.supported_corridors
  return useAsk(
    corridors === undefined ? null : ['corridors', ...corridors],
    (client) => Promise.all((corridors ?? []).map((corridor) => client.corridorHealth(corridor))),
    { everyMs: 30_000 },
  )
}

function CorridorsWork() {
  const rules = useRules()
  const healths = useHealths()
  const traffic = useTraffic('')
  const skeleton = <Skeleton height={420} />
  if (rules.data === undefined)
    return (
      <Answered asked={rules} skeleton={skeleton}>
        {() => null}
      </Answered>
    )
  return (
    <Answered asked={healths} skeleton={skeleton}>
      {(known) => (
        <Answered asked={traffic} skeleton={skeleton}>
          {({ corridors, corridors_total: all, total }) => (
            <Lanes lanes={lanesOf(known, corridors)} total={total} all={all} />
          )}
        </Answered>
      )}
    </Answered>
  )
}

export default function CorridorsPage() {
  return (
    <Page title="Corridors" lead="How the corridors are doing now, and what you send over them.">
      <Keyed what="how corridors are doing">
        <div className="page">
          <CorridorsWork />
        </div>
      </Keyed>
    </Page>
  )
}

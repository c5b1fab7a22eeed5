/** Failure rates of payments that a signal flagged, beside those that it did not. */

import type { ReactNode } from 'react'
import { failedText, intervalText, knownOf, rateText, type Rate } from '../../charts/rates.ts'
import { signalLabel } from '../../labels.ts'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { byLift, differenceOf, liftOf, type Difference, type SignalRates } from './lift.ts'

function Track({ of }: { readonly of: Rate }): ReactNode {
  const known = knownOf(of)
  return (
    <span className="rate-track" aria-hidden="true">
      {known !== null && (
        <>
          <span style={{ left: `${known.low * 100}%`, right: `${(1 - known.high) * 100}%` }} />
          <i style={{ left: `${known.rate * 100}%` }} />
        </>
      )}
    </span>
  )
}

function RateCell({ of }: { readonly of: Rate }) {
  return (
    <span className="calibration-rate figures">
      <span>
        <strong>{rateText(of)}</strong> <span className="small soft">{intervalText(of)}</span>
      </span>
      <Track of={of} />
      <span className="small soft">{failedText(of)}</span>
    </span>
  )
}

const differences: Readonly<
  Record<Difference, readonly [label: string, icon: IconName | null, tone: Tone | null]>
> = {
  more: ['Fails more often', 'warn', 'nogo'],
  less: ['Fails less often', 'info', 'info'],
  unclear: ['No clear difference', null, null],
  few: ['Too few records', null, null],
}

function DifferenceChip({ of }: { readonly of: Difference }) {
  const [label, icon, tone] = differences[of]
  return (
    <Chip {...(tone !== null && { tone })}>
      {icon !== null && <Icon name={icon} size={15} />}
      {label}
    </Chip>
  )
}

function Lift({ of }: { readonly of: SignalRates }) {
  const lift = liftOf(of)
  if (lift !== null) return <strong className="figures">{`${lift.toFixed(1)}×`}</strong>
  return (
    <>
      <span aria-hidden="true">—</span>
      <span className="sr-only">none</span>
    </>
  )
}

const columns: readonly StackColumn<SignalRates>[] = [
  { name: 'Signal', cell: ({ signal }) => signalLabel(signal) },
  { name: 'Flagged', fluid: 1, cell: ({ flagged }) => <RateCell of={flagged} /> },
  { name: 'Clear', fluid: 1, cell: ({ clear }) => <RateCell of={clear} /> },
  { name: 'Lift', number: true, cell: (signal) => <Lift of={signal} /> },
  { name: 'Difference', place: 'plain', cell: (signal) => <DifferenceChip of={differenceOf(signal)} /> },
]

export function Signals({ of }: { readonly of: readonly SignalRates[] }) {
  return (
    <Card
      title="Lift by signal"
      note="Failure rates with their 95% intervals, where a signal was flagged and where it was clear. The lift is the first over the second, highest first."
    >
      <StackTable
        caption="Lift by signal"
        columns={columns}
        rows={byLift(of)}
        keyOf={({ signal }) => signal}
      />
    </Card>
  )
}

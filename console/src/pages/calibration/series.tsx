/** Failures over time, by the time of the decision. */

import type { Calibration } from '@fairway/client'
import { Figure } from '../../charts/figure.tsx'
import { PlotLegend, RatePlot, type LegendEntry, type PlotTick } from '../../charts/rate-plot.tsx'
import { axisEndOf, everyFew, failedText, intervalText, rateText, recordsMin } from '../../charts/rates.ts'
import { formatCount, formatUtcDay } from '../../format.ts'
import type { Column } from '../../ui/table.tsx'
import { stepName, stepText, type Step } from './steps.ts'

const columns: readonly Column<Step>[] = [
  { name: 'Days', cell: (step) => <span className="nowrap">{stepText(step)}</span> },
  { name: 'Payments', number: true, cell: ({ records }) => formatCount(records) },
  { name: 'Failed', number: true, cell: ({ failures }) => formatCount(failures) },
  { name: 'Failure rate', number: true, cell: rateText },
  { name: '95% interval', cell: (step) => <span className="nowrap">{intervalText(step)}</span> },
]

const legend: readonly LegendEntry[] = [
  { look: 'expected', text: 'Failure rate' },
  { look: 'interval', text: '95% interval' },
  { look: 'hatch', text: `Fewer than ${recordsMin} records: no rate` },
]

const ticksMax = 8

function ticksOf(series: readonly Step[]): readonly PlotTick[] {
  return everyFew(series.length, ticksMax).map((place, number) => ({
    at: (place + 0.5) / series.length,
    text: formatUtcDay(series[place]?.from ?? 0),
    isMinor: number % 2 === 1,
  }))
}

const textOf = (step: Step): string => {
  const interval = step.rate === null ? intervalText(step) : `interval ${intervalText(step)}`
  return `${stepText(step)}: ${failedText(step)}, ${interval}.`
}

function summaryOf(series: readonly Step[]): string {
  const known = series.filter(({ rate }) => rate !== null)
  const [first] = series
  if (first === undefined) return 'No final outcomes.'
  const unit = `By the time of the decision, ${stepName(first)}.`
  const [highest] = known.toSorted((left, right) => (right.rate ?? 0) - (left.rate ?? 0))
  if (highest === undefined) return `${unit} No step has ${recordsMin} records yet, so none has a rate.`
  return `${unit} Highest: ${rateText(highest)}, ${stepText(highest)}.`
}

export function Series({ of: { series } }: { readonly of: Calibration }) {
  const hasRates = series.some(({ rate }) => rate !== null)
  return (
    <Figure
      title="Failures over time"
      summary={summaryOf(series)}
      alt={`Failures over time. ${series.map(textOf).join(' ')}`}
      height={0}
      columns={columns}
      rows={series}
      keyOf={({ from }) => from}
    >
      <RatePlot
        columns={series.map((step) => ({
          ...step,
          key: step.from,
          text: textOf(step),
          reading: step.rate === null ? 'few' : 'expected',
        }))}
        ticks={ticksOf(series)}
        end={axisEndOf(series)}
        axes={['Start of the step', 'Failure rate']}
      />
      {hasRates && <PlotLegend of={legend} />}
    </Figure>
  )
}

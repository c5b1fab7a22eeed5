/** The reliability curve: the failures that scores predicted, beside those that came about. */

import type { Calibration } from '@fairway/client'
import { formatCount, formatShare } from '../format.ts'
import type { Column } from '../ui/table.tsx'
import { Figure } from './figure.tsx'
import { PlotLegend, RatePlot, type LegendEntry, type PlotTick } from './rate-plot.tsx'
import {
  binText,
  curveText,
  intervalText,
  predictedText,
  rateText,
  readingOf,
  readings,
  recordsMin,
  type Bin,
} from './rates.ts'

const columns: readonly Column<Bin>[] = [
  { name: 'Predicted', cell: (bin) => <span className="nowrap">{predictedText(bin)}</span> },
  { name: 'Payments', number: true, cell: ({ records }) => formatCount(records) },
  { name: 'Failed', number: true, cell: ({ failures }) => formatCount(failures) },
  { name: 'Failure rate', number: true, cell: rateText },
  { name: '95% interval', cell: (bin) => <span className="nowrap">{intervalText(bin)}</span> },
  { name: 'Reading', cell: (bin) => readings[readingOf(bin)] },
]

const legend: readonly LegendEntry[] = [
  { look: 'expected', text: readings.expected },
  { look: 'more', text: readings.more },
  { look: 'less', text: readings.less },
  { look: 'interval', text: '95% interval' },
  { look: 'range', text: 'Predicted range of a bin' },
  { look: 'perfect', text: 'Perfect calibration' },
  { look: 'hatch', text: `Fewer than ${recordsMin} records: no rate` },
]

function ticksOf(bins: readonly Bin[]): readonly PlotTick[] {
  return [0, ...bins.map(({ to }) => to)].map((at, place) => ({
    at,
    text: formatShare(at, 1),
    isMinor: place % 2 === 1,
  }))
}

export function Reliability({
  curve,
  note,
}: {
  readonly curve: Pick<Calibration, 'reliability'>
  /** After the finding. */
  readonly note?: string
}) {
  const { reliability: bins } = curve
  return (
    <Figure
      title="Reliability"
      isPrimary
      summary={note === undefined ? curveText(bins) : `${curveText(bins)} ${note}`}
      alt={`Reliability curve. ${bins.map(binText).join(' ')}`}
      columns={columns}
      rows={bins}
      keyOf={({ from }) => String(from)}
    >
      <RatePlot
        columns={bins.map((bin) => ({
          ...bin,
          key: String(bin.from),
          text: binText(bin),
          reading: readingOf(bin),
        }))}
        ticks={ticksOf(bins)}
        end={1}
        axes={['Predicted probability of failure (1 − score)', 'Observed failure rate']}
        isPredicted
      />
      <PlotLegend of={legend} />
    </Figure>
  )
}

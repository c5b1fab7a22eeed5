/** The section that compares what the scores predicted with how the payments ended: a curve and its data. */

import { ratioHalfUp, type Tally } from '../../../core/assess/report.ts'
import { curveOf, type Bin, type ByScore } from '../../../core/calibration/figures.ts'
import { recordsMin } from '../../../core/calibration/rate.ts'
import { counted, withThousands } from '../../../core/explain/wording.ts'
import { picture, rounded } from './charts.ts'
import { decimal, percent, rowsIn, share } from './formats.ts'
import { markup, nothing, scrolled, section, type Markup } from './markup.ts'

const title = 'Do the scores mean what they say?'

export function reliabilitySection(tally: Tally): Markup {
  const { with_outcome: ended, failures, brier, reliability } = curveOf(tally.endedByScore)
  if (brier === null) {
    const sentence = 'No row has a final outcome, so the scores cannot be compared with what happened.'
    return section('reliability', title, markup`<p>${sentence}</p>`)
  }
  const predicted = percent(predictedPermille(tally.endedByScore))
  const failed = ended < recordsMin ? withThousands(failures) : share(failures, ended)
  const result = `A score predicts that a payment fails with a probability of 1 − score. Of ${counted(ended, 'row')} with a final outcome ${failed} FAILED or were REJECTED; the scores predicted ${predicted}.`
  return section(
    'reliability',
    title,
    markup`<p>${result}</p>
<p class="note">The Brier score is <b>${decimal(Math.round(brier * 10_000), 4)}</b>: the mean squared distance between prediction and outcome. 0 is perfect, and 0.25 is what a prediction of 50% for every row would have.</p>
${chart(reliability)}
${table(reliability)}
<p class="note">${uncounted(rowsIn(tally.byOutcome.PENDING) + rowsIn(tally.byOutcome.NONE))} The signals are simulated, so the curve describes this file and says nothing about live decisions.</p>`,
  )
}

/** The mean of 1 − score. */
function predictedPermille(byScore: ByScore): number {
  let [sum, total] = [0, 0]
  for (const [score, { records }] of byScore.entries()) {
    sum += (100 - score) * records
    total += records
  }
  return ratioHalfUp(10 * sum, total)
}

function uncounted(rows: number): string {
  const missing =
    rows === 0
      ? 'Every row has a final outcome.'
      : `${counted(rows, 'row')} without a final outcome ${rows === 1 ? 'is' : 'are'} not counted.`
  return `${missing} Nobody knows how payments that were stopped would have ended, so the rates are those of payments that were made.`
}

// The curve

/** In pixels. */
const plot = { height: 220, bottom: 228 } as const
const yOf = (rate: number): number => rounded(plot.bottom - plot.height * rate)

function chart(bins: readonly Bin[]): Markup {
  if (bins.every(({ rate }) => rate === null)) {
    return markup`<p>A rate needs at least ${recordsMin} rows in one bin, and no bin has as many.</p>`
  }
  const label =
    'Predicted and observed share of failures in ten bins, with intervals of 95%; the table below has the numbers'
  const diagonal = markup`<line class="edge" x1="0" x2="100%" y1="${yOf(0)}" y2="${yOf(1)}"/>`
  const height = plot.bottom + 54
  return markup`<figure class="plot curve"><ul class="key" aria-label="Marks"><li><i class="swatch observed"></i>Observed, with its interval of 95%</li><li><i class="swatch diagonal"></i>As predicted</li></ul>
${picture(label, height, [...grid(), diagonal, ...bins.map(mark), ...ticks()])}</figure>`
}

function grid(): Markup[] {
  return [0, 20, 40, 60, 80, 100].map((at) => {
    const y = yOf(at / 100)
    return markup`<line class="${at === 0 ? 'axis' : 'grid'}" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="quiet" x="-8" y="${rounded(y + 4)}" text-anchor="end">${at}%</text>`
  })
}

function ticks(): Markup[] {
  const labels = Array.from({ length: 11 }, (_, place) => {
    const rank = place % 2 === 0 ? 'quiet' : 'quiet minor'
    return markup`<text class="${rank}" x="${place * 10}%" y="${plot.bottom + 17}" text-anchor="middle">${place * 10}%</text>`
  })
  return [
    ...labels,
    markup`<text class="quiet name" x="50%" y="${plot.bottom + 50}" text-anchor="middle">Predicted probability of failure, 1 − score</text>`,
  ]
}

/** A point with its interval, in the middle of the bin, and the number of rows below. */
function mark({ from, to, records, rate, low, high }: Bin): Markup {
  const x = rounded(50 * (from + to))
  const rows = markup`<text class="quiet minor" x="${x}%" y="${plot.bottom + 32}" text-anchor="middle">${counted(records, 'row')}</text>`
  if (records === 0) return nothing
  if (rate === null || low === null || high === null) {
    return markup`<text class="quiet minor" x="${x}%" y="${plot.bottom - 6}" text-anchor="middle">too few</text>${rows}`
  }
  const [upper, lower] = [yOf(high), yOf(low)]
  return markup`<svg x="${x}%" y="0" overflow="visible"><path class="interval" d="M0 ${upper}V${lower}M-5 ${upper}H5M-5 ${lower}H5"/><circle class="observed" cx="0" cy="${yOf(rate)}" r="4.5"/></svg>${rows}`
}

// Its data

function table(bins: readonly Bin[]): Markup {
  const caption = 'Rows with a final outcome by predicted probability of failure'
  const lines = bins.map(({ from, to, records, failures, ...rates }) => {
    const first = Math.round(100 * from)
    const last = Math.round(100 * to) - (to === 1 ? 0 : 1)
    return markup`<tr><th scope="row">${first}–${last}%</th><td class="number">${withThousands(records)}</td><td class="number">${withThousands(failures)}</td>${rateCells(records, failures, rates)}</tr>`
  })
  const heads = ['Rows', 'Failed', 'Observed', '95% interval']
  return scrolled(
    caption,
    markup`<table class="reliability">
<caption>${caption}; a bin with fewer than ${recordsMin} rows has no rate</caption>
<thead><tr><th scope="col">Predicted</th>${heads.map((head) => markup`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>${lines}</tbody>
</table>`,
  )
}

function rateCells(records: number, failures: number, { low, high }: Pick<Bin, 'low' | 'high'>): Markup {
  if (low === null || high === null) {
    const why = records === 0 ? 'no rows' : `fewer than ${recordsMin} rows`
    return markup`<td class="number soft" colspan="2">${why}</td>`
  }
  const ends = [low, high].map((rate) => decimal(Math.round(1_000 * rate), 1)).join('–')
  return markup`<td class="number">${share(failures, records)}</td><td class="number">${ends}%</td>`
}

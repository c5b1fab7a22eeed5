/**
 * The charts of the report. They scale with the page width but their text does not: horizontal lengths are
 * percentages, vertical ones pixels.
 */

import { uncertaintyBands, type UncertaintyBand, type VerdictCounts } from '../../../core/assess/report.ts'
import { degradedFloorHundredths, goFloorHundredths, type Verdict } from '../../../core/decision/score.ts'
import { counted, withThousands } from '../../../core/explain/wording.ts'
import { byVerdict, decimal, rowsIn, share, toneOf } from './formats.ts'
import { markup, nothing, type Markup } from './markup.ts'

/** Text may overflow the edges; the surrounding figure leaves room for it. */
export function picture(label: string, heightPx: number, body: readonly Markup[]): Markup {
  return markup`<svg role="img" aria-label="${label}" width="100%" height="${heightPx}"><title>${label}</title>${body}</svg>`
}

/** Two decimals, to keep the markup short. */
export const rounded = (length: number): number => Math.round(length * 100) / 100

/** The shares of the three decisions as one bar. Hidden from screen readers: the numbers are next to it. */
export function shareBar(counts: VerdictCounts): Markup {
  const parts = byVerdict(counts).filter(({ count }) => count > 0)
  return markup`<span class="bar" aria-hidden="true">${parts.map(
    ({ verdict, count }) => markup`<i class="${toneOf[verdict]}" style="flex-grow:${count}"></i>`,
  )}</span>`
}

export function lengthBar(count: number, most: number): Markup {
  const width = most === 0 ? 0 : rounded((100 * count) / most)
  return markup`<span class="bar" aria-hidden="true"><i class="plain" style="width:${width}%"></i></span>`
}

export function verdictKey(): Markup {
  const items = byVerdict([0, 0, 0]).map(
    ({ verdict }) => markup`<li><i class="swatch ${toneOf[verdict]}"></i>${verdict}</li>`,
  )
  return markup`<ul class="key" aria-label="Colours">${items}</ul>`
}

// The scale of the Execution Uncertainty Score

/** The lowest and highest score of each band. */
function bandEnds(): { band: UncertaintyBand; from: number; to: number }[] {
  return uncertaintyBands.map(([band, from], place) => {
    const next = uncertaintyBands[place + 1]
    return { band, from, to: next === undefined ? 100 : next[1] - 1 }
  })
}

export function uncertaintyScale(score: number, active: UncertaintyBand): Markup {
  const bands = bandEnds().map(({ band, from, to }) => {
    // Scores are integers, so a band ends halfway to the next one.
    const start = from === 0 ? 0 : from - 0.5
    const width = (to === 100 ? 100 : to + 0.5) - start
    const isActive = band === active
    const middle = start + width / 2
    return markup`<rect class="band${isActive ? ` ${band.toLowerCase()}` : ''}" x="${start}%" y="16" width="${width}%" height="14"/>
<text class="${isActive ? 'strong' : 'quiet'}" x="${middle}%" y="47" text-anchor="middle">${band}</text>
<text class="${isActive ? 'strong' : 'quiet'}" x="${middle}%" y="61" text-anchor="middle">${from}–${to}</text>`
  })
  const marker = markup`<svg x="${score}%" y="0" overflow="visible"><path class="marker" d="M-8 0H8L0 13Z"/></svg>`
  const ranges = bandEnds().map(({ band, from, to }) => `${band} ${from} to ${to}`)
  const label = `Execution Uncertainty Score ${score} of 100, band ${active}; bands: ${ranges.join(', ')}`
  return picture(label, 66, [...bands, marker])
}

// The distribution of the scores

const binWidth = 5
const binCount = 20
/** In pixels. The space above is for the band names and the label of the highest bar. */
const plot = { height: 170, bottom: 224 } as const

export interface Bin {
  /** In hundredths, both inclusive. */
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Twenty bins of 0.05; the last one includes 1.00. */
export function binsOf(scores: readonly number[]): Bin[] {
  return Array.from({ length: binCount }, (_, place) => {
    const from = place * binWidth
    const to = place === binCount - 1 ? 100 : from + binWidth - 1
    const count = scores.slice(from, to + 1).reduce((sum, rows) => sum + rows, 0)
    return { from, to, count }
  })
}

export function scoreHistogram(bins: readonly Bin[]): Markup {
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const bars = bins.map(({ from, count }) => {
    if (count === 0) return nothing
    const height = Math.max(2, rounded((plot.height * count) / most))
    const y = rounded(plot.bottom - height)
    const rank = count === most ? '' : ' minor'
    return markup`<rect class="score" x="${from + 0.1}%" y="${y}" width="${binWidth - 0.2}%" height="${height}"/>
<text class="on-bar${rank}" x="${from + binWidth / 2}%" y="${rounded(y - 5)}" text-anchor="middle">${share(count, total)}</text>`
  })
  const [degraded, go] = [decimal(degradedFloorHundredths, 2), decimal(goFloorHundredths, 2)]
  const label = `Score distribution of ${counted(total, 'row')} in steps of 0.05; bands: NO-GO below ${degraded}, DEGRADED from ${degraded}, GO from ${go}`
  const base = markup`<line class="axis" x1="0" x2="100%" y1="${plot.bottom}" y2="${plot.bottom}"/>`
  return picture(label, plot.bottom + 24, [...scoreBands(), ...bars, base, ...scoreTicks()])
}

function scoreBands(): Markup[] {
  const bands: readonly (readonly [Verdict, number, number])[] = [
    ['NO-GO', 0, degradedFloorHundredths],
    ['DEGRADED', degradedFloorHundredths, goFloorHundredths],
    ['GO', goFloorHundredths, 100],
  ]
  return bands.map(([verdict, from, end]) => {
    const middle = (from + end) / 2
    const last = end === 100 ? end : end - 1
    const edge =
      from === 0
        ? nothing
        : markup`<line class="edge" x1="${from}%" x2="${from}%" y1="0" y2="${plot.bottom}"/>`
    return markup`<rect class="${toneOf[verdict]}-tint" x="${from}%" y="0" width="${end - from}%" height="36"/>${edge}
<text class="${toneOf[verdict]}-ink strong" x="${middle}%" y="15" text-anchor="middle">${verdict}</text>
<text class="${toneOf[verdict]}-ink" x="${middle}%" y="29" text-anchor="middle">${decimal(from, 2)}–${decimal(last, 2)}</text>`
  })
}

function scoreTicks(): Markup[] {
  return [0, 20, degradedFloorHundredths, 60, goFloorHundredths, 100].map((at) => {
    const strong = at === degradedFloorHundredths || at === goFloorHundredths
    return markup`<text class="${strong ? 'strong' : 'quiet'}" x="${at}%" y="${plot.bottom + 17}" text-anchor="middle">${decimal(at, 2)}</text>`
  })
}

// Decisions by month

export interface Column {
  readonly label: string
  readonly counts: VerdictCounts
}

const columns = { height: 180, bottom: 188 } as const
/** Maximum number of month labels on wide and narrow pages. */
const labelsMax = { wide: 9, narrow: 3 }

export function monthColumns(months: readonly Column[]): Markup {
  const most = Math.max(1, ...months.map(({ counts }) => rowsIn(counts)))
  const step = niceStep(most / 4)
  const top = Math.ceil(most / step) * step
  const width = 100 / months.length
  const wide = Math.ceil(months.length / labelsMax.wide)
  // A multiple of `wide`, so that narrow pages show a subset of the same labels.
  const narrow = wide * Math.ceil(months.length / wide / labelsMax.narrow)
  const stacks = months.map(({ label, counts }, place) => {
    const middle = rounded((place + 0.5) * width)
    const text =
      place % wide === 0
        ? markup`<text class="${place % narrow === 0 ? 'quiet' : 'quiet minor'}" x="${middle}%" y="${columns.bottom + 18}" text-anchor="middle">${label}</text>`
        : nothing
    return markup`${stack(counts, top, place * width, width)}${text}`
  })
  const [first, last] = [months[0]?.label ?? '', months.at(-1)?.label ?? '']
  const span = months.length === 1 ? first : `${first} to ${last}`
  const label = `Rows by month and decision, ${span}; the table below has the numbers`
  return picture(label, columns.bottom + 26, [...gridLines(top, step), ...stacks])
}

/** `GO` is at the bottom, with held and blocked rows on top. */
function stack(counts: VerdictCounts, top: number, left: number, width: number): Markup {
  let y = columns.bottom
  const breadth = Math.min(width * 0.72, 9)
  const parts = byVerdict(counts).map(({ verdict, count }) => {
    if (count === 0) return nothing
    // A minimum height keeps a single row visible.
    const height = Math.max(1.5, (columns.height * count) / top)
    y -= height
    return markup`<rect class="${toneOf[verdict]}" x="${rounded(left + (width - breadth) / 2)}%" y="${rounded(y)}" width="${rounded(breadth)}%" height="${rounded(height)}"/>`
  })
  return markup`${parts}`
}

function gridLines(top: number, step: number): Markup[] {
  return Array.from({ length: top / step + 1 }, (_, place) => {
    const value = place * step
    const y = rounded(columns.bottom - (columns.height * value) / top)
    return markup`<line class="${value === 0 ? 'axis' : 'grid'}" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="quiet" x="-8" y="${y + 4}" text-anchor="end">${withThousands(value)}</text>`
  })
}

/** Rounds up to 1, 2, 5, 10, 20, 50 … */
function niceStep(least: number): number {
  let unit = 1
  while (unit * 10 < least) unit *= 10
  return [1, 2, 5, 10].map((times) => times * unit).find((step) => step >= least) ?? unit
}

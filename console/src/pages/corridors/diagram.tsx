/** A diagram of the corridors: countries on both sides, and a line per corridor whose width shows its traffic. */

import { Link } from 'wouter'
import { countryName, endsOf } from '../../countries.ts'
import { formatCount } from '../../format.ts'
import { healthStyles, type Health } from '../../health.tsx'
import { trafficOf, type Lane } from './traffic.ts'

/** More lines would be unreadable; the table lists every corridor. */
const lanesMax = 16
const rowPx = 72
const lineWidth = { minPx: 3, maxPx: 24 } as const

/** The line style repeats the colour: solid if operational, dashes if degraded, squares if impaired, dots if no data. */
const dashes: Readonly<Record<Health, (width: number) => string>> = {
  OPERATIONAL: () => 'none',
  DEGRADED: (width) => `${3 * width} ${width}`,
  IMPAIRED: (width) => `${width} ${width}`,
  NO_DATA: (width) => `0 ${1.8 * width}`,
}

/** The SVG attributes of a line. */
const lineAttributes = (health: Health, width: number) => ({
  className: `lane lane-${health.toLowerCase()}`,
  strokeWidth: width,
  strokeDasharray: dashes[health](width),
  ...(health === 'NO_DATA' && { strokeLinecap: 'round' as const }),
})

interface Side {
  readonly code: string
  readonly total: number
}

/** The countries of one side, most traffic first. */
function sideOf(lanes: readonly Lane[], end: 0 | 1): Side[] {
  const totals = new Map<string, number>()
  for (const lane of lanes) {
    const code = endsOf(lane.corridor)[end]
    totals.set(code, (totals.get(code) ?? 0) + trafficOf(lane))
  }
  return [...totals].map(([code, total]) => ({ code, total })).toSorted((a, b) => b.total - a.total)
}

function Country({ side: { code, total } }: { readonly side: Side }) {
  return (
    <li>
      <strong>{countryName(code)}</strong>
      <span className="small soft figures">{`${code} · ${formatCount(total)}`}</span>
    </li>
  )
}

interface Line {
  readonly lane: Lane
  readonly width: number
  readonly from: number
  readonly to: number
}

/** Lines that share a country are stacked there in the order of their other ends. */
function linesOf(lanes: readonly Lane[], sides: readonly [Side[], Side[]], height: number): Line[] {
  const maxTraffic = Math.max(1, ...lanes.map(trafficOf))
  const { minPx, maxPx } = lineWidth
  const widthOf = (lane: Lane): number => minPx + (trafficOf(lane) / maxTraffic) * (maxPx - minPx)
  const placeAt = (end: 0 | 1, lane: Lane): number =>
    sides[end].findIndex(({ code }) => code === endsOf(lane.corridor)[end])
  const yAt = (end: 0 | 1, lane: Lane): number => {
    const other = end === 0 ? 1 : 0
    const stacked = lanes
      .filter((one) => placeAt(end, one) === placeAt(end, lane))
      .toSorted((left, right) => placeAt(other, left) - placeAt(other, right))
    const before = stacked.slice(0, stacked.indexOf(lane))
    const sum = (of: readonly Lane[]): number => of.reduce((all, one) => all + widthOf(one) + 2, 0)
    const middle = ((placeAt(end, lane) + 0.5) * height) / sides[end].length
    return middle - sum(stacked) / 2 + sum(before) + widthOf(lane) / 2 + 1
  }
  return lanes.map((lane) => ({ lane, width: widthOf(lane), from: yAt(0, lane), to: yAt(1, lane) }))
}

/** A shortcut for the mouse. Keyboard and screen reader users have the links in the table. */
function LaneLine({ line: { lane, width, from, to } }: { readonly line: Line }) {
  const { corridor } = lane
  const health = lane.health ?? 'NO_DATA'
  return (
    <Link href={`/corridors/${corridor}`} tabIndex={-1}>
      <path d={`M0 ${from}C50 ${from} 50 ${to} 100 ${to}`} {...lineAttributes(health, width)} />
      <title>{`${corridor}: ${healthStyles[health].label}, ${formatCount(trafficOf(lane))} decisions`}</title>
    </Link>
  )
}

export function Diagram({ lanes: all }: { readonly lanes: readonly Lane[] }) {
  const lanes = all.slice(0, lanesMax)
  const froms = sideOf(lanes, 0)
  const tos = sideOf(lanes, 1)
  const height = Math.max(froms.length, tos.length) * rowPx
  return (
    <div className="diagram" aria-hidden="true" style={{ height }}>
      <ul>
        {froms.map((side) => (
          <Country key={side.code} side={side} />
        ))}
      </ul>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" height={height} width="100%">
        {linesOf(lanes, [froms, tos], height).map((line) => (
          <LaneLine key={line.lane.corridor} line={line} />
        ))}
      </svg>
      <ul>
        {tos.map((side) => (
          <Country key={side.code} side={side} />
        ))}
      </ul>
    </div>
  )
}

/** The line style of each health status. */
export function Legend({ lanes }: { readonly lanes: readonly Lane[] }) {
  const shown = (Object.keys(dashes) as Health[]).filter((health) =>
    lanes.some((lane) => lane.health === health),
  )
  return (
    <ul className="legend" aria-hidden="true">
      {shown.map((health) => (
        <li key={health}>
          <svg width="44" height="10" viewBox="0 0 44 10">
            <path d="M4 5H42" {...lineAttributes(health, 6)} />
          </svg>
          {healthStyles[health].label}
        </li>
      ))}
    </ul>
  )
}

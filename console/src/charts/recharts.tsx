/** All Recharts charts, in one lazily loaded chunk. Each `Figure` shows the same data as a table. */

import type { Decision } from '@fairway/client'
import { Bar, BarChart, CartesianGrid, Cell, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import type { ReactNode } from 'react'
import { formatCount, formatScore } from '../format.ts'
import { bandOf, type Bounds } from '../rules.ts'
import { toneOf, verdicts } from '../ui/verdict.tsx'

const fillOf = (decision: Decision): string => `var(--${toneOf[decision]})`

const axis = {
  stroke: 'var(--soft)',
  tick: { fill: 'var(--soft)', fontSize: 12 },
  tickLine: false,
  axisLine: { stroke: 'var(--line)' },
} as const

const tooltip = {
  contentStyle: {
    background: 'var(--card)',
    border: '1px solid var(--line)',
    borderRadius: 6,
    color: 'var(--ink)',
    fontSize: 13,
  },
  labelStyle: { color: 'var(--soft)' },
  itemStyle: { color: 'var(--ink)' },
  cursor: { fill: 'var(--accent)', fillOpacity: 0.08 },
  isAnimationActive: false,
} as const

/** The common base of the charts: counts by name. */
function Counts<Row extends { readonly name: string }>({
  rows,
  height,
  labelOf,
  ticks,
  tickOf = String,
  children,
}: {
  readonly rows: readonly Row[]
  readonly height: number
  /** The tooltip's title. */
  readonly labelOf: (row: Row) => string
  /** The names on the axis; by default as many as fit. */
  readonly ticks?: readonly string[]
  /** The axis label of a name. */
  readonly tickOf?: (name: string) => string
  readonly children: ReactNode
}) {
  return (
    <BarChart
      responsive
      style={{ width: '100%', height }}
      data={rows}
      margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="name"
        {...axis}
        minTickGap={16}
        tickFormatter={tickOf}
        {...(ticks === undefined ? { interval: 'preserveStartEnd' } : { ticks, interval: 0 })}
      />
      <YAxis {...axis} axisLine={false} width="auto" allowDecimals={false} tickFormatter={formatCount} />
      <Tooltip
        {...tooltip}
        separator=": "
        itemSorter={({ dataKey }) => verdicts.findIndex((verdict) => verdict === dataKey)}
        labelFormatter={(name, [first]) => (first === undefined ? name : labelOf(first.payload as Row))}
        formatter={(count, name) => [formatCount(Number(count)), name === 'count' ? 'Decisions' : name]}
      />
      {children}
    </BarChart>
  )
}

export interface ScoreBin {
  readonly from: number
  readonly to: number
  readonly count: number
}

export function ScoreHistogram({
  bins,
  bounds,
  height,
}: {
  readonly bins: readonly ScoreBin[]
  readonly bounds: Bounds
  readonly height: number
}) {
  const rows = bins.map((bin) => ({ ...bin, name: formatScore(bin.from) }))
  const edges = [bounds.degraded, bounds.go].map(formatScore)
  const ticks = [
    ...rows.slice(0, 1).map(({ name }) => name),
    ...edges,
    ...rows.slice(-1).map(({ name }) => name),
  ]
  const last = rows.at(-1)
  return (
    <Counts
      rows={rows}
      height={height}
      labelOf={({ name, to }) => `Score from ${name} to ${formatScore(to)}`}
      ticks={ticks}
      // A bar is named by its lower bound; the last tick shows the upper bound of the last bar.
      tickOf={(name) => (name === last?.name ? formatScore(last.to) : name)}
    >
      {edges.map((bound) => (
        <ReferenceLine key={bound} x={bound} stroke="var(--line-strong)" strokeDasharray="4 4" />
      ))}
      <Bar dataKey="count" isAnimationActive={false} radius={[3, 3, 0, 0]}>
        {rows.map(({ name, from }) => (
          <Cell key={name} fill={fillOf(bandOf(from, bounds))} />
        ))}
      </Bar>
    </Counts>
  )
}

export interface NamedCount {
  readonly name: string
  readonly count: number
}

/** Columns of one colour, one per name. */
export function CountColumns({
  rows,
  height,
}: {
  readonly rows: readonly NamedCount[]
  readonly height: number
}) {
  return (
    <Counts rows={rows} height={height} labelOf={({ name }) => name}>
      <Bar dataKey="count" fill="var(--accent)" isAnimationActive={false} radius={[3, 3, 0, 0]} />
    </Counts>
  )
}

export interface VerdictColumn extends Readonly<Record<Decision, number>> {
  readonly name: string
  /** The full name, for the tooltip. */
  readonly label: string
  /** A step that is not over yet is paler. */
  readonly isNow: boolean
}

/** Stacked columns: the decisions of each time step. */
export function VerdictColumns({
  rows,
  height,
  onPick,
}: {
  readonly rows: readonly VerdictColumn[]
  readonly height: number
  readonly onPick?: (place: number, decision: Decision) => void
}) {
  return (
    <Counts
      rows={rows}
      height={height}
      labelOf={({ label }) => label.charAt(0).toUpperCase() + label.slice(1)}
    >
      {verdicts.map((verdict) => (
        <Bar
          key={verdict}
          dataKey={verdict}
          stackId="verdicts"
          fill={fillOf(verdict)}
          maxBarSize={48}
          isAnimationActive={false}
          {...(onPick !== undefined && {
            cursor: 'pointer',
            onClick: (_bar: unknown, place: number) => onPick(place, verdict),
          })}
        >
          {rows.map(({ label, isNow }) => (
            <Cell key={label} fillOpacity={isNow ? 0.6 : 1} />
          ))}
        </Bar>
      ))}
    </Counts>
  )
}

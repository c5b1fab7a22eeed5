/** The drawings, all in one chunk that is fetched when the first of them is needed. Their frames tell the same in words. */

import type { Decision } from '@fairway/client'
import {
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { formatCount, formatScore } from '../format.ts'

const fillOf: Readonly<Record<Decision, string>> = {
  GO: 'var(--go)',
  DEGRADED: 'var(--degraded)',
  'NO-GO': 'var(--nogo)',
}

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
  cursor: { fill: 'var(--accent)', fillOpacity: 0.08 },
  isAnimationActive: false,
} as const

export interface ScoreBin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Where the bands begin, as the methodology tells it. */
export interface Bounds {
  readonly go: number
  readonly degraded: number
}

const bandOf = (score: number, { go, degraded }: Bounds): Decision =>
  score >= go ? 'GO' : score >= degraded ? 'DEGRADED' : 'NO-GO'

export function ScoreHistogram({
  bins,
  bounds,
  height,
}: {
  readonly bins: readonly ScoreBin[]
  readonly bounds: Bounds
  readonly height: number
}) {
  const data = bins.map((bin) => ({ ...bin, name: formatScore(bin.from) }))
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart data={data} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" {...axis} interval="preserveStartEnd" minTickGap={24} />
        <YAxis {...axis} axisLine={false} width={44} allowDecimals={false} tickFormatter={formatCount} />
        <Tooltip
          {...tooltip}
          labelFormatter={(name) => (typeof name === 'string' ? `Score from ${name}` : name)}
          formatter={(count) => [formatCount(Number(count)), 'Decisions']}
        />
        {[bounds.degraded, bounds.go].map(formatScore).map((bound) => (
          <ReferenceLine key={bound} x={bound} stroke="var(--line-strong)" strokeDasharray="4 4" />
        ))}
        <Bar dataKey="count" isAnimationActive={false} radius={[3, 3, 0, 0]}>
          {data.map(({ name, from }) => (
            <Cell key={name} fill={fillOf[bandOf(from, bounds)]} />
          ))}
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  )
}

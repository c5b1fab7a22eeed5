/** The time range of corridor traffic. It is part of the address, as on the overview. */

import type { VerificationsSummary } from '@fairway/client'
import { useAddress } from '../../address.ts'
import { useQuery, type Query } from '../../query.ts'
import { Segments } from '../../ui/field.tsx'
import { queryOf, type Range } from '../overview/filters.ts'

type Choice = Exclude<Range, 'custom'>

const choices: readonly (readonly [Choice, string])[] = [
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['30d', '30 d'],
  ['90d', '90 d'],
]
const initial: Choice = '30d'

function useRange(): readonly [Choice, (range: Choice) => void] {
  const [address, change] = useAddress()
  const current = choices.find(([range]) => range === address.get('range'))?.[0] ?? initial
  return [current, (range) => change({ range: range === initial ? null : range })]
}

export function RangeChoice() {
  const [range, setRange] = useRange()
  return <Segments label="Time range" options={choices} value={range} onChange={setRange} />
}

/** An empty corridor means all corridors. */
export function useTraffic(corridor: string): Query<VerificationsSummary> {
  const [range] = useRange()
  const filters = { range, from: '', to: '', corridor, mode: '' } as const
  return useQuery(
    ['traffic', range, corridor],
    (client) => client.verificationsSummary(queryOf(filters, Date.now())),
    { refreshMs: 30_000, keepPrevious: true },
  )
}

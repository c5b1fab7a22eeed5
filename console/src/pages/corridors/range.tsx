/** Which time the traffic of corridors is counted over; it lives in the address, named as on the overview. */

import type { VerificationsSummary } from '@fairway/client'
import { useAddress } from '../../address.ts'
import { useAsk, type Asked } from '../../ask.ts'
import { Segments } from '../../ui/field.tsx'
import { queryOf, type Range } from '../overview/filters.ts'

type Choice = Exclude<Range, 'custom'>

const choices: readonly (readonly [Choice, string])[] = [
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['30d', '30 d'],
  ['90d', '90 d'],
]
const opening: Choice = '30d'

function useRange(): readonly [Choice, (range: Choice) => void] {
  const [address, change] = useAddress()
  const known = choices.find(([range]) => range === address.get('range'))?.[0] ?? opening
  return [known, (range) => change({ range: range === opening ? null : range })]
}

export function RangeChoice() {
  const [range, setRange] = useRange()
  return <Segments label="Time" options={choices} value={range} onChange={setRange} />
}

/** An empty corridor is for all of them. */
export function useTraffic(corridor: string): Asked<VerificationsSummary> {
  const [range] = useRange()
  const filters = { range, from: '', to: '', corridor, mode: '' } as const
  return useAsk(
    ['traffic', range, corridor],
    (client) => client.verificationsSummary(queryOf(filters, Date.now())),
    { everyMs: 30_000, keepPrevious: true },
  )
}

/** The corridors that may be in cooldown now: those of the latest NO-GO decisions. */

import type { CorridorHealth } from '@fairway/client'
import { useQuery, type Query } from '../../query.ts'

const refreshMs = 10_000
/** No cooldown is longer. */
const windowMs = 24 * 3_600_000
const decisionsMax = 100
/** Each corridor costs a request. */
const corridorsMax = 8

/** The health of each, which says whether its cooldown is open. */
export function useCooledCorridors(): Query<CorridorHealth[]> {
  return useQuery(
    ['cooldowns'],
    async (client) => {
      const from = new Date(Date.now() - windowMs).toISOString()
      const { items } = await client.verifications({ decision: 'NO-GO', from, limit: decisionsMax }).page()
      const corridors = [...new Set(items.map(({ corridor }) => corridor))].slice(0, corridorsMax)
      return Promise.all(corridors.map((corridor) => client.corridorHealth(corridor)))
    },
    { refreshMs },
  )
}

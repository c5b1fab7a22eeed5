/** Partner ranking: each partner's own simulated world, judged by the one scorer. */

import type { Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import { decide, type Decision } from './decide.ts'
import { readingsThrough } from '../shadow/partners.ts'
import type { Policy } from './policy.ts'
import { simulate } from '../shadow/simulation.ts'

export interface RankingInput {
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  readonly partners: readonly string[]
  readonly policy: Policy
}

interface RankedPartner {
  readonly partner: string
  readonly decision: Decision
}

export interface Ranking {
  /** Best first. */
  readonly ranked: readonly RankedPartner[]
  /** Null where the best is a `NO-GO`, and where nothing is known of the corridor. */
  readonly recommended: string | null
}

/** By the published score, then by name: what a caller sees is enough to see why. */
export function rankPartners({ corridor, amount, currency, partners, policy }: RankingInput): Ranking {
  const calm = simulate({ corridor, amount, currency })
  const ranked = partners
    .map((partner) => {
      const readings = readingsThrough(partner, corridor, calm)
      return { partner, decision: decide({ corridor, amount, currency, readings, policy }) }
    })
    .toSorted(
      (left, right) =>
        right.decision.scoreHundredths - left.decision.scoreHundredths ||
        (left.partner < right.partner ? -1 : 1),
    )
  const [best] = ranked
  const fit = best !== undefined && best.decision.verdict !== 'NO-GO' && best.decision.evidence.supported
  return { ranked, recommended: fit ? best.partner : null }
}

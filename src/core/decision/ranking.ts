/** Ranks partners: simulates the readings of each and decides on them. */

import { isSupported, type Corridor } from '../reference/corridor.ts'
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
  /** Null when the best decision is `NO-GO` or the corridor is unsupported. */
  readonly recommended: string | null
}

/** Orders by the published score, then by name, so that callers can check the order. */
export function rankPartners({ corridor, amount, currency, partners, policy }: RankingInput): Ranking {
  const supported = isSupported(corridor)
  const calm = simulate({ corridor, amount, currency })
  const ranked = partners
    .map((partner) => {
      const readings = readingsThrough(partner, corridor, calm)
      return { partner, decision: decide({ corridor, supported, amount, currency, readings, policy }) }
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

/** Partners of the shadow world. Their names are plainly made up; each has its own network, liquidity and history. */

import { supportedCorridors, type Corridor } from '../reference/corridor.ts'
import { hash32 } from './hash.ts'
import { scoreOf, weigh } from '../decision/score.ts'
import { failureRiskThousandths, isFlagged, type Reading, type Readings } from '../decision/signals.ts'

export const simulatedPartners = ['sim-partner-alder', 'sim-partner-birch', 'sim-partner-cedar'] as const

/** What going through a partner costs: thousandths off two risk values, and failures of a thousand more. */
interface PartnerTraits {
  readonly network: number
  readonly liquidity: number
  readonly failuresPermille: number
}

function traitsOf(partner: string, corridor: Corridor): PartnerTraits {
  const taken = (trait: string, most: number): number =>
    hash32(`${partner}|${corridor}|${trait}`) % (most + 1)
  return {
    network: taken('network', 80),
    liquidity: taken('liquidity', 120),
    failuresPermille: taken('history', 20),
  }
}

/** Worked out once: the traits of our own partners on the corridors that we support. */
const knownTraits = new Map(
  supportedCorridors.map((corridor) => [
    corridor,
    simulatedPartners.map((partner) => ({ partner, traits: traitsOf(partner, corridor) })),
  ]),
)

/** The corridor's readings as this partner would see them: never better than the corridor itself. */
export function readingsThrough(partner: string, corridor: Corridor, readings: Readings): Readings {
  return worsened(readings, traitsOf(partner, corridor))
}

function worsened(readings: Readings, traits: PartnerTraits): Readings {
  const failureRatePermille = Math.min(1000, readings.failureRatePermille + traits.failuresPermille)
  return {
    ...readings,
    failureRatePermille,
    network_healthy: lowered(readings.network_healthy, traits.network),
    balance_sufficient: lowered(readings.balance_sufficient, traits.liquidity),
    historical_failure_rate: {
      riskThousandths: failureRiskThousandths(failureRatePermille),
      confidencePercent: readings.historical_failure_rate.confidencePercent,
    },
  }
}

function lowered(reading: Reading, byThousandths: number): Reading {
  return {
    riskThousandths: Math.max(0, reading.riskThousandths - byThousandths),
    confidencePercent: reading.confidencePercent,
  }
}

/** The highest-scored of our own partners, ties to the first by name, as in a ranking; null where there is none. */
export function bestPartner(corridor: Corridor, readings: Readings): string | null {
  let best: string | null = null
  let bestHundredths = -1
  for (const { partner, traits } of knownTraits.get(corridor) ?? []) {
    const seen = worsened(readings, traits)
    const { hundredths } = scoreOf(weigh(seen, (signal) => isFlagged(signal, seen)))
    if (hundredths > bestHundredths) {
      best = partner
      bestHundredths = hundredths
    }
  }
  return best
}

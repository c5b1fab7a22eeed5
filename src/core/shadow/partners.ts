/** Simulated partners: invented names, each with its own network, liquidity and history. */

import { supportedCorridors, type Corridor } from '../reference/corridor.ts'
import { hash32 } from './hash.ts'
import { scoreOf, factorsOf } from '../decision/score.ts'
import { failureRiskThousandths, isFlagged, type Reading, type Readings } from '../decision/signals.ts'

export const simulatedPartners = ['sim-partner-alder', 'sim-partner-birch', 'sim-partner-cedar'] as const

/** The effect of a partner: thousandths subtracted from two risk values, and added failures per thousand. */
interface PartnerTraits {
  readonly network: number
  readonly liquidity: number
  readonly failuresPermille: number
}

function traitsOf(partner: string, corridor: Corridor): PartnerTraits {
  const trait = (name: string, max: number): number => hash32(`${partner}|${corridor}|${name}`) % (max + 1)
  return {
    network: trait('network', 80),
    liquidity: trait('liquidity', 120),
    failuresPermille: trait('history', 20),
  }
}

/** Precomputed traits of the simulated partners on supported corridors. */
const simulatedTraits = new Map(
  supportedCorridors.map((corridor) => [
    corridor,
    simulatedPartners.map((partner) => ({ partner, traits: traitsOf(partner, corridor) })),
  ]),
)

/** The corridor's readings through this partner; never better than those of the corridor. */
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
      healthThousandths: failureRiskThousandths(failureRatePermille),
      confidencePercent: readings.historical_failure_rate.confidencePercent,
    },
  }
}

function lowered(reading: Reading, byThousandths: number): Reading {
  return {
    healthThousandths: Math.max(0, reading.healthThousandths - byThousandths),
    confidencePercent: reading.confidencePercent,
  }
}

/** The simulated partner with the highest score, ties by name as in a ranking; null if there is none. */
export function bestPartner(corridor: Corridor, readings: Readings): string | null {
  let best: string | null = null
  let bestHundredths = -1
  for (const { partner, traits } of simulatedTraits.get(corridor) ?? []) {
    const own = worsened(readings, traits)
    const { hundredths } = scoreOf(factorsOf(own, (signal) => isFlagged(signal, own)))
    if (hundredths > bestHundredths) {
      best = partner
      bestHundredths = hundredths
    }
  }
  return best
}

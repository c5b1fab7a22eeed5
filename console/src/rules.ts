/** The rules that the server publishes: weights, bands, caps, corridors. They change with a release, so they are asked for once. */

import type { Decision, Explanation, Methodology } from '@fairway/client'
import { useOpenAsk, type Asked } from './ask.ts'

export function useRules(): Asked<Methodology> {
  return useOpenAsk(['methodology'], (client) => client.methodology())
}

/** Where the bands begin. */
export interface Bounds {
  readonly go: number
  readonly degraded: number
}

/** By the rules of today, or by those of when a decision was made. */
export function boundsOf({ bands }: Pick<Methodology, 'bands'> | Pick<Explanation, 'bands'>): Bounds {
  const from = (decision: Decision): number =>
    bands.find((band) => band.decision === decision)?.score_from ?? 0
  return { go: from('GO'), degraded: from('DEGRADED') }
}

/** What a score alone stands for. */
export function bandOf(score: number, { go, degraded }: Bounds): Decision {
  return score >= go ? 'GO' : score >= degraded ? 'DEGRADED' : 'NO-GO'
}

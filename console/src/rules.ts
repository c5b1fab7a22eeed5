/** The published rules: weights, bands, caps and corridors. Loaded once, since they change only with a release. */

import type { Decision, Explanation, Methodology } from '@fairway/client'
import { usePublicQuery, type Query } from './query.ts'

export function useRules(): Query<Methodology> {
  return usePublicQuery(['methodology'], (client) => client.methodology())
}

/** The lowest score of each band. */
export interface Bounds {
  readonly go: number
  readonly degraded: number
}

/** Reads the current rules, or those in force when a decision was made. */
export function boundsOf({ bands }: Pick<Methodology, 'bands'> | Pick<Explanation, 'bands'>): Bounds {
  const from = (decision: Decision): number =>
    bands.find((band) => band.decision === decision)?.score_from ?? 0
  return { go: from('GO'), degraded: from('DEGRADED') }
}

/** The decision by score alone. */
export function bandOf(score: number, { go, degraded }: Bounds): Decision {
  return score >= go ? 'GO' : score >= degraded ? 'DEGRADED' : 'NO-GO'
}

/** The rules that the server publishes: weights, bands, caps, corridors. They change with a release, so they are asked for once. */

import type { Methodology } from '@fairway/client'
import { useOpenAsk, type Asked } from './ask.ts'

export function useRules(): Asked<Methodology> {
  return useOpenAsk(['methodology'], (client) => client.methodology())
}

/** Where the bands begin. */
export function boundsOf(rules: Methodology): { readonly go: number; readonly degraded: number } {
  const from = (decision: string): number =>
    rules.bands.find((band) => band.decision === decision)?.score_from ?? 0
  return { go: from('GO'), degraded: from('DEGRADED') }
}

/** Flips: decisions that differ under a policy, by the decision before and after. */

import type { Decision, PolicyReport } from '@fairway/client'

export const verdicts: readonly Decision[] = ['GO', 'DEGRADED', 'NO-GO']

export type Sample = PolicyReport['samples'][number]

/** The member of a report's flips, like `GO>DEGRADED`. */
export const flipOf = (from: string, to: string): string => `${from}>${to}`

export const flipText = (flip: string): string => flip.replace('>', ' to ')

export const isStricter = (from: Decision, to: Decision): boolean =>
  verdicts.indexOf(to) > verdicts.indexOf(from)

export const flipCount = (flips: PolicyReport['flips']): number =>
  Object.values(flips).reduce((sum, count) => sum + count, 0)

/** Those that were GO, and would not be. */
export const newlyStoppedCount = ({ flips }: Pick<PolicyReport, 'flips'>): number =>
  (flips['GO>DEGRADED'] ?? 0) + (flips['GO>NO-GO'] ?? 0)

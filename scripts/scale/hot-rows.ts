/** How fast one owner can be, by the rows that all of its decisions change. */

import { rollupShards } from '../../src/adapters/store/records/rollups.ts'
import { assumptions } from './model.ts'
import { everyday, type Figures } from './figures.ts'

/** A transaction holds its rollup rows from its last statements to the end of its flush, for which it waits half of another. */
function heldMs({ costs }: Figures): number {
  return assumptions.roundTripMs + 1.5 * costs[everyday].walFlushMs
}

/** Decisions a second of one owner on one corridor, where so many of its decisions share a transaction. */
export function rollupCeiling(figures: Figures, decisionsPerTransaction: number): number {
  return (rollupShards * decisionsPerTransaction * 1000) / heldMs(figures)
}

/** The maximum rate of one owner, limited by the rollup rows that all its decisions update. */

import { rollupShards } from '../../src/adapters/store/records/rollups.ts'
import { assumptions } from './model.ts'
import { everyday, type Figures } from './figures.ts'

/** A transaction locks its rollup rows until its flush ends; on average it first waits for half of another flush. */
function heldMs({ costs }: Figures): number {
  return assumptions.roundTripMs + 1.5 * costs[everyday].walFlushMs
}

/** Decisions per second of one owner on one corridor, for a number of decisions per transaction. */
export function rollupCeiling(figures: Figures, decisionsPerTransaction: number): number {
  return (rollupShards * decisionsPerTransaction * 1000) / heldMs(figures)
}

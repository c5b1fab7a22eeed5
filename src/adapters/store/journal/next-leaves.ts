/** Reads the next entries for a follower whose handler runs outside the store. */

import type { LogLeaf } from '../../../app/ports/log.ts'
import { query, type Script } from '../engine/script.ts'
import { fromSql, leavesOf } from '../log/log-blocks.ts'

/** Blocks per run. Under load a block holds up to 96 entries. */
const blocksMax = 8

interface NextLeaves {
  /** The follower's position, and the number of entries that have a number. */
  readonly from: number
  readonly sequenced: number
  readonly leaves: readonly LogLeaf[]
}

/** The position by itself, first: another instance may move it between two statements. */
export function* nextLeaves(name: string, positionSql: string): Script<NextLeaves> {
  const [position] = yield* query(positionSql)
  const from = Number(position?.['position'])
  const [heads = [], blocks = []] = yield [
    { sql: 'SELECT sequenced FROM log_head', values: [] },
    { sql: `${fromSql('$1')} ORDER BY first_leaf LIMIT $2`, values: [from, blocksMax] },
  ]
  const leaves = blocks.flatMap(leavesOf).filter(({ index }) => index >= from)
  // A gap must stop the follower: it would never come back to what it skipped.
  const gap = leaves.findIndex(({ index }, place) => index !== from + place)
  if (gap !== -1) throw new Error(`followers: ${name} cannot pass entry ${from + gap}: it is missing`)
  return { from, sequenced: Number(heads[0]?.['sequenced']), leaves }
}

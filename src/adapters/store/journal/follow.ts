/**
 * Runs a follower: its handler turns the next entries into statements, which are committed together with its new
 * position. So every entry takes effect exactly once, whatever is killed.
 */

import type { LogLeaf } from '../../../app/ports/log.ts'
import type { Followed, ProjectionName } from '../../../app/ports/journal.ts'
import { fromSql, leavesOf } from '../log/log-blocks.ts'
import { countCalibration } from '../calibration/count.ts'
import { last, type Script } from '../engine/script.ts'
import { listEvents } from '../events/list-events.ts'
import { announce } from '../outbox/announce.ts'
import type { RecentRecords } from '../records/recent-records.ts'
import { countTotals } from '../records/totals.ts'
import type { Effect } from './effect.ts'

type Handler = (leaves: readonly LogLeaf[], recent: RecentRecords) => Script<Effect>

interface Projection {
  readonly handler: Handler
  /** The table with its position, and the row. */
  readonly table: string
  readonly row: string
}

const projections: Readonly<Record<ProjectionName, Projection>> = {
  totals: { handler: countTotals, table: 'followers', row: "name = 'totals'" },
  webhooks: { handler: announce, table: 'followers', row: "name = 'webhooks'" },
  events: { handler: listEvents, table: 'events_follower', row: 'follower = 1' },
  calibration: { handler: countCalibration, table: 'calibration_follower', row: 'follower = 1' },
}

/** Blocks per batch. Under load a block holds up to 96 entries. */
const blocksMax = 32

/** Locks the position first, so that a second instance waits and then starts after these entries. */
export function* follow(name: ProjectionName, recent: RecentRecords): Script<Followed> {
  const { handler, table, row } = projections[name]
  const positionSql = `SELECT position FROM ${table} WHERE ${row}`
  const [positions = [], blocks = []] = yield [
    { sql: `${positionSql} FOR UPDATE`, values: [] },
    { sql: `${fromSql(`(${positionSql})`)} ORDER BY first_leaf LIMIT $1`, values: [blocksMax] },
  ]
  const position = Number(positions[0]?.['position'])
  if (!Number.isSafeInteger(position)) throw new Error(`followers: ${name} has no position`)
  const leaves = blocks.flatMap(leavesOf).filter(({ index }) => index >= position)
  // A gap must stop the follower: it would never come back to what it skipped.
  const gap = leaves.findIndex(({ index }, place) => index !== position + place)
  if (gap !== -1) throw new Error(`followers: ${name} cannot pass entry ${position + gap}: it is missing`)
  const end = leaves.at(-1)
  if (end === undefined) return { position, webhookIds: [], isIdle: false }
  const { statements, webhooksOf, isIdle = false } = yield* handler(leaves, recent)
  const next = end.index + 1
  const groups = yield last([
    ...statements,
    { sql: `UPDATE ${table} SET position = $1 WHERE ${row}`, values: [next] },
  ])
  const webhookIds = webhooksOf?.(groups.slice(0, statements.length)) ?? []
  return { position: next, webhookIds, isIdle }
}

/** SQL of the follower `stream`: lists events of all owners for publishing, and holds the follower's position. */

import type { EventRow, EventRows, StreamPlace, StreamProgress } from '../../../app/ports/events.ts'
import { query, type Row, type Script } from '../engine/script.ts'

/** Rows per read. Under load a row has up to 96 events, otherwise one. */
const rowsMax = 64

const progressSql = `SELECT position, (SELECT position FROM events_follower WHERE follower = 1) AS listed
  FROM stream_follower WHERE follower = 1`
const rowsSql = `SELECT owner_id, last_leaf, entries FROM owner_events
  WHERE last_leaf >= $1 AND last_leaf < $2 AND (last_leaf > $1 OR owner_id > $3)
  ORDER BY last_leaf, owner_id LIMIT $4`
const ownerRowsSql = `SELECT owner_id, last_leaf, entries FROM owner_events
  WHERE owner_id = $1 AND last_leaf >= $2 AND last_leaf < $3 ORDER BY last_leaf LIMIT $4`
/** One owner after another: each step is one look into the index. */
const nextOwnerSql = 'SELECT MIN(owner_id) AS owner_id FROM owner_events WHERE owner_id > $1'

export function* progress(): Script<StreamProgress> {
  const [row] = yield* query(progressSql)
  return { position: Number(row?.['position']), listed: Number(row?.['listed']) }
}

export function* rows(after: StreamPlace, before: number): Script<EventRows> {
  return found(yield* query(rowsSql, [after.leaf, before, after.ownerId, rowsMax]))
}

export function* ownerRows(ownerId: string, from: number, before: number): Script<EventRows> {
  return found(yield* query(ownerRowsSql, [ownerId, from, before, rowsMax]))
}

export function* nextOwner(afterId: string): Script<string | null> {
  const [row] = yield* query(nextOwnerSql, [afterId])
  const ownerId = row?.['owner_id'] ?? null
  return ownerId === null ? null : String(ownerId)
}

/** False if another instance has moved it. */
export function* published(from: number, to: number): Script<boolean> {
  const moved = yield* query(
    'UPDATE stream_follower SET position = $1 WHERE follower = 1 AND position = $2 RETURNING position',
    [to, from],
  )
  return moved.length > 0
}

const found = (listed: readonly Row[]): EventRows => ({
  rows: listed.map(rowOf),
  isLast: listed.length < rowsMax,
})

function rowOf(row: Row): EventRow {
  return {
    ownerId: String(row['owner_id']),
    lastLeaf: Number(row['last_leaf']),
    entryIds: String(row['entries']).split(' '),
  }
}

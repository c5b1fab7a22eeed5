/** Reads how far the sequencer and the followers are, and holds the lease of the instance that runs them. */

import type { FollowerPosition, JournalState, Lease } from '../../../app/ports/journal.ts'
import { leavesOf } from '../log/log-blocks.ts'
import { query, type Script } from '../engine/script.ts'
import { entriesOf, linesSql } from './queue.ts'

/** Sealing has its position in the head; newer followers have theirs in tables of their own. */
const positionsSql = `SELECT name, position FROM followers
  UNION ALL SELECT 'policies', position FROM policy_follower
  UNION ALL SELECT 'calibration', position FROM calibration_follower
  UNION ALL SELECT 'events', position FROM events_follower
  UNION ALL SELECT 'stream', position FROM stream_follower
  UNION ALL SELECT 'reviews', position FROM review_follower
  UNION ALL SELECT 'log', tree_size FROM log_head ORDER BY name`
const queueSql = 'SELECT entries FROM journal_queue ORDER BY number LIMIT 1'
const queuedSql = `SELECT COALESCE(SUM(${linesSql}), 0) AS count FROM (
  SELECT entries FROM journal_queue LIMIT 1000) AS queued`
const headSql = `SELECT sequenced, (SELECT COUNT(*) FROM log_backlog WHERE after_id < until_id) AS backlogs FROM log_head`

/** Positions first: what is appended meanwhile can only make the lag look larger. */
export function* state(): Script<JournalState> {
  const [positions = [], queue = [], heads = []] = yield [
    { sql: positionsSql, values: [] },
    { sql: queueSql, values: [] },
    { sql: headSql, values: [] },
  ]
  const [oldest] = queue
  return {
    sequenced: Number(heads[0]?.['sequenced'] ?? 0),
    hasBacklog: Number(heads[0]?.['backlogs'] ?? 0) > 0,
    oldestQueuedId: oldest === undefined ? null : (entriesOf(String(oldest['entries']))[0]?.subjectId ?? ''),
    positions: positions.map((row) => ({
      name: row['name'] as FollowerPosition['name'],
      position: Number(row['position']),
    })),
  }
}

export function* countQueued(): Script<number> {
  const [row] = yield* query(queuedSql, ['\n'])
  return Number(row?.['count'] ?? 0)
}

const blockSql = `SELECT first_leaf, entries FROM log_blocks
  WHERE first_leaf = (SELECT MAX(first_leaf) FROM log_blocks WHERE first_leaf <= $1)`

/** The ids of these leaves; null for those that do not exist. */
export function* subjectIds(indexes: readonly number[]): Script<(string | null)[]> {
  if (indexes.length === 0) return []
  const groups = yield indexes.map((index) => ({ sql: blockSql, values: [index] }))
  return indexes.map((wanted, place) => {
    const leaves = (groups[place] ?? []).flatMap(leavesOf)
    return leaves.find(({ index }) => index === wanted)?.subjectId ?? null
  })
}

export function* lease(): Script<Lease> {
  const [row] = yield* query('SELECT holder, beat FROM journal_lease')
  return { holder: String(row?.['holder'] ?? ''), beat: Number(row?.['beat'] ?? 0) }
}

/** False if the lease has changed since it was read. */
export function* replaceLease(seen: Lease, next: Lease): Script<boolean> {
  const rows = yield* query(
    'UPDATE journal_lease SET holder = $1, beat = $2 WHERE holder = $3 AND beat = $4 RETURNING beat',
    [next.holder, next.beat, seen.holder, seen.beat],
  )
  return rows.length > 0
}

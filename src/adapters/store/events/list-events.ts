/** The follower `events`: lists the entries that are events by their owner, many in a row. */

import type { LogLeaf } from '../../../app/ports/log.ts'
import { isRequestId } from '../../../core/identity/request-id.ts'
import type { Effect } from '../journal/effect.ts'
import { inRuns, parameterList, placeholders, sqlForRows, type Row, type Script } from '../engine/script.ts'
import { isLiveKeySql, listed, reviewEventKinds } from './kinds.ts'
import type { RecentRecords } from '../records/recent-records.ts'

/** So many entries in a row: it then fits in a PostgreSQL page. */
const entriesMax = 96

const ownedSql = (table: string, id: string, more = '') =>
  sqlForRows(
    (rows) =>
      `SELECT ${id} AS entry_id, owner_id FROM ${table} WHERE ${id} IN (${parameterList(rows)})${more}`,
  )

/** The owners of each entry that is an event. Corridors belong to nobody: their events are of all that have a live key. */
const sources: readonly { readonly isOf: (id: string) => boolean; readonly sql: (rows: number) => string }[] =
  [
    { isOf: isRequestId, sql: ownedSql('verifications', 'request_id') },
    { isOf: (id) => id.startsWith('ovr_'), sql: ownedSql('overrides', 'override_id') },
    {
      isOf: (id) => id.startsWith('rvc_'),
      sql: ownedSql(
        'review_changes',
        'change_id',
        ` AND kind IN (${listed(Object.values(reviewEventKinds).flat())})`,
      ),
    },
    {
      isOf: (id) => id.startsWith('act_'),
      sql: sqlForRows(
        (
          rows,
        ) => `SELECT DISTINCT r.act_id AS entry_id, k.owner_id FROM acts r JOIN api_keys k ON ${isLiveKeySql}
        WHERE r.act_id IN (${parameterList(rows)}) AND r.kind = 'corridor.status_changed'`,
      ),
    },
  ]

const insertSql = sqlForRows(
  (rows) => `INSERT INTO owner_events (owner_id, last_leaf, entries) VALUES ${placeholders(rows, 3)}`,
)

export function* listEvents(leaves: readonly LogLeaf[], recent: RecentRecords): Script<Effect> {
  const owners = yield* ownersOf(leaves, recent)
  const lists = new Map<string, LogLeaf[]>()
  for (const leaf of leaves) {
    for (const ownerId of owners.get(leaf.subjectId) ?? []) {
      const list = lists.get(ownerId)
      if (list === undefined) lists.set(ownerId, [leaf])
      else list.push(leaf)
    }
  }
  const rows = [...lists].flatMap(([ownerId, list]) =>
    inPieces(list).map((piece) => [
      ownerId,
      piece.at(-1)?.index ?? 0,
      piece.map(({ subjectId }) => subjectId).join(' '),
    ]),
  )
  return { statements: inRuns(rows).map((run) => ({ sql: insertSql(run.length), values: run.flat() })) }
}

function* ownersOf(
  leaves: readonly LogLeaf[],
  recent: RecentRecords,
): Script<ReadonlyMap<string, readonly string[]>> {
  const owners = new Map<string, string[]>()
  const others: string[] = []
  for (const { subjectId } of leaves) {
    const known = recent.find(subjectId)
    if (known === null) others.push(subjectId)
    else owners.set(subjectId, [known.ownerId])
  }
  const statements = sources.flatMap(({ isOf, sql }) =>
    inRuns(others.filter(isOf)).map((run) => ({ sql: sql(run.length), values: run })),
  )
  const rows: Row[] = statements.length === 0 ? [] : (yield statements).flat()
  for (const row of rows) {
    const entryId = String(row['entry_id'])
    owners.set(entryId, [...(owners.get(entryId) ?? []), String(row['owner_id'])])
  }
  return owners
}

function inPieces(list: readonly LogLeaf[]): LogLeaf[][] {
  const pieces: LogLeaf[][] = []
  for (let from = 0; from < list.length; from += entriesMax) pieces.push(list.slice(from, from + entriesMax))
  return pieces
}

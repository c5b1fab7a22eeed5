/** Reads an owner's events in the order of the log, after the one that the owner has seen last. */

import type { EventPage } from '../../../app/ports/events.ts'
import { entryIdsOf, type EventId } from '../../../core/events/event.ts'
import { inRuns, placeholders, query, sqlForRows, type Row, type Script } from '../engine/script.ts'
import { findLeaves } from '../log/log-blocks.ts'
import { readStreamed } from './subjects.ts'

/** Rows of the first read, and of each further one: under load a row has many events, otherwise one. */
const rowsOfFirstRead = 16
const rowsPerRead = 256

const pageSql = `SELECT last_leaf, entries FROM owner_events WHERE owner_id = $1 AND last_leaf >= $2
  ORDER BY last_leaf LIMIT $3`

const entriesOf = (row: Row): string[] => String(row['entries']).split(' ')

export function* page(ownerId: string, after: EventId | null, limit: number): Script<EventPage | null> {
  const place = after === null ? { entryId: null, leaf: 0 } : yield* placeOf(after)
  if (place === null) return null
  let from = place.leaf
  let leaf = -1
  let entries: string[] = []
  for (let rowsMax = rowsOfFirstRead; entries.length < limit; rowsMax = rowsPerRead) {
    const rows: readonly Row[] = yield* query(pageSql, [ownerId, from, rowsMax])
    const found = rows.flatMap(entriesOf)
    // The first row is the one of the event that was seen last, or the event is none of theirs.
    if (leaf === -1 && place.entryId !== null) {
      const seen = found.indexOf(place.entryId)
      if (seen === -1) return null
      entries = found.slice(seen + 1)
    } else entries.push(...found)
    leaf = Number(rows.at(-1)?.['last_leaf'] ?? leaf)
    from = leaf + 1
    if (rows.length < rowsMax) break
  }
  const chosen = entries.slice(0, limit)
  const subjects = yield* readStreamed(chosen)
  return {
    events: chosen.map((entryId) => ({ entryId, subject: subjects.get(entryId) ?? null })),
    leaf,
  }
}

/** The entry with this event, and its number; null if the log has none. */
function* placeOf(eventId: EventId): Script<{ readonly entryId: string; readonly leaf: number } | null> {
  const leaves = yield* findLeaves(entryIdsOf(eventId))
  const leaf = leaves.find((one) => one !== null)
  return leaf === undefined || leaf === null ? null : { entryId: leaf.subjectId, leaf: leaf.index }
}

const newestSql = sqlForRows(
  (rows) => `WITH owners (owner_id) AS (VALUES ${placeholders(rows, 1)})
    SELECT o.owner_id, (SELECT MAX(e.last_leaf) FROM owner_events e WHERE e.owner_id = o.owner_id) AS last_leaf
    FROM owners o`,
)

export function* newest(ownerIds: readonly string[]): Script<ReadonlyMap<string, number>> {
  const groups = yield inRuns(ownerIds).map((run) => ({ sql: newestSql(run.length), values: run }))
  return new Map(groups.flat().map((row) => [String(row['owner_id']), Number(row['last_leaf'] ?? -1)]))
}

/** Appends records, with all that is written in the same transaction. */

import type { CommitCommand, Verification } from '../../../app/ports/records.ts'
import { inRuns, last, placeholders, sqlForRows, type Script, type Statement } from '../engine/script.ts'
import { waitStatements } from '../log/log-waiting.ts'
import { announceStatement, webhooksOf, type Announcement } from '../outbox/announcements.ts'
import { blockStatements } from './cooldowns.ts'
import { keyStatements } from './idempotency.ts'
import { liveScoreStatements } from './live-scores.ts'
import { recordColumns, valuesOf } from './record-rows.ts'
import { rollupStatements } from './rollups.ts'
import { usageStatements } from './usage.ts'

/** The shards of `verification_counts`, as the first migration made them. */
export const countShards = 32

/** Where a batch counts, so that batches at once rarely meet on one row. */
export interface Shards {
  readonly counts: number
  readonly rollups: number
}

/**
 * Writes records with their keys, blocks and events; says for which endpoints there are events. The unique key decides who
 * is first: where one of these is taken, nothing is written at all.
 */
export function* commit(
  commands: readonly CommitCommand[],
  shards: Shards,
  hashOf: (record: Verification) => string | null,
): Script<string[]> {
  const statements: Statement[] = [
    ...keyStatements(commands),
    ...inRuns(commands).map(insertStatement),
    ...blockStatements(commands),
  ]
  const sql = 'UPDATE verification_counts SET total = total + $1 WHERE shard = $2'
  statements.push({ sql, values: [commands.length, shards.counts] })
  statements.push(...usageStatements(commands, shards.counts))
  statements.push(...liveScoreStatements(commands.map(({ record }) => record)))
  statements.push(
    ...waitStatements(
      commands.map(({ record }) => ({ subjectId: record.requestId, leafHash: hashOf(record) })),
    ),
  )
  const announcements = inRuns(commands.map(announcementOf)).map((run) =>
    announceStatement('payment.decision.created', run),
  )
  // Last, so that the rows which every batch wants are held for as short as can be.
  const rollups = rollupStatements(commands, shards.rollups)
  const groups = yield last([...statements, ...announcements, ...rollups])
  return webhooksOf(groups.slice(statements.length, statements.length + announcements.length).flat())
}

function announcementOf({ record }: CommitCommand): Announcement {
  const { ownerId, requestId, recordedAtMs } = record
  return { ownerId, requestId, subjectId: requestId, createdAtMs: recordedAtMs }
}

const insertSql = sqlForRows(
  (rows) => `INSERT INTO verifications (${recordColumns.join(', ')})
    VALUES ${placeholders(rows, recordColumns.length)}`,
)

function insertStatement(run: readonly CommitCommand[]): Statement {
  return { sql: insertSql(run.length), values: run.flatMap(({ record }) => valuesOf(record)) }
}

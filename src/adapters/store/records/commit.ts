/** Appends records, and everything written in the same transaction. */

import type { CommitCommand, Verification } from '../../../app/ports/records.ts'
import { inRuns, last, placeholders, sqlForRows, type Script, type Statement } from '../engine/script.ts'
import { waitingStatements } from '../log/log-waiting.ts'
import { announceStatement, webhooksOf, type Announcement } from '../outbox/announcements.ts'
import { blockStatements } from './cooldowns.ts'
import { keyStatements } from './idempotency.ts'
import { liveScoreStatements } from './live-scores.ts'
import { recordColumns, valuesOf } from './record-rows.ts'
import { rollupStatements } from './rollups.ts'
import { usageStatements } from './usage.ts'

/** The shards of `verification_counts`, as created by the first migration. */
export const countShards = 32

/** The counter rows of a batch, chosen so that concurrent batches rarely share one. */
export interface Shards {
  readonly counts: number
  readonly rollups: number
}

/**
 * Writes records with their idempotency keys, blocks and events, and returns the endpoints that have new events. If any
 * idempotency key is taken, nothing is written.
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
    ...waitingStatements(
      commands.map(({ record }) => ({ subjectId: record.requestId, leafHash: hashOf(record) })),
    ),
  )
  const announcements = inRuns(commands.map(announcementOf)).map((run) =>
    announceStatement('payment.decision.created', run),
  )
  // Last, so that the rows that every batch updates are locked as briefly as possible.
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

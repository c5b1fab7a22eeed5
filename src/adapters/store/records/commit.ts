/** Appends records with what their answers depend on: idempotency keys, cooldowns, and the entry in the journal. */

import type { CommitCommand, Verification } from '../../../app/ports/records.ts'
import { inRuns, last, placeholders, sqlForRows, type Script, type Statement } from '../engine/script.ts'
import { queueStatement } from '../journal/queue.ts'
import { blockStatements } from './cooldowns.ts'
import { keyStatements } from './idempotency.ts'
import { textStatements } from './personal-texts.ts'
import { correlationTexts, valuesOf, writtenColumns } from './record-rows.ts'

/** If any idempotency key is taken, nothing is written. */
export function* commit(
  commands: readonly CommitCommand[],
  hashOf: (record: Verification) => string,
): Script<void> {
  yield last(commitStatements(commands, hashOf))
}

export function commitStatements(
  commands: readonly CommitCommand[],
  hashOf: (record: Verification) => string,
): Statement[] {
  const entries = commands.map(({ record }) => ({ subjectId: record.requestId, leafHash: hashOf(record) }))
  return [
    ...keyStatements(commands),
    ...inRuns(commands).map(insertStatement),
    ...textStatements(correlationTexts(commands.map(({ record }) => record))),
    ...blockStatements(commands),
    queueStatement(entries, commands.length),
  ]
}

/** Writes everything that a commit writes, and takes it back. */
export function* tryCommit(command: CommitCommand, hashOf: (record: Verification) => string): Script<void> {
  yield [
    { sql: 'SAVEPOINT trial', values: [] },
    ...commitStatements([command], hashOf),
    { sql: 'ROLLBACK TO SAVEPOINT trial', values: [] },
  ]
}

/** Counted by a follower. */
const countedColumns = ['reason_codes', 'latency_us']
export const columns = [...writtenColumns, ...countedColumns]

const insertSql = sqlForRows(
  (rows) => `INSERT INTO verifications (${columns.join(', ')}) VALUES ${placeholders(rows, columns.length)}`,
)

function insertStatement(run: readonly CommitCommand[]): Statement {
  const values = run.flatMap(({ record, rollup }) => [
    ...valuesOf(record),
    rollup.reasonCodes.join(' '),
    rollup.latencyUs,
  ])
  return { sql: insertSql(run.length), values }
}

/** What a transaction hands to the log: written with what it records, so that nothing is recorded and not sealed. */

import type { CommitCommand, LogEntry } from '../../app/ports.ts'
import type { Statement } from './script.ts'

/** One row for all that a transaction records: it is cheap to write, and in one piece until it is sealed. */
export function waitStatement(entries: readonly LogEntry[]): Statement {
  return { sql: 'INSERT INTO log_waiting (entries) VALUES ($1)', values: [textOf(entries)] }
}

/** Of records that are written together. */
export function waitStatements(commands: readonly CommitCommand[]): Statement[] {
  const entries = commands.flatMap(({ record, leafHash }) =>
    leafHash === null ? [] : [{ subjectId: record.requestId, leafHash }],
  )
  return entries.length === 0 ? [] : [waitStatement(entries)]
}

/** A line each. */
export function textOf(entries: readonly LogEntry[]): string {
  return entries.map(({ subjectId, leafHash }) => `${subjectId} ${leafHash}`).join('\n')
}

export function entriesOf(text: string): LogEntry[] {
  return text.split('\n').map((line) => {
    const space = line.indexOf(' ')
    return { subjectId: line.slice(0, space), leafHash: line.slice(space + 1) }
  })
}

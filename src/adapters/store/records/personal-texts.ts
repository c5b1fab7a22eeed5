/** SQL of personal texts, which are kept apart from records and overrides so that they can be erased. */

import type { PersonalText, StoredForm } from '../../../app/ports/records.ts'
import { inRuns, placeholders, sqlForRows, type Row, type Statement } from '../engine/script.ts'

/** A text to be written. A record's also has the columns that history is filtered by. */
export interface NewText {
  readonly subjectId: string
  readonly ownerId: string
  readonly salt: string
  readonly text: string
  readonly decision: string | null
  readonly corridor: string | null
}

const insertSql = sqlForRows(
  (rows) => `INSERT INTO personal_texts (subject_id, owner_id, salt, personal_text, decision, corridor)
    VALUES ${placeholders(rows, 6)}`,
)

export function textStatements(texts: readonly NewText[]): Statement[] {
  return inRuns(texts).map((run) => ({
    sql: insertSql(run.length),
    values: run.flatMap(({ subjectId, ownerId, salt, text, decision, corridor }) => [
      subjectId,
      ownerId,
      salt,
      text,
      decision,
      corridor,
    ]),
  }))
}

/** The salt and the text of a subject in one column; null if there is none, or if it was erased. */
export const personalSql = (subjectId: string): string =>
  `(SELECT p.salt || ' ' || p.personal_text FROM personal_texts p WHERE p.subject_id = ${subjectId})`

export const formOf = (value: Row[string] | undefined): StoredForm => (Number(value ?? 1) === 2 ? 2 : 1)

/** Splits the column of `personalSql`. A salt has no spaces. */
export function textOf(
  column: Row[string] | undefined,
): { readonly salt: string; readonly text: string } | null {
  if (column === null || column === undefined) return null
  const joined = String(column)
  const space = joined.indexOf(' ')
  return { salt: joined.slice(0, space), text: joined.slice(space + 1) }
}

export function personalTextOf(
  hash: Row[string] | undefined,
  found: ReturnType<typeof textOf>,
): PersonalText | null {
  return hash === null || hash === undefined ? null : { hash: String(hash), salt: found?.salt ?? null }
}

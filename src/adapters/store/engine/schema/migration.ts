/** What a step of the schema's history is made of. */

export interface Migration {
  readonly number: number
  readonly name: string
  /** Statements for both engines, then those of one. */
  readonly shared: readonly string[]
  readonly sqlite: readonly string[]
  readonly postgres: readonly string[]
}

/**
 * Small tables that are only ever found by their key are kept in it on SQLite (`WITHOUT ROWID`), which PostgreSQL does
 * not know. There, text is compared byte by byte, as SQLite does: ids have no language, and it is the faster way.
 */
export function inPostgres(sql: string): string {
  return sql.replace(/ WITHOUT ROWID$/, '').replaceAll(/\btext\b/g, 'text COLLATE "C"')
}

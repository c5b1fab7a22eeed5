/** The form of a schema migration. */

export interface Migration {
  readonly number: number
  readonly name: string
  /** Statements for both engines. They run before those of one engine. */
  readonly shared: readonly string[]
  readonly sqlite: readonly string[]
  readonly postgres: readonly string[]
}

/**
 * Translates a shared statement for PostgreSQL. `WITHOUT ROWID`, which stores small tables in their key, exists only in
 * SQLite. Text is compared byte by byte, as in SQLite: ids have no language, and it is faster.
 */
export function inPostgres(sql: string): string {
  return sql.replace(/ WITHOUT ROWID$/, '').replaceAll(/\btext\b/g, 'text COLLATE "C"')
}

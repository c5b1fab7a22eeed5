/**
 * Defines scripts: database work written once for both engines. A script yields groups of statements and receives their
 * rows. SQLite runs a script synchronously; PostgreSQL sends each group in one round trip.
 */

export type SqlValue = string | number | null
export type Row = Readonly<Record<string, SqlValue>>

export interface Statement {
  /** In the dialect that both engines share, with `$1` parameters. */
  readonly sql: string
  readonly values: readonly SqlValue[]
  /** Tells PostgreSQL not to cache the plan, because too many such texts exist. */
  readonly isUncached?: boolean
}

/** Statements that do not depend on each other's rows. */
export interface Group extends ReadonlyArray<Statement> {
  /** The script writes nothing after this group and does not fail, so the engine may commit with it. */
  readonly isLast?: true
}

export type Script<Result> = Generator<Group, Result, readonly (readonly Row[])[]>

export function last(statements: readonly Statement[]): Group {
  return Object.assign([...statements], { isLast: true as const })
}

/** Runs one statement and returns its rows. */
export function* query(sql: string, values: readonly SqlValue[] = []): Script<readonly Row[]> {
  const [rows] = yield [{ sql, values }]
  return rows ?? []
}

/** Runs a script as one transaction, and retries it if the engine requires that. */
export type Transact = <Result>(script: () => Script<Result>, options?: TransactOptions) => Promise<Result>

interface TransactOptions {
  /** The commit need not wait for the disk: if it is lost, the work is done again. */
  readonly isRepeatable?: boolean
  /** Part of the work is committed before the rest can fail, so nothing is retried: a failure is a `LookFirst`. */
  readonly isOnce?: boolean
}

/** Allowed row counts of a prepared statement: every small number, few large ones. */
const rowCounts = [64, 48, 32, 24, ...Array.from({ length: 16 }, (_, index) => 16 - index)]

/** Splits a list into as few runs of these lengths as possible, so that few distinct statements are prepared. */
export function inRuns<Item>(items: readonly Item[]): Item[][] {
  const runs: Item[][] = []
  let from = 0
  for (const count of rowCounts) {
    while (items.length - from >= count) {
      runs.push(items.slice(from, from + count))
      from += count
    }
  }
  return runs
}

/** Rows by their ids, in no order. */
export function* inAll(sql: (rows: number) => string, ids: readonly string[]): Script<readonly Row[]> {
  if (ids.length === 0) return []
  const groups = yield inRuns(ids).map((run) => ({ sql: sql(run.length), values: run }))
  return groups.flat()
}

/** Sorts items so that all writers take locks in the same order and never deadlock. */
export function inLockOrder<Item>(items: readonly Item[], orderOf: (item: Item) => string): readonly Item[] {
  if (items.length < 2) return items
  return items
    .map((item) => ({ item, order: orderOf(item) }))
    .toSorted((left, right) => (left.order < right.order ? -1 : left.order > right.order ? 1 : 0))
    .map(({ item }) => item)
}

/** Returns `($1,$2),($3,$4)` for two rows of two columns. */
export function placeholders(rows: number, columns: number): string {
  const row = (first: number): string =>
    `(${Array.from({ length: columns }, (_, column) => `$${first + column}`).join(',')})`
  return Array.from({ length: rows }, (_, index) => row(index * columns + 1)).join(',')
}

/** Returns `$1,$2` for two, for use in an `IN`. */
export function parameterList(count: number): string {
  return Array.from({ length: count }, (_, place) => `$${place + 1}`).join(',')
}

/** Caches a statement's text by row count: looking up the plan of the same string object is cheap. */
export function sqlForRows(write: (rows: number) => string): (rows: number) => string {
  const texts: (string | undefined)[] = []
  return (rows) => (texts[rows] ??= write(rows))
}

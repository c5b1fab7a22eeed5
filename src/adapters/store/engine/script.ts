/**
 * Scripts: the store's work written once, for both engines. A script yields groups of statements and gets their rows
 * back; SQLite runs one in a single breath, PostgreSQL sends each group in one go and waits for it.
 */

export type SqlValue = string | number | null
export type Row = Readonly<Record<string, SqlValue>>

export interface Statement {
  /** In the dialect that both engines share, with `$1` parameters. */
  readonly sql: string
  readonly values: readonly SqlValue[]
  /** One of so many texts that an engine which keeps plans on its server keeps none of it. */
  readonly isUncached?: boolean
}

/** Statements that do not need each other's rows. */
export interface Group extends ReadonlyArray<Statement> {
  /** The script changes nothing after it, nor fails: the engine may commit in the same breath. */
  readonly isLast?: true
}

export type Script<Result> = Generator<Group, Result, readonly (readonly Row[])[]>

export function last(statements: readonly Statement[]): Group {
  return Object.assign([...statements], { isLast: true as const })
}

/** One statement, its rows. */
export function* query(sql: string, values: readonly SqlValue[] = []): Script<readonly Row[]> {
  const [rows] = yield [{ sql, values }]
  return rows ?? []
}

/** Runs a script as one transaction; again if the engine asks for it. */
export type Transact = <Result>(script: () => Script<Result>) => Promise<Result>

/** How many rows a prepared statement may have: every small number, few large ones. */
const rowCounts = [64, 48, 32, 24, ...Array.from({ length: 16 }, (_, index) => 16 - index)]

/** Parts a list into runs of such lengths, as few as they go, so that few distinct statements have to be prepared. */
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

/** All writers take their locks in one order, so that none waits for another in a ring. */
export function inLockOrder<Item>(items: readonly Item[], orderOf: (item: Item) => string): readonly Item[] {
  if (items.length < 2) return items
  return items
    .map((item) => ({ item, order: orderOf(item) }))
    .toSorted((left, right) => (left.order < right.order ? -1 : left.order > right.order ? 1 : 0))
    .map(({ item }) => item)
}

/** `($1,$2),($3,$4)` for two rows of two. */
export function placeholders(rows: number, columns: number): string {
  const row = (first: number): string =>
    `(${Array.from({ length: columns }, (_, column) => `$${first + column}`).join(',')})`
  return Array.from({ length: rows }, (_, index) => row(index * columns + 1)).join(',')
}

/** `$1,$2` for two: what stands in an `IN`. */
export function parameterList(count: number): string {
  return Array.from({ length: count }, (_, place) => `$${place + 1}`).join(',')
}

/** A statement's text for a number of rows, made once for each: a driver then finds its plan without reading it. */
export function sqlForRows(write: (rows: number) => string): (rows: number) => string {
  const texts: (string | undefined)[] = []
  return (rows) => (texts[rows] ??= write(rows))
}

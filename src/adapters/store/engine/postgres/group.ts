/**
 * Sends a group of statements to PostgreSQL in one round trip, with a single Sync after the last. Outside a transaction
 * the server runs the group as one: all or nothing. The `pipeline` mode of `pg` (8.23) cannot do this: it sends a Sync
 * with every statement and describes its rows each time.
 */

import { hash } from 'node:crypto'
import pg from 'pg'
import type { Row, SqlValue, Statement } from '../script.ts'

type Parse = (text: string) => SqlValue

/** How to parse the rows of a statement. */
interface Shape {
  readonly names: readonly string[]
  readonly parses: readonly Parse[]
  readonly empty: Readonly<Record<string, SqlValue>>
}

/** The prepared statements of a connection, and the shapes of their rows. */
interface StatementCache {
  readonly prepared: Set<string>
  readonly shapes: Map<string, Shape>
  /** Sent to be prepared; the server confirms them in order. */
  parsing: string[]
  /** A commit was not waited for: it may be on this server alone. */
  isUnconfirmed: boolean
}

/** The server warns from this routine that it no longer waits for its standby. The commit itself is reported as done. */
const waitForStandby = 'SyncRepWaitForLSN'

const noRows: Shape = { names: [], parses: [], empty: {} }

/** Not allowed in a result, because SQLite has no boolean. Scripts cast to an integer. */
const boolean: number = pg.types.builtins.BOOL

/** int8 arrives as text. The values are milliseconds and counts, exact in a double. */
const numeric = new Set<number>([
  pg.types.builtins.INT2,
  pg.types.builtins.INT4,
  pg.types.builtins.INT8,
  pg.types.builtins.FLOAT8,
])

const caches = new WeakMap<pg.Connection, StatementCache>()

function cacheOf(connection: pg.Connection): StatementCache {
  let cache = caches.get(connection)
  if (cache === undefined) {
    const created: StatementCache = {
      prepared: new Set(),
      shapes: new Map(),
      parsing: [],
      isUnconfirmed: false,
    }
    connection.on('parseComplete', () => {
      const name = created.parsing.shift()
      if (name !== undefined && name !== unnamed) created.prepared.add(name)
    })
    connection.on('notice', ({ routine }: pg.DatabaseError) => {
      if (routine === waitForStandby) created.isUnconfirmed = true
    })
    caches.set(connection, created)
    cache = created
  }
  return cache
}

interface NamedStatement {
  readonly name: string
  readonly text: string
}

const namedTexts = new Map<string, NamedStatement>()

/** The unnamed prepared statement, which the next one replaces. */
const unnamed = ''

/** Index hints are for SQLite, which has no statistics without ANALYZE. */
function withoutIndexHints(sql: string): string {
  return sql.replaceAll(/ INDEXED BY \w+/g, '')
}

/** A named statement keeps its plan on the server. The name is a hash of the text. */
function named({ sql, isUncached }: Statement): NamedStatement {
  if (isUncached === true) return { name: unnamed, text: withoutIndexHints(sql) }
  let statement = namedTexts.get(sql)
  if (statement === undefined) {
    statement = { name: `fw_${hash('sha256', sql, 'hex').slice(0, 24)}`, text: withoutIndexHints(sql) }
    namedTexts.set(sql, statement)
  }
  return statement
}

const wireValue = (value: SqlValue): string | null => (value === null ? null : String(value))

export interface GroupAnswer {
  /** The rows of each statement. */
  readonly rows: Row[][]
  /** The command tag of the last statement: `COMMIT`, or `ROLLBACK` if the transaction had failed. */
  readonly lastCommand: string
}

/** The rows of each statement before the one that failed. */
export const rowsBefore = new WeakMap<Error, readonly (readonly Row[])[]>()

type Callback = (error: Error | null, answer?: GroupAnswer) => void

/** Implements the interface that `pg` requires of a custom query. */
class Group implements pg.Submittable {
  /** The client wraps this to enforce its query timeout. */
  callback: Callback
  readonly #statements: readonly Statement[]
  readonly #rows: Row[][] = []
  #cache: StatementCache | null = null
  #place = 0
  #shape: Shape | null = null
  #lastCommand = ''
  #failure: Error | null = null

  constructor(statements: readonly Statement[], callback: Callback) {
    this.#statements = statements
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    this.#cache = cacheOf(connection)
    const { prepared, shapes, parsing } = this.#cache
    const sent = new Set<string>()
    // Converted before anything is sent: a bad value must not leave half a group on the wire.
    const valuesOf = this.#statements.map(({ values }) => values.map(wireValue))
    connection.stream.cork()
    for (const [place, statement] of this.#statements.entries()) {
      const { name, text } = named(statement)
      this.#rows.push([])
      if (!prepared.has(name) && !sent.has(name)) {
        parsing.push(name)
        if (name !== unnamed) sent.add(name)
        connection.parse({ name, text, types: [] }, true)
      }
      connection.bind({ statement: name, values: valuesOf[place] ?? [] }, true)
      if (!shapes.has(name)) connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const names = fields.map((field) => field.name)
    const refused = fields.find(({ dataTypeID }) => dataTypeID === boolean)
    if (refused !== undefined)
      this.#failure ??= new Error(`column ${refused.name} is a boolean: cast it to an integer`)
    this.#shape = {
      names,
      parses: fields.map(({ dataTypeID }) => (numeric.has(dataTypeID) ? Number : String)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { names, parses, empty } = this.#currentShape()
    const row = { ...empty }
    for (const [column, name] of names.entries()) {
      const text = fields[column]
      if (text !== null && text !== undefined) row[name] = parses[column]?.(text) ?? null
    }
    this.#rows[this.#place]?.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const name = this.#currentName()
    if (name !== unnamed && this.#cache?.shapes.has(name) === false) {
      this.#cache.shapes.set(name, this.#shape ?? noRows)
    }
    this.#lastCommand = text
    this.#shape = null
    this.#place += 1
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(error: Error): void {
    if (this.#cache !== null) this.#cache.parsing = []
    this.#failure = error
    rowsBefore.set(error, this.#rows)
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#cache?.isUnconfirmed === true)
      this.#failure ??= new Error('PostgreSQL: the standby did not confirm a commit')
    if (this.#failure === null) this.callback(null, { rows: this.#rows, lastCommand: this.#lastCommand })
    else this.callback(this.#failure)
  }

  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  #currentName(): string {
    const statement = this.#statements[this.#place]
    return statement === undefined ? unnamed : named(statement).name
  }

  #currentShape(): Shape {
    return this.#shape ?? this.#cache?.shapes.get(this.#currentName()) ?? noRows
  }
}

export function sendGroup(client: pg.ClientBase, statements: readonly Statement[]): Promise<GroupAnswer> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, answer) => {
      if (answer === undefined)
        reject(error ?? new Error('PostgreSQL returned no result for a group of statements'))
      else resolve(answer)
    }
    client.query(new Group(statements, callback))
  })
}

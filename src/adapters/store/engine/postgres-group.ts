/**
 * Sends a group of statements to PostgreSQL in one go: all of them travel together, with one Sync behind the last, and their
 * answers come back together. Outside of a transaction the server makes them one: all of it happens, or nothing. `pg` (8.23)
 * cannot: its `pipeline` mode sends a Sync with every statement, and describes the rows of each again.
 */

import { hash } from 'node:crypto'
import pg from 'pg'
import type { Row, SqlValue, Statement } from './script.ts'

type Parse = (text: string) => SqlValue

/** How the rows of a statement are read. */
interface Shape {
  readonly names: readonly string[]
  readonly parses: readonly Parse[]
  readonly empty: Readonly<Record<string, SqlValue>>
}

/** What a connection has prepared, and what the rows of it are like. */
interface Known {
  readonly prepared: Set<string>
  readonly shapes: Map<string, Shape>
  /** Sent to be prepared; the server confirms one after the other. */
  parsing: string[]
}

const noRows: Shape = { names: [], parses: [], empty: {} }

/** The engines have no common form of it: a script asks for an integer instead. */
const boolean: number = pg.types.builtins.BOOL

/** int8 arrives as text; ours are milliseconds and counts, exact in a double. */
const numeric = new Set<number>([
  pg.types.builtins.INT2,
  pg.types.builtins.INT4,
  pg.types.builtins.INT8,
  pg.types.builtins.FLOAT8,
])

const knownOf = new WeakMap<pg.Connection, Known>()

function known(connection: pg.Connection): Known {
  let one = knownOf.get(connection)
  if (one === undefined) {
    const made: Known = { prepared: new Set(), shapes: new Map(), parsing: [] }
    connection.on('parseComplete', () => {
      const name = made.parsing.shift()
      if (name !== undefined && name !== passing) made.prepared.add(name)
    })
    knownOf.set(connection, made)
    one = made
  }
  return one
}

interface Named {
  readonly name: string
  readonly text: string
}

const namedTexts = new Map<string, Named>()

/** The name of what the server is to forget when the next such comes. */
const passing = ''

/** Which index to use is told to SQLite alone, which keeps no statistics unless it is asked to. */
function inPostgres(sql: string): string {
  return sql.replaceAll(/ INDEXED BY \w+/g, '')
}

/** A name makes the server keep the plan; it is made of the text, so that one text has one plan. */
function named({ sql, isUncached: isPassing }: Statement): Named {
  if (isPassing === true) return { name: passing, text: inPostgres(sql) }
  let one = namedTexts.get(sql)
  if (one === undefined) {
    one = { name: `fw_${hash('sha256', sql, 'hex').slice(0, 24)}`, text: inPostgres(sql) }
    namedTexts.set(sql, one)
  }
  return one
}

const onTheWire = (value: SqlValue): string | null => (value === null ? null : String(value))

export interface GroupAnswer {
  /** Of each statement. */
  readonly rows: Row[][]
  /** What the last one was told to have done: `COMMIT`, or `ROLLBACK` of a transaction that had failed. */
  readonly lastCommand: string
}

type Callback = (error: Error | null, answer?: GroupAnswer) => void

/** What `pg` asks of a query that is not its own. */
class Group implements pg.Submittable {
  /** Wrapped by the client, which gives up on an answer that takes too long. */
  callback: Callback
  readonly #statements: readonly Statement[]
  readonly #rows: Row[][] = []
  #known: Known | null = null
  #place = 0
  #shape: Shape | null = null
  #lastCommand = ''
  #failure: Error | null = null

  constructor(statements: readonly Statement[], callback: Callback) {
    this.#statements = statements
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    this.#known = known(connection)
    const { prepared, shapes, parsing } = this.#known
    const sent = new Set<string>()
    // Before anything is on its way: a value that cannot be sent must not leave half a group behind.
    const valuesOf = this.#statements.map(({ values }) => values.map(onTheWire))
    connection.stream.cork()
    for (const [place, statement] of this.#statements.entries()) {
      const { name, text } = named(statement)
      this.#rows.push([])
      if (!prepared.has(name) && !sent.has(name)) {
        parsing.push(name)
        if (name !== passing) sent.add(name)
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
    if (refused !== undefined) this.#failure ??= new Error(`column ${refused.name} is a boolean`)
    this.#shape = {
      names,
      parses: fields.map(({ dataTypeID }) => (numeric.has(dataTypeID) ? Number : String)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { names, parses, empty } = this.#shapeHere()
    const row = { ...empty }
    for (const [column, name] of names.entries()) {
      const text = fields[column]
      if (text !== null && text !== undefined) row[name] = parses[column]?.(text) ?? null
    }
    this.#rows[this.#place]?.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const name = this.#nameHere()
    if (name !== passing && this.#known?.shapes.has(name) === false) {
      this.#known.shapes.set(name, this.#shape ?? noRows)
    }
    this.#lastCommand = text
    this.#shape = null
    this.#place += 1
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(error: Error): void {
    if (this.#known !== null) this.#known.parsing = []
    this.#failure = error
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#failure === null) this.callback(null, { rows: this.#rows, lastCommand: this.#lastCommand })
    else this.callback(this.#failure)
  }

  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  #nameHere(): string {
    const statement = this.#statements[this.#place]
    return statement === undefined ? passing : named(statement).name
  }

  #shapeHere(): Shape {
    return this.#shape ?? this.#known?.shapes.get(this.#nameHere()) ?? noRows
  }
}

export function sendGroup(client: pg.PoolClient, statements: readonly Statement[]): Promise<GroupAnswer> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, answer) => {
      if (answer === undefined) reject(error ?? new Error('a group of statements had no answer'))
      else resolve(answer)
    }
    client.query(new Group(statements, callback))
  })
}

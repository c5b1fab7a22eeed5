/** Checks the journal: one entry for each record, numbers without gaps, and projections that match their positions. */

import { dayMs, floorTo, hourMs } from '../../../src/core/time/durations.ts'
import type { Books } from '../books.ts'
import { ensure } from './violation.ts'
import type { StoredRecord, WorldDatabase } from '../world-database.ts'

interface EntriesRow {
  readonly entries: string
}

interface Head {
  readonly sequenced: number
  readonly records: number
}

interface Position {
  readonly name: string
  readonly position: number
}

/** The columns of a rollup that are compared. The others are counted by the same code from the same rows. */
const measures = ['go', 'degraded', 'no_go', 'score_sum', 'confidence_sum', 'cooldown_hits'] as const
const verdicts = ['GO', 'DEGRADED', 'NO-GO']

const positionsSql = `SELECT name, position FROM followers UNION ALL SELECT 'policies', position FROM policy_follower
  UNION ALL SELECT 'calibration', position FROM calibration_follower
  UNION ALL SELECT 'events', position FROM events_follower
  UNION ALL SELECT 'reviews', position FROM review_follower
  UNION ALL SELECT 'log', tree_size FROM log_head`
const rollupsSql = `SELECT owner_id || ' ' || span || ' ' || starts_at_ms || ' ' || mode || ' ' || corridor AS name,
  ${measures.join(" || ',' || ")} AS sums FROM rollups`

export class JournalInspector {
  readonly #worldDatabase: WorldDatabase
  readonly #books: Books
  /** The entry with each number, and the number of each. */
  readonly #numbered: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #positions = new Map<string, number>()
  readonly #usage = new Map<string, number>()
  readonly #rollups = new Map<string, number[]>()
  #counted = 0
  #queued = 0

  constructor(worldDatabase: WorldDatabase, books: Books) {
    this.#worldDatabase = worldDatabase
    this.#books = books
  }

  /** Throws at the first violation. */
  inspect(
    records: ReadonlyMap<string, StoredRecord>,
    acts: number,
    reviewChanges: ReadonlySet<string>,
  ): void {
    this.#readNumbered()
    this.#inspectQueue(records, acts, reviewChanges)
    this.#inspectPositions()
    this.#inspectTotals(records)
  }

  /** Whether the follower has passed the entry, as of the last inspection. */
  hasPassed(follower: string, subjectId: string): boolean {
    const number = this.#numbers.get(subjectId)
    return number !== undefined && number < (this.#positions.get(follower) ?? 0)
  }

  /** Whether anything is left to follow, as of the last inspection. */
  isBehind(): boolean {
    return this.#queued > 0 || [...this.#positions.values()].some((one) => one < this.#numbered.length)
  }

  summary(): string {
    const positions = [...this.#positions].map(([name, position]) => `${name} ${position}`)
    return `${this.#queued} queued, ${this.#numbered.length} numbered, ${positions.join(', ')}`
  }

  #all<Row>(sql: string, ...values: readonly number[]): Row[] {
    return this.#worldDatabase.prepare(sql).all(...values) as unknown as Row[]
  }

  /** A number is given once, so only new ones are read; the check of the log reads them all. */
  #readNumbered(): void {
    const sql = 'SELECT first_leaf, entries FROM log_blocks WHERE first_leaf >= ? ORDER BY first_leaf'
    for (const { first_leaf: first, entries } of this.#all<EntriesRow & { first_leaf: number }>(
      sql,
      this.#numbered.length,
    )) {
      const next = this.#numbered.length
      ensure(first === next, `entry ${first} follows ${next - 1}: the numbers are not consecutive`)
      for (const id of idsOf(entries)) {
        ensure(!this.#numbers.has(id), `${id} has two numbers`)
        this.#numbers.set(id, this.#numbered.length)
        this.#numbered.push(id)
      }
    }
  }

  #inspectQueue(
    records: ReadonlyMap<string, StoredRecord>,
    acts: number,
    reviewChanges: ReadonlySet<string>,
  ): void {
    const rows = this.#all<EntriesRow & { records: number }>('SELECT entries, records FROM journal_queue')
    const queued = rows.flatMap(({ entries }) => idsOf(entries))
    this.#queued = queued.length
    for (const id of queued) ensure(!this.#numbers.has(id), `${id} has a number and is still queued`)
    const entries = new Set([...queued, ...this.#numbered])
    ensure(entries.size === queued.length + this.#numbered.length, 'an entry is queued twice')
    for (const id of records.keys()) ensure(entries.has(id), `the record ${id} has no entry`)
    for (const id of this.#books.overridesWritten) ensure(entries.has(id), `the override ${id} has no entry`)
    const { overridesWritten, outcomesWritten } = this.#books
    for (const id of outcomesWritten) ensure(entries.has(id), `the outcome ${id} has no entry`)
    for (const id of reviewChanges) ensure(entries.has(id), `the change ${id} of a review has no entry`)
    const subjects = records.size + overridesWritten.size + outcomesWritten.size + acts + reviewChanges.size
    ensure(
      entries.size === subjects,
      `${entries.size} entries for ${subjects} records, overrides, outcomes, acts and changes of reviews`,
    )
    const [head] = this.#all<Head>('SELECT sequenced, records FROM log_head')
    ensure(
      head?.sequenced === this.#numbered.length,
      `${head?.sequenced} of ${this.#numbered.length} entries are in the head`,
    )
    const total = rows.reduce((sum, row) => sum + row.records, head.records)
    ensure(total === records.size, `${records.size} records are stored and ${total} are counted`)
  }

  #inspectPositions(): void {
    for (const { name, position } of this.#all<Position>(positionsSql)) {
      const before = this.#positions.get(name) ?? 0
      ensure(position >= before, `${name} went back from ${before} to ${position}`)
      ensure(position <= this.#numbered.length, `${name} is at ${position}, beyond the last entry`)
      this.#positions.set(name, position)
    }
  }

  /** Usage and rollups hold exactly the records before the position. */
  #inspectTotals(records: ReadonlyMap<string, StoredRecord>): void {
    const position = this.#positions.get('totals') ?? 0
    for (const id of this.#numbered.slice(this.#counted, position)) {
      const record = records.get(id)
      if (record !== undefined) this.#count(record)
    }
    this.#counted = position
    const usage = this.#all<{ key_id: string; verifications: number }>(
      'SELECT key_id, verifications FROM key_usage',
    )
    for (const { key_id: keyId, verifications } of usage) {
      const expected = this.#usage.get(keyId) ?? 0
      ensure(verifications === expected, `usage of ${keyId} counts ${verifications} of ${expected} records`)
    }
    const rollups = this.#all<{ name: string; sums: string }>(rollupsSql)
    for (const { name, sums } of rollups) {
      const expected = this.#rollups.get(name)?.join(',')
      ensure(sums === expected, `the rollup ${name} counts ${sums}, and its records are ${expected}`)
    }
    const isComplete = usage.length === this.#usage.size && rollups.length === this.#rollups.size
    ensure(isComplete, `${usage.length} keys and ${rollups.length} rollups are counted, and some are missing`)
  }

  #count(record: StoredRecord): void {
    const { key_id: keyId, owner_id: ownerId, recorded_at_ms: atMs, mode, corridor } = record
    this.#usage.set(keyId, (this.#usage.get(keyId) ?? 0) + 1)
    for (const [span, startsAtMs] of [
      ['hour', floorTo(hourMs, atMs)],
      ['day', floorTo(dayMs, atMs)],
    ] as const) {
      const name = `${ownerId} ${span} ${startsAtMs} ${mode} ${corridor}`
      const sums = this.#rollups.get(name) ?? measures.map(() => 0)
      const added = [
        ...verdicts.map((verdict) => Number(record.decision === verdict)),
        record.score_hundredths,
        record.confidence_hundredths,
        Number(record.cooldown_source_id !== null),
      ]
      this.#rollups.set(
        name,
        sums.map((sum, place) => sum + (added[place] ?? 0)),
      )
    }
  }
}

function idsOf(entries: string): string[] {
  return entries.split('\n').map((line) => line.slice(0, line.indexOf(' ')))
}

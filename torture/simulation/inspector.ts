/** Looks into the database after each step, past the code that wrote it, and compares it with what the world knows. */

import type { StatementSync } from 'node:sqlite'
import { clockSkewMsMax } from '../../src/core/time/cooldown.ts'
import { isSupported } from '../../src/core/reference/corridor.ts'
import { standardCap } from '../../src/core/decision/policy.ts'
import type { Ask, Payment } from './books.ts'
import { inspectEvents, type Inspected } from './inspect-events.ts'
import { inspectLimits, type Admitted } from './inspect-limits.ts'
import { LogInspector } from './inspect-log.ts'
import { cooldownMs } from './instance.ts'
import { insist } from './violation.ts'

/** A record as it lies in the table. */
export interface KeptRecord {
  readonly place: number
  readonly request_id: string
  readonly owner_id: string
  readonly mode: string
  readonly corridor: string
  readonly decision: string
  readonly amount: number | null
  readonly correlation_id: string
  readonly evaluated_at_ms: number
  readonly cooldown_source_id: string | null
  readonly answer: string
}

interface KeptOverride {
  readonly request_id: string
  readonly override_id: string
}

interface InspectorParts extends Inspected {
  readonly log: LogInspector
}

/** Where a record may be although the caller was not told of it. */
const untold = new Set(['decided', 'unavailable', 'cut_off'])

export class Inspector {
  readonly records = new Map<string, KeptRecord>()
  readonly #byPayment = new Map<string, KeptRecord>()
  readonly #byKey = new Map<string, KeptRecord>()
  readonly #overridden = new Map<string, string>()
  readonly #admitted: Admitted = new Map()
  readonly #parts: InspectorParts
  readonly #statements: Readonly<Record<'records' | 'count' | 'overrides', StatementSync>>
  #readUpTo = 0
  #sentRead = 0

  constructor(parts: InspectorParts) {
    this.#parts = parts
    const { prepare } = parts.ground
    this.#statements = {
      records: prepare(
        `SELECT rowid AS place, request_id, owner_id, mode, corridor, decision, amount, correlation_id, evaluated_at_ms,
          cooldown_source_id, answer FROM verifications WHERE rowid > ? ORDER BY rowid`,
      ),
      count: prepare(
        'SELECT (SELECT count(*) FROM verifications) AS kept, (SELECT sum(total) FROM verification_counts) AS counted',
      ),
      overrides: prepare('SELECT request_id, override_id FROM overrides'),
    }
  }

  /** Throws the first thing that should not be. */
  async inspect(): Promise<void> {
    this.#readRecords()
    this.#inspectAsks()
    this.#inspectOverrides()
    inspectLimits(this.#parts.books.admissions.splice(0), this.#admitted)
    this.#sentRead = inspectEvents(this.#parts, this.#sentRead)
    await this.#parts.log.inspect()
  }

  recordOf(payment: Payment): KeptRecord | null {
    return this.#byPayment.get(payment.name) ?? null
  }

  #readRecords(): void {
    const fresh = this.#statements.records.all(this.#readUpTo) as unknown as KeptRecord[]
    for (const record of fresh) {
      this.#readUpTo = record.place
      this.#inspectRecord(record)
      this.records.set(record.request_id, record)
    }
    const { kept, counted } = this.#statements.count.get() as { kept: number; counted: number }
    insist(kept === this.records.size, `${this.records.size} records were seen and ${kept} are there`)
    insist(kept === counted, `${kept} records are kept and ${counted} are counted`)
  }

  #inspectRecord(record: KeptRecord): void {
    const { request_id: id, correlation_id: name } = record
    const payment = this.#parts.books.payments.find((one) => one.name === name)
    insist(payment !== undefined, `the record ${id} is of no request`)
    insist(!this.#byPayment.has(name), `${name} has two records`)
    this.#byPayment.set(name, record)
    const isOurs =
      record.owner_id === payment.caller.record.ownerId &&
      record.mode === payment.mode &&
      record.corridor === payment.corridor &&
      record.amount === payment.amount
    insist(isOurs, `the record ${id} is not of what was asked as ${name}`)
    const key = keyOf(payment)
    insist(key === null || !this.#byKey.has(key), `two records under the idempotency key of ${name}`)
    if (key !== null) this.#byKey.set(key, record)
    this.#inspectDecision(record, payment)
  }

  #inspectDecision(record: KeptRecord, payment: Payment): void {
    const { name, amount, corridor, mode } = payment
    const isBlocked = amount !== null && amount > standardCap.blockAbove
    insist(!isBlocked || record.decision === 'NO-GO', `${name} is above the cap and was not blocked`)
    const supported = isSupported(corridor)
    insist(supported || record.decision !== 'GO', `${name} was allowed on a corridor that is not supported`)
    if (record.cooldown_source_id !== null) return this.#inspectHit(record, payment)
    const wasOutage = mode === 'live' && supported && payment.asks.every((ask) => !ask.sawFeedsWell)
    insist(!wasOutage, `${name} was decided live while a feed was down`)
    this.#inspectNotBlocked(record, payment)
  }

  /** A cooldown repeats a `NO-GO` of the same owner, mode and corridor, within its window. */
  #inspectHit(record: KeptRecord, { name, asks }: Payment): void {
    this.#parts.books.saw('cooldown hits')
    const source = this.records.get(String(record.cooldown_source_id))
    insist(source !== undefined, `${name} repeats a decision that is not there`)
    const isSame =
      source.owner_id === record.owner_id &&
      source.mode === record.mode &&
      source.corridor === record.corridor &&
      source.evaluated_at_ms === record.evaluated_at_ms
    insist(isSame, `${name} repeats the decision of something else`)
    const isBlock = source.decision === 'NO-GO' && source.cooldown_source_id === null
    insist(isBlock && record.decision === 'NO-GO', `${name} repeats what is no block`)
    const isWithin = asks.some(
      ({ wall }) =>
        wall.max >= source.evaluated_at_ms - clockSkewMsMax && wall.min < source.evaluated_at_ms + cooldownMs,
    )
    insist(isWithin, `${name} is a cooldown hit outside of the window of ${source.request_id}`)
  }

  /** Nothing is computed while a block is known to stand: one that was written before it was asked, and none beside it. */
  #inspectNotBlocked(record: KeptRecord, { name, asks }: Payment): void {
    const [ask, ...more] = asks
    if (ask === undefined || more.length > 0) return
    const { min, max } = ask.wall
    const lane = [...this.records.values()].filter(
      (other) =>
        other.decision === 'NO-GO' &&
        other.cooldown_source_id === null &&
        other.owner_id === record.owner_id &&
        other.mode === record.mode &&
        other.corridor === record.corridor &&
        other.evaluated_at_ms > min - 3 * cooldownMs,
    )
    const stands = lane.filter(
      ({ evaluated_at_ms: atMs, request_id: id }) =>
        atMs <= min && max < atMs + cooldownMs && (this.#parts.books.writtenAt.get(id) ?? 0) < ask.startedAt,
    )
    const isBlocked = stands.length > 0 && stands.length === lane.length
    insist(!isBlocked, `${name} was computed although ${stands[0]?.request_id} blocks its corridor`)
  }

  #inspectAsks(): void {
    const { books } = this.#parts
    for (const ask of books.open) {
      if (ask.outcome === null) continue
      books.open.delete(ask)
      this.#inspectAsk(ask)
    }
  }

  #inspectAsk({ payment, outcome, ...ask }: Ask): void {
    const { name, asks } = payment
    const record = this.recordOf(payment)
    const { books } = this.#parts
    books.saw(`told ${outcome?.kind}`)
    if (outcome?.kind === 'decided') {
      if (outcome.answer.includes('"idempotency_hit":true')) books.saw('told again')
      insist(record !== null, `${name} was answered and has no record`)
      const isKept = outcome.answer.startsWith(record.answer.slice(0, -1))
      insist(
        isKept && outcome.requestId === record.request_id,
        `the record of ${name} is not what was answered`,
      )
    }
    if (outcome?.kind === 'conflict') {
      const first = this.#byKey.get(keyOf(payment) ?? '')
      insist(first !== undefined && first !== record, `${name} was a conflict with nothing`)
    }
    if (outcome?.kind === 'unavailable') {
      insist(ask.faultsAfter > ask.faultsBefore, `${name} was told of an outage that was not`)
    }
    const mayHave = asks.some((one) => one.outcome === null || untold.has(one.outcome.kind))
    insist(record === null || mayHave, `${name} was told ${outcome?.kind} and has a record`)
  }

  #inspectOverrides(): void {
    const { books } = this.#parts
    const kept = this.#statements.overrides.all() as unknown as KeptOverride[]
    for (const { request_id: requestId, override_id: overrideId } of kept) {
      if (this.#overridden.has(requestId)) continue
      this.#overridden.set(requestId, overrideId)
      books.saw('overrides')
      const record = this.records.get(requestId)
      insist(record !== undefined && record.decision !== 'GO', `an override of what needs none: ${requestId}`)
    }
    insist(
      kept.length === books.overridesWritten.size,
      `${kept.length} overrides are kept of ${books.overridesWritten.size} that were written`,
    )
    for (const { requestId, outcome } of books.overrideAsks) {
      if (outcome === null) continue
      const found = this.#overridden.get(requestId)
      if (outcome.kind === 'recorded') {
        insist(found === outcome.override.overrideId, `an override of ${requestId} was answered and not kept`)
      }
      insist(
        outcome.kind !== 'exists' || found !== undefined,
        `an override of ${requestId} was refused for no reason`,
      )
    }
  }
}

function keyOf({ caller, idempotencyKey }: Payment): string | null {
  return idempotencyKey === null ? null : `${caller.record.ownerId} ${idempotencyKey}`
}

/** Reads the database directly after each step and compares it with the world's books. */

import type { StatementSync } from 'node:sqlite'
import { clockSkewMsMax } from '../../../src/core/time/cooldown.ts'
import { isSupported } from '../../../src/core/reference/corridor.ts'
import { standardCap } from '../../../src/core/decision/policy.ts'
import type { Payment, VerifyCall } from '../books.ts'
import { inspectEvents, type Inspected } from './events.ts'
import { inspectLimits, type Admitted } from './limits.ts'
import { LogInspector } from './log.ts'
import type { ReviewInspector } from './reviews.ts'
import { cooldownMs } from '../instance.ts'
import type { PolicyBooks } from '../policy-books.ts'
import type { ReviewBooks } from '../reviews/books.ts'
import type { WorldTerms } from '../reviews/terms.ts'
import type { StoredAnswer } from '../../../src/app/verify/answer.ts'
import type { ComputedEvidence } from '../../../src/app/verify/evidence.ts'
import type { StoredRecord } from '../world-database.ts'
import { ensure } from './violation.ts'

interface StoredOverride {
  readonly request_id: string
  readonly override_id: string
}

interface InspectorParts extends Inspected {
  readonly log: LogInspector
  readonly policies: PolicyBooks
  readonly reviews: ReviewBooks
  readonly reviewInspector: ReviewInspector
  readonly terms: WorldTerms
}

/** Outcomes after which a record may exist. */
const mayHaveRecord = new Set(['decided', 'unavailable', 'cut_off'])

export class Inspector {
  readonly records = new Map<string, StoredRecord>()
  readonly #byPayment = new Map<string, StoredRecord>()
  readonly #byKey = new Map<string, StoredRecord>()
  readonly #overridden = new Map<string, string>()
  readonly #admitted: Admitted = new Map()
  readonly #parts: InspectorParts
  readonly #statements: Readonly<Record<'records' | 'count' | 'overrides', StatementSync>>
  #readUpTo = 0
  #sentRead = 0

  constructor(parts: InspectorParts) {
    this.#parts = parts
    const { prepare } = parts.worldDatabase
    this.#statements = {
      records: prepare(
        `SELECT rowid AS place, request_id, owner_id, key_id, mode, corridor, decision, score_hundredths,
          confidence_hundredths, recorded_at_ms, amount, evaluated_at_ms, cooldown_source_id, answer, evidence,
          (SELECT personal_text FROM personal_texts WHERE subject_id = request_id) AS correlation_id
          FROM verifications WHERE rowid > ? ORDER BY rowid`,
      ),
      count: prepare('SELECT count(*) AS stored FROM verifications'),
      overrides: prepare('SELECT request_id, override_id FROM overrides'),
    }
  }

  /** Throws at the first violation. */
  async inspect(): Promise<void> {
    this.#readRecords()
    this.#inspectCalls()
    this.#inspectOverrides()
    const { journal, policies, reviews, reviewInspector } = this.#parts
    journal.inspect(this.records, policies.acts, reviews.changeIds)
    reviewInspector.inspect(this.records)
    inspectLimits(this.#parts.books.admissions.splice(0), this.#admitted)
    this.#sentRead = inspectEvents(this.#parts, this.#sentRead)
    await this.#parts.log.inspect()
  }

  recordOf(payment: Payment): StoredRecord | null {
    return this.#byPayment.get(payment.name) ?? null
  }

  #readRecords(): void {
    const added = this.#statements.records.all(this.#readUpTo) as unknown as StoredRecord[]
    for (const record of added) {
      this.#readUpTo = record.place
      this.#inspectRecord(record)
      this.records.set(record.request_id, record)
    }
    const { stored } = this.#statements.count.get() as { stored: number }
    ensure(stored === this.records.size, `${this.records.size} records were read and ${stored} are stored`)
  }

  #inspectRecord(record: StoredRecord): void {
    const { request_id: id, correlation_id: name } = record
    const payment = this.#parts.books.payments.find((one) => one.name === name)
    ensure(payment !== undefined, `the record ${id} belongs to no request`)
    ensure(!this.#byPayment.has(name), `${name} has two records`)
    this.#byPayment.set(name, record)
    const isMatching =
      record.owner_id === payment.caller.record.ownerId &&
      record.mode === payment.mode &&
      record.corridor === payment.corridor &&
      record.amount === payment.amount
    ensure(isMatching, `the record ${id} does not match the request ${name}`)
    const key = keyOf(payment)
    ensure(key === null || !this.#byKey.has(key), `two records under the idempotency key of ${name}`)
    if (key !== null) this.#byKey.set(key, record)
    this.#inspectDecision(record, payment)
  }

  #inspectDecision(record: StoredRecord, payment: Payment): void {
    const { name, amount, corridor, mode } = payment
    const isBlocked = amount !== null && amount > standardCap.blockAbove
    ensure(!isBlocked || record.decision === 'NO-GO', `${name} is above the cap but was not blocked`)
    const supported = isSupported(corridor)
    ensure(supported || record.decision !== 'GO', `${name} was allowed on an unsupported corridor`)
    if (record.cooldown_source_id !== null) return this.#inspectHit(record, payment)
    this.#inspectPolicy(record, payment)
    const wasOutage = mode === 'live' && supported && payment.calls.every((call) => !call.sawFeedsHealthy)
    ensure(!wasOutage, `${name} was decided live while a feed was down`)
    this.#inspectNotBlocked(record, payment)
    if (record.decision === 'GO') this.#inspectOrder(record, payment)
  }

  /** A record names exactly one version, which was in force a moment before. */
  #inspectPolicy(
    { request_id: id, owner_id: ownerId, answer }: StoredRecord,
    { name, calls }: Payment,
  ): void {
    const { books, policies } = this.#parts
    const { policy_version: version } = JSON.parse(answer) as StoredAnswer
    if (version !== null) books.count('records under a policy')
    const sinceMs = Math.min(...calls.map(({ startedMs }) => startedMs))
    const wasInForce = policies.wasInForce(
      ownerId,
      version?.owner ?? null,
      sinceMs,
      books.writtenMs.get(id) ?? 0,
    )
    ensure(wasInForce, `${name} was decided under ${version?.owner}, which was not in force`)
  }

  /** No `GO` whose evaluation began after a `NO-GO` of its corridor was acknowledged, while its cooldown holds. */
  #inspectOrder(record: StoredRecord, { name, calls }: Payment): void {
    const { acknowledgedAt } = this.#parts.books
    const holds = (block: StoredRecord): boolean =>
      calls.every(
        ({ startedAt, wall }) =>
          (acknowledgedAt.get(block.request_id) ?? Number.POSITIVE_INFINITY) <= startedAt &&
          block.evaluated_at_ms <= wall.min &&
          wall.max < block.evaluated_at_ms + cooldownMs,
      )
    const blocks = this.#blocksOf(record)
    // After the clock was set, a later one may have taken its place: by then it had ended, or lay in the future.
    const isReplaced = ({ place, evaluated_at_ms: atMs }: StoredRecord): boolean =>
      blocks.some(
        ({ place: laterPlace, evaluated_at_ms: laterAtMs }) =>
          laterPlace > place && (laterAtMs >= atMs + cooldownMs || laterAtMs < atMs - clockSkewMsMax),
      )
    const block = blocks.find((one) => holds(one) && !isReplaced(one))
    ensure(block === undefined, `${name} is a GO after the NO-GO ${block?.request_id} was acknowledged`)
  }

  /** The decisions that blocked the corridor of a record. */
  #blocksOf({ owner_id: ownerId, mode, corridor }: StoredRecord): StoredRecord[] {
    return [...this.records.values()].filter(
      (other) =>
        isBlock(other) && other.owner_id === ownerId && other.mode === mode && other.corridor === corridor,
    )
  }

  /** A cooldown repeats a `NO-GO` of the same owner, mode and corridor, within its window. */
  #inspectHit(record: StoredRecord, { name, calls }: Payment): void {
    this.#parts.books.count('cooldown hits')
    const source = this.records.get(String(record.cooldown_source_id))
    ensure(source !== undefined, `${name} repeats a decision that does not exist`)
    const isSame =
      source.owner_id === record.owner_id &&
      source.mode === record.mode &&
      source.corridor === record.corridor &&
      source.evaluated_at_ms === record.evaluated_at_ms
    ensure(isSame, `${name} repeats a decision of another owner, mode, corridor or time`)
    ensure(isBlock(source) && record.decision === 'NO-GO', `${name} repeats a decision that is not a block`)
    const isWithin = calls.some(
      ({ wall }) =>
        wall.max >= source.evaluated_at_ms - clockSkewMsMax && wall.min < source.evaluated_at_ms + cooldownMs,
    )
    ensure(isWithin, `${name} is a cooldown hit outside the window of ${source.request_id}`)
  }

  /** Nothing may be computed during a block that was written before the call, if it is the only one. */
  #inspectNotBlocked(record: StoredRecord, { name, calls }: Payment): void {
    const [call, ...more] = calls
    if (call === undefined || more.length > 0) return
    const { min, max } = call.wall
    const lane = this.#blocksOf(record).filter((other) => other.evaluated_at_ms > min - 3 * cooldownMs)
    const active = lane.filter(
      ({ evaluated_at_ms: atMs, request_id: id }) =>
        atMs <= min && max < atMs + cooldownMs && (this.#parts.books.writtenAt.get(id) ?? 0) < call.startedAt,
    )
    const isBlocked = active.length > 0 && active.length === lane.length
    ensure(!isBlocked, `${name} was computed although ${active[0]?.request_id} blocks its corridor`)
  }

  #inspectCalls(): void {
    const { books } = this.#parts
    for (const call of books.open) {
      if (call.outcome === null) continue
      books.open.delete(call)
      this.#inspectCall(call)
    }
  }

  #inspectCall({ payment, outcome, ...call }: VerifyCall): void {
    const { name, calls } = payment
    const record = this.recordOf(payment)
    const { books } = this.#parts
    books.count(`outcome ${outcome?.kind}`)
    if (outcome?.kind === 'decided') {
      if (outcome.answer.includes('"idempotency_hit":true')) books.count('outcome replayed')
      ensure(record !== null, `${name} was answered but has no record`)
      // The correlation id is kept apart from the stored answer.
      const stored = record.answer.replace(
        `"request_id":"${record.request_id}"`,
        (id) => `${id},"correlation_id":"${record.correlation_id}"`,
      )
      const isStored = outcome.answer.startsWith(stored.slice(0, -1))
      ensure(
        isStored && outcome.requestId === record.request_id,
        `the record of ${name} does not match its answer`,
      )
    }
    if (outcome?.kind === 'conflict') {
      const first = this.#byKey.get(keyOf(payment) ?? '')
      ensure(first !== undefined && first !== record, `${name} got a conflict without a cause`)
    }
    if (outcome?.kind === 'unavailable') {
      ensure(call.faultsAfter > call.faultsBefore, `${name} got 'unavailable' without a store fault`)
    }
    const mayExist = calls.some((one) => one.outcome === null || mayHaveRecord.has(one.outcome.kind))
    ensure(record === null || mayExist, `${name} got ${outcome?.kind} but has a record`)
  }

  #inspectOverrides(): void {
    const { books } = this.#parts
    const stored = this.#statements.overrides.all() as unknown as StoredOverride[]
    for (const { request_id: requestId, override_id: overrideId } of stored) {
      if (this.#overridden.has(requestId)) continue
      this.#overridden.set(requestId, overrideId)
      books.count('overrides')
      const record = this.records.get(requestId)
      ensure(
        record !== undefined && record.decision !== 'GO',
        `an override of a decision that needs none: ${requestId}`,
      )
    }
    ensure(
      stored.length === books.overridesWritten.size,
      `${stored.length} overrides are stored of ${books.overridesWritten.size} written`,
    )
    for (const { requestId, outcome } of books.overrideCalls) {
      if (outcome === null) continue
      const existing = this.#overridden.get(requestId)
      if (outcome.kind === 'recorded') {
        ensure(
          existing === outcome.override.overrideId,
          `an override of ${requestId} was answered but not stored`,
        )
      }
      const isRequired = outcome.kind === 'review_required'
      ensure(!isRequired || this.#parts.terms.requiresReview, `an override of ${requestId} needs no review`)
      ensure(
        outcome.kind !== 'exists' || existing !== undefined,
        `an override of ${requestId} was refused without a reason`,
      )
    }
  }
}

/** A `NO-GO` that only rules of a policy caused blocks nobody else. */
function isBlock({ decision, cooldown_source_id: sourceId, answer, evidence }: StoredRecord): boolean {
  if (decision !== 'NO-GO' || sourceId !== null) return false
  const { band, gate } = JSON.parse(evidence) as ComputedEvidence
  const { corridor_supported: isSupportedCorridor } = JSON.parse(answer) as StoredAnswer
  return gate === 'block' || (isSupportedCorridor && band === 'NO-GO')
}

function keyOf({ caller, idempotencyKey }: Payment): string | null {
  return idempotencyKey === null ? null : `${caller.record.ownerId} ${idempotencyKey}`
}

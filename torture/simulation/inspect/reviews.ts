/** Checks reviews: one for each decision that needs a person, histories by the rules, rows and overrides that match them. */

import type { StoredAnswer } from '../../../src/app/verify/answer.ts'
import { isWaiting } from '../../../src/core/review/life.ts'
import type { Books } from '../books.ts'
import type { ReviewBooks, StoredChange } from '../reviews/books.ts'
import type { Desk } from '../reviews/desk.ts'
import type { WorldTerms } from '../reviews/terms.ts'
import type { StoredRecord, WorldDatabase } from '../world-database.ts'
import type { JournalInspector } from './journal.ts'
import { inspectReviewCall } from './review-calls.ts'
import { ReviewHistory } from './review-history.ts'
import { ensure } from './violation.ts'

interface StoredReview {
  readonly review_id: string
  readonly owner_id: string
  readonly request_id: string
  readonly mode: string
  readonly corridor: string
  readonly decision: string
  readonly recommended_action: string
  readonly amount: number | null
  readonly opened_at_ms: number
  readonly due_at_ms: number
  readonly expires_at_ms: number
  readonly status: 'open' | 'claimed' | 'proposed' | 'approved' | 'rejected' | 'expired' | 'overridden'
  readonly claimed_by: string
  readonly version: number
  readonly repeats: number
  readonly closed_at_ms: number | null
}

export interface StoredOverride {
  readonly request_id: string
  readonly override_id: string
  readonly key_id: string
  readonly action: string
  readonly reason_code: string
  readonly created_at_ms: number
  readonly review_id: string | null
  readonly approved_key_id: string | null
}

interface Parts {
  readonly worldDatabase: WorldDatabase
  readonly books: Books
  readonly reviews: ReviewBooks
  readonly desk: Desk
  readonly terms: WorldTerms
  readonly journal: JournalInspector
}

type Records = ReadonlyMap<string, StoredRecord>

/** A decision has at most one review, with the digits of its own id. */
const reviewIdOf = (requestId: string): string => `rev_${requestId.slice(-26).toLowerCase()}`

export class ReviewInspector {
  readonly #parts: Parts
  readonly #histories = new Map<string, ReviewHistory>()
  /** Whether a decision needs a person, by its id. */
  readonly #needs = new Map<string, boolean>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Throws at the first violation. Needs the positions of followers as they are now. */
  inspect(records: Records): void {
    const { reviews, worldDatabase } = this.#parts
    const unknown = reviews.readChanges()
    ensure(unknown.length === 0, `${unknown[0]?.review_id} has a change that nobody made`)
    const rows = worldDatabase.prepare('SELECT * FROM reviews').all() as unknown as StoredReview[]
    const byId = new Map(rows.map((row) => [row.review_id, row]))
    this.#readHistories(byId)
    this.#inspectOpened(records, byId)
    for (const row of rows) this.#inspectRow(row)
    this.#inspectOverrides(byId)
    this.#inspectCalls()
  }

  /** Once nothing is under way: no review waits whose time is over. */
  ensureExpired(nowMs: number): void {
    const rows = this.#parts.worldDatabase.prepare('SELECT * FROM reviews').all() as unknown as StoredReview[]
    for (const { review_id: id, status, expires_at_ms: expiresAtMs } of rows) {
      this.#parts.books.count(`reviews ${status}`)
      ensure(!isWaiting(status) || expiresAtMs > nowMs, `${id} is ${status} although it has expired`)
    }
  }

  #readHistories(byId: ReadonlyMap<string, StoredReview>): void {
    const { reviews, desk, terms } = this.#parts
    for (const [reviewId, changes] of reviews.histories) {
      const review = byId.get(reviewId)
      ensure(review !== undefined, `${reviewId} has changes and no row`)
      const history = this.#histories.get(reviewId) ?? new ReviewHistory(reviewId)
      this.#histories.set(reviewId, history)
      for (const change of changes.slice(history.changes.length)) {
        const reviewer = desk.find(change.key_id)
        const isKnown = change.key_id === null || reviewer !== null
        ensure(isKnown, `${reviewId} was ${change.kind} by ${change.key_id}, who is not at the desk`)
        ensure(
          reviewer === null || reviewer.ownerId === review.owner_id,
          `${reviewId} was ${change.kind} by a principal of another owner`,
        )
        history.add(change, {
          principal: reviewer?.principal ?? null,
          mayApprove: reviewer?.may('review:approve') === true,
          needsTwo: terms.needsTwo(review.amount),
          expiresAtMs: review.expires_at_ms,
        })
        this.#inspectChange(change, review)
      }
    }
  }

  #inspectChange(change: StoredChange, review: StoredReview): void {
    const { kind, request_id: requestId, owner_id: ownerId } = change
    const { reviews, books } = this.#parts
    const isSame = requestId === review.request_id && ownerId === review.owner_id
    ensure(isSame, `a change of ${review.review_id} belongs to another decision or owner`)
    const isInTime = kind !== 'expired' || reviews.wallMaxMs >= review.expires_at_ms
    ensure(isInTime, `${review.review_id} expired before its time`)
    books.count(`review changes ${kind}`)
  }

  /** One review for each decision that needs one and was followed, and none for any other. */
  #inspectOpened(records: Records, byId: ReadonlyMap<string, StoredReview>): void {
    const { journal } = this.#parts
    const expected = new Set<string>()
    const repeats = new Map<string, number>()
    for (const record of records.values()) {
      if (!this.#needsReview(record) || !journal.hasPassed('reviews', record.request_id)) continue
      const { cooldown_source_id: sourceId } = record
      const reviewId = reviewIdOf(sourceId ?? record.request_id)
      if (sourceId !== null) repeats.set(reviewId, (repeats.get(reviewId) ?? 0) + 1)
      else {
        expected.add(reviewId)
        this.#inspectSubject(record, byId.get(reviewId))
      }
    }
    for (const { review_id: id, repeats: counted } of byId.values()) {
      ensure(expected.has(id), `${id} is a review of a decision that needs none, or was not followed`)
      const times = repeats.get(id) ?? 0
      ensure(counted === times, `${id} counts ${counted} of ${times} repeats`)
    }
  }

  #needsReview({ request_id: id, decision, answer }: StoredRecord): boolean {
    const known = this.#needs.get(id)
    if (known !== undefined) return known
    const { recommended_action: action } = JSON.parse(answer) as StoredAnswer
    const isNeeded = decision !== 'GO' || action !== 'PROCEED'
    this.#needs.set(id, isNeeded)
    if (isNeeded && decision === 'GO') this.#parts.books.count('reviews of a GO')
    return isNeeded
  }

  #inspectSubject(record: StoredRecord, row: StoredReview | undefined): void {
    ensure(row !== undefined, `the decision ${record.request_id} was followed and has no review`)
    const { dueMs, expiresMs } = this.#parts.terms
    const { recorded_at_ms: atMs } = record
    const isAsDecided =
      row.request_id === record.request_id &&
      row.owner_id === record.owner_id &&
      row.mode === record.mode &&
      row.corridor === record.corridor &&
      row.decision === record.decision &&
      row.amount === record.amount &&
      row.opened_at_ms === atMs
    ensure(isAsDecided, `${row.review_id} does not match its decision`)
    const isDue = row.due_at_ms === atMs + dueMs && row.expires_at_ms === atMs + expiresMs
    ensure(isDue, `${row.review_id} is due or expires at another time than its decision and the terms give`)
  }

  #inspectRow(row: StoredReview): void {
    const history = this.#histories.get(row.review_id)
    ensure(history !== undefined, `${row.review_id} has no changes`)
    const { status, holder, changes } = history
    const closedAtMs = isWaiting(row.status) ? null : history.last?.at_ms
    ensure(row.status === status, `${row.review_id} is ${row.status}, and its changes make it ${status}`)
    ensure(row.version === changes.length, `${row.review_id} has version ${row.version} of ${changes.length}`)
    const claimedBy = holder?.principalId ?? ''
    ensure(row.claimed_by === claimedBy, `${row.review_id} is claimed by ${row.claimed_by}, not ${claimedBy}`)
    ensure(row.closed_at_ms === closedAtMs, `${row.review_id} is closed at another time than its changes say`)
  }

  /** An override with an approval belongs to one approved review, and an approval has its override unless of a `GO`. */
  #inspectOverrides(byId: ReadonlyMap<string, StoredReview>): void {
    const { worldDatabase, terms, journal } = this.#parts
    const overrides = worldDatabase.prepare('SELECT * FROM overrides').all() as unknown as StoredOverride[]
    for (const override of overrides) {
      const { override_id: id, request_id: requestId, review_id: reviewId } = override
      if (reviewId !== null) this.#inspectApproved(override, this.#histories.get(reviewId))
      else {
        ensure(!terms.requiresReview, `the override ${id} was recorded without a review`)
        const review = byId.get(reviewIdOf(requestId))
        const isClosed = review === undefined || !isWaiting(review.status)
        const isFollowed = journal.hasPassed('reviews', id)
        ensure(isClosed || !isFollowed, `${review?.review_id} is open although ${id} overrides its decision`)
      }
    }
    const ids = new Map(overrides.map((one) => [one.override_id, one]))
    for (const { reviewId, last } of this.#histories.values()) {
      if (last?.kind !== 'approved' && last?.kind !== 'overridden') continue
      const isOfGo = last.kind === 'approved' && byId.get(reviewId)?.decision === 'GO'
      const override = last.override_id === null ? undefined : ids.get(last.override_id)
      ensure(
        isOfGo === (override === undefined),
        `${reviewId} is ${last.kind}, with override ${last.override_id}`,
      )
      if (override === undefined) continue
      const isSame =
        override.request_id === last.request_id &&
        (last.kind === 'approved' || override.key_id === last.key_id)
      const isOwn = override.review_id === (last.kind === 'approved' ? reviewId : null)
      ensure(isSame && isOwn, `${reviewId} is ${last.kind} by an override of another kind or decision`)
    }
  }

  #inspectApproved(override: StoredOverride, history: ReviewHistory | undefined): void {
    const { override_id: id, review_id: reviewId } = override
    const { last, proposal } = history ?? {}
    const isApproved = last?.kind === 'approved' && last.override_id === id
    ensure(isApproved, `the override ${id} names ${reviewId}, which was not approved with it`)
    const isAsProposed =
      override.key_id === proposal?.key_id &&
      override.action === proposal.action &&
      override.reason_code === proposal.reason_code &&
      override.approved_key_id === last.key_id &&
      override.created_at_ms === last.at_ms
    ensure(isAsProposed, `the override ${id} is not as it was proposed and approved`)
  }

  #inspectCalls(): void {
    const { reviews, books } = this.#parts
    for (const call of reviews.open) {
      if (call.outcome === null) continue
      reviews.open.delete(call)
      reviews.walls.delete(call.wall)
      const { outcome } = call
      const refusal = outcome.kind === 'refused' ? ` ${outcome.refusal}` : ''
      books.count(`reviewer ${outcome.kind}${refusal}`)
      inspectReviewCall(call, this.#histories.get(call.reviewId), this.#parts)
    }
  }
}

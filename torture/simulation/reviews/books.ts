/** The calls of reviewers with their answers, and the changes of reviews in the order in which the database has them. */

import type { ActResult } from '../../../src/app/review/reviews.ts'
import type { ReviewAct, ReviewChangeKind } from '../../../src/core/review/life.ts'
import type { SubscribableKind } from '../../../src/core/events/event.ts'
import type { Life } from '../schedule.ts'
import type { WorldDatabase } from '../world-database.ts'
import type { Reviewer } from './desk.ts'

/** The range of the wall clock during a call. */
export interface WallRange {
  min: number
  max: number
}

/** One call of a reviewer. */
export interface ReviewCall {
  readonly reviewId: string
  readonly reviewer: Reviewer
  readonly act: ReviewAct
  readonly life: Life
  readonly wall: WallRange
  /** Null while it is pending. */
  outcome: ActResult | { readonly kind: 'unavailable' | 'cut_off' } | null
}

/** A row of the table of changes. */
export interface StoredChange {
  readonly place: number
  readonly change_id: string
  readonly review_id: string
  readonly number: number
  readonly owner_id: string
  readonly request_id: string
  readonly kind: ReviewChangeKind
  readonly key_id: string | null
  readonly person_id: string | null
  readonly principal_id: string | null
  readonly action: string | null
  readonly reason_code: string | null
  readonly proposal_id: string | null
  readonly override_id: string | null
  readonly due_at_ms: number | null
  readonly expires_at_ms: number | null
  readonly at_ms: number
  readonly text: string | null
}

const eventOf: Readonly<Partial<Record<ReviewChangeKind, SubscribableKind>>> = {
  opened: 'payment.review.opened',
  approved: 'payment.review.closed',
  expired: 'payment.review.closed',
  overridden: 'payment.review.closed',
}

/** Null for a change without an event. */
export const eventKindOf = (kind: ReviewChangeKind): SubscribableKind | null => eventOf[kind] ?? null

const changesSql = `SELECT rowid AS place, change_id, review_id, number, owner_id, request_id, kind, key_id, person_id,
    principal_id, action, reason_code, proposal_id, override_id, due_at_ms, expires_at_ms, at_ms,
    (SELECT personal_text FROM personal_texts WHERE subject_id = change_id) AS text
  FROM review_changes WHERE rowid > ? ORDER BY rowid`

export class ReviewBooks {
  readonly calls: ReviewCall[] = []
  /** Pending, or ended since the last inspection. */
  readonly open = new Set<ReviewCall>()
  /** By the id of the review, in the order in which they were written. */
  readonly histories = new Map<string, StoredChange[]>()
  readonly changeIds = new Set<string>()
  /** Of calls under way. */
  readonly walls = new Set<WallRange>()
  /** The latest time that the wall clock ever had. */
  wallMaxMs = 0
  readonly #worldDatabase: WorldDatabase
  #readUpTo = 0

  constructor(worldDatabase: WorldDatabase) {
    this.#worldDatabase = worldDatabase
  }

  /** The changes since the last call. */
  readChanges(): StoredChange[] {
    const added = this.#worldDatabase.prepare(changesSql).all(this.#readUpTo) as unknown as StoredChange[]
    for (const change of added) {
      this.#readUpTo = change.place
      this.changeIds.add(change.change_id)
      const history = this.histories.get(change.review_id) ?? []
      history.push(change)
      this.histories.set(change.review_id, history)
    }
    return added
  }

  /** Starts to follow the wall clock for a call. */
  watchWall(nowMs: number): WallRange {
    const wall = { min: nowMs, max: nowMs }
    this.walls.add(wall)
    return wall
  }

  cutOff(life: Life): void {
    for (const call of this.open) if (call.life === life) call.outcome ??= { kind: 'cut_off' }
  }

  recordTime(nowMs: number): void {
    this.wallMaxMs = Math.max(this.wallMaxMs, nowMs)
    for (const wall of this.walls) {
      wall.min = Math.min(wall.min, nowMs)
      wall.max = Math.max(wall.max, nowMs)
    }
  }
}

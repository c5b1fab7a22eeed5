/** Decisions as they are recorded, what is attached to them, and the two commands of the hot path. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { ActualOutcome } from '../../core/live/outcome.ts'
import type { OverrideAction } from '../../core/events/override.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { RollupNote } from './summary.ts'

/** One decision as it is kept: once, for ever. */
export interface Verification {
  readonly requestId: RequestId
  readonly ownerId: string
  readonly keyId: string
  readonly mode: Mode
  readonly corridor: Corridor
  readonly verdict: Verdict
  readonly scoreHundredths: number
  readonly confidenceHundredths: number
  /** The request's own amount and currency, not the corridor's. */
  readonly amount: number | null
  readonly currency: Currency
  readonly correlationId: string | null
  readonly evaluatedAtMs: number
  readonly recordedAtMs: number
  /** The record whose decision a cooldown repeated, or null where this one was computed. */
  readonly cooldownSourceId: RequestId | null
  /** The answer as it was sent, JSON without the two members that differ in a replay. */
  readonly answer: string
  /** What the decision rests on, JSON: see `app/verify/evidence.ts`. */
  readonly evidence: string
}

export type VerificationSummary = Omit<Verification, 'answer' | 'evidence'>

/** What is needed of a record to answer with it again. */
export type RepeatedRecord = Pick<
  Verification,
  'requestId' | 'mode' | 'verdict' | 'scoreHundredths' | 'confidenceHundredths' | 'evaluatedAtMs' | 'answer'
>

export interface IdempotencyClaim {
  readonly key: string
  readonly fingerprint: string
}

export interface LookCommand {
  readonly ownerId: string
  readonly mode: Mode
  readonly corridor: Corridor
  readonly idempotency: IdempotencyClaim | null
}

/** What an earlier request left for this one: its own answer, a clash, or an open way with perhaps a block on it. */
export type Look =
  | { readonly kind: 'replay'; readonly record: RepeatedRecord }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'open'; readonly block: Block | null }

export interface Block {
  readonly blockedAtMs: number
  readonly record: RepeatedRecord
}

export interface CommitCommand {
  readonly record: Verification
  readonly idempotency: IdempotencyClaim | null
  /** Set by a computed `NO-GO`: the corridor is blocked from `blockedAtMs`, unless such a window is open already. */
  readonly block: { readonly blockedAtMs: number; readonly windowMs: number } | null
  /** Counted in the same transaction. */
  readonly noted: RollupNote
}

export type Claim =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'replay'; readonly record: RepeatedRecord }
  | { readonly kind: 'conflict' }

export interface HistoryQuery {
  readonly limit: number
  /** Only ids before this one. */
  readonly before: RequestId | null
  readonly verdict: Verdict | null
  readonly corridor: Corridor | null
  readonly correlationId: string | null
  /** Recording time, inclusive. */
  readonly fromMs: number | null
  /** Recording time, exclusive. */
  readonly toMs: number | null
}

/** A person's word on a decision, kept beside it: once, for ever. */
export interface Override {
  readonly overrideId: string
  readonly requestId: RequestId
  readonly ownerId: string
  readonly keyId: string
  readonly action: OverrideAction
  readonly reasonCode: string
  readonly justification: string
  readonly originalVerdict: Verdict
  readonly createdAtMs: number
}

/** How the payment of a decision ended, in the words of its owner; kept beside the decision, once, for ever. */
export interface ReportedOutcome {
  readonly requestId: RequestId
  readonly ownerId: string
  readonly keyId: string
  readonly mode: Mode
  readonly corridor: Corridor
  readonly outcome: ActualOutcome
  /** Null where it was not said. */
  readonly occurredAtMs: number | null
  readonly reportedAtMs: number
}

/** A record with what was said of it since. */
export type Followed<Record> = Record & {
  readonly override: Override | null
  /** The last word: how it ended or, until then, that it is pending. */
  readonly outcome: ReportedOutcome | null
}

/** Records of decisions, their overrides and outcomes, and the two store commands of verify. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { ActualOutcome } from '../../core/live/outcome.ts'
import type { OverrideAction } from '../../core/events/override.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { RollupInput } from './summary.ts'

/** One decision as stored: written once, never changed. */
export interface Verification {
  readonly requestId: RequestId
  readonly ownerId: string
  readonly keyId: string
  readonly mode: Mode
  readonly corridor: Corridor
  readonly verdict: Verdict
  readonly scoreHundredths: number
  readonly confidenceHundredths: number
  /** The amount and currency of the request, not of the corridor. */
  readonly amount: number | null
  readonly currency: Currency
  readonly correlationId: string | null
  readonly evaluatedAtMs: number
  readonly recordedAtMs: number
  /** The record whose decision a cooldown repeated; null if this one was computed. */
  readonly cooldownSourceId: RequestId | null
  /** The answer as sent: JSON without the two members that differ in a replay. */
  readonly answer: string
  /** JSON: see `app/verify/evidence.ts`. */
  readonly evidence: string
}

export type VerificationSummary = Omit<Verification, 'answer' | 'evidence'>

/** The columns of a record that are needed to replay or repeat its answer. */
export type RepeatedRecord = Pick<
  Verification,
  'requestId' | 'mode' | 'verdict' | 'scoreHundredths' | 'confidenceHundredths' | 'evaluatedAtMs' | 'answer'
>

export interface IdempotencyClaim {
  readonly key: string
  readonly fingerprint: string
}

export interface LookupCommand {
  readonly ownerId: string
  readonly mode: Mode
  readonly corridor: Corridor
  readonly idempotency: IdempotencyClaim | null
}

/** The result of a lookup: an earlier answer under the key, a conflict, or neither, with any block on the corridor. */
export type Lookup =
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
  /** Set by a computed `NO-GO`: blocks the corridor from `blockedAtMs`, unless a window is already open. */
  readonly block: { readonly blockedAtMs: number; readonly windowMs: number } | null
  /** Added to the rollups in the same transaction. */
  readonly rollup: RollupInput
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

/** A person's override of a decision; recorded permanently. */
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

/** How the payment of a decision ended, as reported by its owner; recorded permanently. */
export interface ReportedOutcome {
  readonly requestId: RequestId
  readonly ownerId: string
  readonly keyId: string
  readonly mode: Mode
  readonly corridor: Corridor
  readonly outcome: ActualOutcome
  /** Null if not reported. */
  readonly occurredAtMs: number | null
  readonly reportedAtMs: number
}

/** A record with its override and outcome. */
export type Annotated<Record> = Record & {
  readonly override: Override | null
  /** The latest report: the final outcome or, before it, `PENDING`. */
  readonly outcome: ReportedOutcome | null
}

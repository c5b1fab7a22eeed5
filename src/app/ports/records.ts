/** Records of decisions, their overrides, outcomes and sums, the acts of operators, and the two store commands of verify. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { ActualOutcome } from '../../core/live/outcome.ts'
import type { OverrideAction } from '../../core/events/override.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { ReasonCode } from '../../core/decision/reasons.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { Admission } from '../../core/time/rolling-window.ts'
import type { CountedCell, PredictedRecord } from '../../core/calibration/cells.ts'
import type { Totals } from '../../core/time/rollup.ts'
import type { Range, Step } from '../../core/time/summary.ts'
import type { Ticket } from './limiter.ts'

/** The salted hash of a personal text, which is kept apart. The salt is null once the text is erased. */
export interface PersonalText {
  readonly hash: string
  readonly salt: string | null
}

/** Form 1 holds personal text itself; form 2 holds its salted hash. */
export type StoredForm = 1 | 2

/** One decision as stored: written once, never changed. */
export interface Verification {
  readonly form: StoredForm
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
  /** Also null if it was erased. */
  readonly correlationId: string | null
  /** In form 2: of the correlation id; null without one. */
  readonly personalText: PersonalText | null
  readonly evaluatedAtMs: number
  readonly recordedAtMs: number
  /** The record whose decision a cooldown repeated; null if this one was computed. */
  readonly cooldownSourceId: RequestId | null
  /** The answer: JSON without the two members that differ in a replay and, in form 2, without the correlation id. */
  readonly answer: string
  /** JSON: see `app/verify/evidence.ts`. */
  readonly evidence: string
}

/** A record in a list. */
export type ListedVerification = Omit<Verification, 'evidence'>

export type VerificationSummary = Omit<Verification, 'answer' | 'evidence'>

/** The columns of a record that are needed to replay or repeat its answer. */
export type RepeatedRecord = Pick<
  Verification,
  | 'form'
  | 'requestId'
  | 'correlationId'
  | 'mode'
  | 'verdict'
  | 'scoreHundredths'
  | 'confidenceHundredths'
  | 'evaluatedAtMs'
  | 'answer'
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
  /** Counted by the follower `totals`. */
  readonly rollup: RollupInput
}

export type Claim =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'replay'; readonly record: RepeatedRecord }
  | { readonly kind: 'conflict' }

/** A decision made before anything was looked up. It is recorded if it is admitted, its key new and its corridor open. */
export interface AheadCommand extends CommitCommand {
  readonly ticket: Ticket
  /** No block may have begun in this time; null for a decision that repeats the block. */
  readonly openSince: { readonly afterMs: number; readonly untilMs: number } | null
}

export interface AheadClaim {
  readonly admission: Admission
  /** False if it was refused, or if a lookup finds its key or a block. */
  readonly isRecorded: boolean
}

/** Saves round trips where every lookup is one: nothing is looked up first, and the commit says what was in the way. */
export interface AheadStore {
  /** A block that is known from earlier; null if it is better to look first. */
  expect(command: LookupCommand): { readonly block: Block | null } | null
  /** Resolves only when the command is durable, or refused. */
  commit(command: AheadCommand): Promise<AheadClaim>
}

/** Filters that an index answers: a page costs the same in a history of any length. */
export interface HistoryFilters {
  readonly verdict: Verdict | null
  readonly corridor: Corridor | null
  readonly correlationId: string | null
  /** Recording time, inclusive. */
  readonly fromMs: number | null
  /** Recording time, exclusive. */
  readonly toMs: number | null
}

export interface HistoryQuery extends HistoryFilters {
  readonly limit: number
  /** Only ids before this one. */
  readonly before: RequestId | null
}

/** Filters that no index answers: each record must be looked at. Null for no filter. */
export interface RecordMatch {
  readonly mode: Mode | null
  readonly reason: ReasonCode | null
  readonly currency: Currency | null
  /** Inclusive, both; a record without an amount matches neither. */
  readonly amountMin: number | null
  readonly amountMax: number | null
  readonly isOverridden: boolean | null
  /** The latest report; `none` for decisions without one. */
  readonly outcome: ActualOutcome | 'none' | null
}

/** A page of a search. It may hold fewer records than its limit, though older ones match. */
export interface HistorySearch extends HistoryQuery {
  readonly match: RecordMatch
  /** The records to look at for one page, at most. */
  readonly searchMax: number
}

export interface Searched<Found> {
  readonly found: readonly Found[]
  /** The oldest record that was looked at, if older ones were not. */
  readonly searchedTo: RequestId | null
}

/** A record that is counted. */
export type AmountRecord = Pick<Verification, 'requestId' | 'verdict' | 'amount' | 'currency'>

/** The principal who acts, and the key or the session by which. */
export interface Actor {
  readonly kind: 'key' | 'person' | 'operator'
  /** The id of the key or the person; the operator's name. */
  readonly id: string
  readonly name: string
  /** Two actors with the same one are not four eyes. */
  readonly principalId: string
  /** The session of a person. */
  readonly sessionId?: string
}

/** Names the principal of a record. The leaf has all of it but the name, which is read from the key or the person. */
export interface Attributed {
  /** The key, or the session of a person. */
  readonly keyId: string
  /** Null for a key. */
  readonly personId: string | null
  /** Null in records from before principals. */
  readonly principalId: string | null
  /** For display. */
  readonly actorName: string
}

/** A person's override of a decision; recorded permanently. */
export interface Override extends Attributed {
  readonly form: StoredForm
  readonly overrideId: string
  readonly requestId: RequestId
  readonly ownerId: string
  readonly action: OverrideAction
  readonly reasonCode: string
  /** Null if it was erased. */
  readonly justification: string | null
  /** In form 2: of the justification. */
  readonly personalText: PersonalText | null
  readonly originalVerdict: Verdict
  readonly createdAtMs: number
  /** The principal who approved it in a review; null without one. */
  readonly approval: Approval | null
}

export interface Approval extends Attributed {
  readonly reviewId: string
}

/** How the payment of a decision ended, as reported by its owner; recorded permanently. */
export interface ReportedOutcome extends Attributed {
  /** Null for an outcome that is not in the log: it was reported to an earlier version. */
  readonly outcomeId: string | null
  readonly requestId: RequestId
  readonly ownerId: string
  readonly mode: Mode
  readonly corridor: Corridor
  readonly outcome: ActualOutcome
  /** The partner that the payment went through; null if not reported. */
  readonly partner: string | null
  /** Null if not reported. */
  readonly occurredAtMs: number | null
  readonly reportedAtMs: number
}

/** An outcome to record, with what it is counted by. */
export interface OutcomeReport {
  readonly outcome: ReportedOutcome
  readonly predicted: PredictedRecord
}

/** A record with its override and outcome. */
export type Annotated<Record> = Record & {
  readonly override: Override | null
  /** The latest report: the final outcome or, before it, `PENDING`. */
  readonly outcome: ReportedOutcome | null
}

export type ActKind =
  | 'key.created'
  | 'key.revoked'
  | 'key.rotated'
  | 'access.decided'
  | 'cip.transitioned'
  | 'feeds.reloaded'
  | 'corridor.status_changed'
  | 'policy.created'
  | 'policy.candidate'
  | 'policy.promoted'
  | 'policy.rolled_back'
  | 'person.invited'
  | 'person.reset'
  | 'person.joined'
  | 'person.changed'
  | 'person.sessions_ended'
  | 'person.removed'
  | 'person.restored'
  | 'session.started'
  | 'webhook.registered'
  | 'webhook.removed'
  | 'webhook.secret_rotated'
  | 'webhook.tested'
  | 'webhook.event_resent'
  | 'webhook.events_resent'
  | 'webhook.suspended'
  | 'feeds.checked'
  | 'report.deleted'
  | 'seal_key.moved'
  | 'seal_key.changed'
  | 'text.erased'
  | 'month.dropped'
  | 'maintenance.started'
  | 'maintenance.ended'

/** An act of an operator; recorded permanently. */
export interface Act {
  readonly actId: string
  readonly kind: ActKind
  /** The key, access request, transition, corridor, policy, person, session, endpoint, report, month, job or owner; empty for the service itself. */
  readonly subject: string
  /** The operator's name, the id of the key or the person, or `server` for what the server did on a signal or saw by itself. */
  readonly by: string
  readonly atMs: number
  /** Never contains secrets. */
  readonly detail: Readonly<Record<string, string | number | null>>
}

export interface ActQuery {
  readonly limit: number
  /** Only those before this one. */
  readonly before: string | null
  /** A kind, or the first word of several, as `key`. */
  readonly kind: string | null
  readonly by: string | null
  readonly subject: string | null
  readonly fromMs: number | null
  /** Exclusive. */
  readonly toMs: number | null
}

export interface ActStore {
  /** Records an act that changes nothing else in the store. */
  record(act: Act): Promise<void>
  /** Newest first. */
  list(query: ActQuery): Promise<Act[]>
}

// Summaries, and the rollups behind them

/** Values that rollups count beyond the columns of a record. */
interface RollupInput {
  readonly reasonCodes: readonly ReasonCode[]
  /** From the arrival of the request until its record was prepared; null if not measured. */
  readonly latencyUs: number | null
}

export interface SummaryQuery {
  /** Whole hours of recording time. */
  readonly range: Range
  readonly step: Step
  readonly corridor: Corridor | null
  readonly mode: Mode | null
  readonly corridorsMax: number
}

export interface SummedDecisions {
  readonly total: number
  readonly scoreSum: number
  readonly verdicts: Readonly<Record<Verdict, number>>
}

export interface Summed {
  readonly totals: Totals
  /** By the start of the hour or day; only those with records. */
  readonly steps: ReadonlyMap<number, SummedDecisions>
  /** Most traffic first. */
  readonly corridors: readonly (SummedDecisions & { readonly corridor: Corridor })[]
  readonly corridorsTotal: number
}

// Calibration

export interface CalibrationQuery {
  /** Whole days of recording time, in UTC. */
  readonly range: Range
  readonly mode: Mode | null
  readonly corridor: Corridor | null
}

export interface CalibrationSums {
  readonly cells: readonly CountedCell[]
  /** Ended payments by the day of their decision; only days with any. */
  readonly days: readonly {
    readonly startsAtMs: number
    readonly records: number
    readonly failures: number
  }[]
}

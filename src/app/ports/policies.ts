/** Port of the policies' store. An owner of null is the installation. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { ActualOutcome } from '../../core/live/outcome.ts'
import type { PolicyChange, Refusal } from '../../core/policy/life.ts'
import type { ReportSums } from '../../core/policy/report.ts'
import type { Act, Actor, Verification } from './records.ts'

export type PolicyOwner = string | null

/** Never changes. */
export interface StoredPolicy {
  readonly policyId: string
  readonly ownerId: PolicyOwner
  /** JSON as it was given. */
  readonly document: string
  readonly sha256: string
  readonly createdAtMs: number
  readonly createdBy: Actor
}

/** Never changes. */
export interface StoredChange extends PolicyChange {
  readonly ownerId: PolicyOwner
  readonly by: Actor
  readonly reason: string | null
  readonly atMs: number
}

/** A rollback finds the policy in force by itself. */
export type NewChange = Omit<StoredChange, 'policyId'> & { readonly policyId: string | null }

export type Changed =
  | { readonly kind: 'changed'; readonly change: StoredChange }
  | { readonly kind: 'refused'; readonly refusal: Refusal | 'four_eyes' | 'too_many_changes' }

/** A page, newest first. */
export interface PolicyQuery {
  /** Only those before this one. */
  readonly before: string | null
  readonly limit: number
}

/** A policy that is a candidate, or was one, and its report so far. */
export interface Candidate {
  readonly policyId: string
  readonly ownerId: PolicyOwner
  /** Decisions recorded from then on count. */
  readonly sinceMs: number
  /** Null while it is the candidate. */
  readonly untilMs: number | null
  /** The number of the first journal entry that counts. */
  readonly fromLeaf: number
  /** Null until the first decision. */
  readonly sums: ReportSums | null
}

/** A candidate as it was read, with its new sums; null if they did not change. */
export type CandidateSums = Pick<Candidate, 'policyId' | 'sinceMs' | 'untilMs' | 'sums'>

/** Without its report, which is long. */
export type FollowedCandidate = Omit<Candidate, 'sums'>

export type BacktestStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'

export interface BacktestRange {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** Null: both. */
  readonly mode: Mode | null
}

export interface Backtest extends BacktestRange {
  readonly backtestId: string
  readonly policyId: string
  readonly ownerId: PolicyOwner
  readonly status: BacktestStatus
  readonly createdAtMs: number
  readonly endedAtMs: number | null
  readonly progress: BacktestProgress
  readonly sums: ReportSums | null
  /** A sentence, if it failed. */
  readonly error: string | null
}

export interface BacktestProgress {
  readonly done: number
  /** Null until it is counted. */
  readonly total: number | null
  /** How far the records are in the sums, in the store's own form. */
  readonly upTo: string | null
}

/** A running backtest is kept by a beat: another instance continues it when the beat stays away. */
export interface BacktestClaim {
  readonly holder: string
  readonly nowMs: number
  /** A beat before this time counts as lost. */
  readonly lostBeforeMs: number
}

export interface BacktestStep {
  readonly backtestId: string
  readonly holder: string
  readonly nowMs: number
  readonly status: Exclude<BacktestStatus, 'queued'>
  readonly progress: BacktestProgress
  readonly sums: ReportSums | null
  readonly error: string | null
}

/** The part of a record that it takes to decide it again. */
export type PolicyRecord = Pick<
  Verification,
  | 'requestId'
  | 'ownerId'
  | 'mode'
  | 'corridor'
  | 'verdict'
  | 'amount'
  | 'currency'
  | 'evaluatedAtMs'
  | 'recordedAtMs'
  | 'cooldownSourceId'
  | 'answer'
  | 'evidence'
>

/** A record with the latest report of its outcome. */
export interface RecordWithOutcome {
  readonly record: PolicyRecord
  readonly outcome: ActualOutcome | null
}

export interface Stretch extends BacktestRange {
  readonly ownerId: PolicyOwner
}

/** A part of a stretch, and how far it goes; null at the end. */
export interface StretchPart {
  readonly records: readonly RecordWithOutcome[]
  readonly upTo: string | null
}

/** An entry of the journal that a candidate's report may depend on. */
export type FollowedEntry =
  | ({ readonly kind: 'record'; readonly index: number } & RecordWithOutcome)
  /** `outcome` is the one reported by this entry, `before` the one that held until then. */
  | ({
      readonly kind: 'outcome'
      readonly index: number
      readonly before: ActualOutcome | null
    } & RecordWithOutcome)

export interface FollowedEntries {
  /** The follower's position, and where it is after these entries. */
  readonly from: number
  readonly to: number
  readonly entries: readonly FollowedEntry[]
}

export interface PolicyLimits {
  readonly countMax: number
  readonly bytesMax: number
}

export interface PolicyStore {
  /** False if the owner then had more policies, or bytes of documents, than these. */
  insert(policy: StoredPolicy, limits: PolicyLimits, act: Act): Promise<boolean>
  find(policyId: string): Promise<StoredPolicy | null>
  /** Of all owners, oldest first. */
  ids(): Promise<string[]>
  list(ownerId: PolicyOwner, query: PolicyQuery): Promise<StoredPolicy[]>
  /** Those of one owner, oldest first. */
  changes(ownerId: PolicyOwner): Promise<StoredChange[]>
  /** Those of all owners, oldest first, after this many. */
  allChanges(afterCount: number): Promise<StoredChange[]>
  /** The number of changes so far, of all owners. */
  countChanges(): Promise<number>
  /** Made only if the life of the policies and four eyes allow it, in one transaction with its act. */
  change(change: NewChange, act: Act): Promise<Changed>
  candidate(policyId: string): Promise<Candidate | null>
  /** The candidates of all owners: present ones, and those that ended after this time. */
  candidates(endedAfterMs: number): Promise<FollowedCandidate[]>
  /** The next entries for the reports of these owners' candidates, a bounded number. */
  entries(owners: readonly PolicyOwner[]): Promise<FollowedEntries>
  /**
   * Writes the reports of all candidates together with the new position. False, without a change, if another instance was
   * first, or if the candidates are others by now.
   */
  followed(
    from: number,
    to: number,
    endedAfterMs: number,
    reports: readonly CandidateSums[],
  ): Promise<boolean>
  /** The next records after `upTo`, each once, in no order that matters. */
  records(stretch: Stretch, upTo: string | null, limit: number): Promise<StretchPart>
  countRecords(stretch: Stretch): Promise<number>
  /** False if the owner has `waitingMax` unfinished ones. */
  insertBacktest(backtest: Backtest, waitingMax: number): Promise<boolean>
  findBacktest(backtestId: string): Promise<Backtest | null>
  /** Newest first. */
  backtests(policyId: string, limit: number): Promise<Backtest[]>
  /** The oldest one that nobody runs; null if there is none. */
  claimBacktest(claim: BacktestClaim): Promise<Backtest | null>
  /** False if it is no longer running here: it was cancelled, or another instance has taken it over. */
  stepBacktest(step: BacktestStep): Promise<boolean>
  /** False if it has ended. */
  cancelBacktest(backtestId: string, atMs: number): Promise<boolean>
}

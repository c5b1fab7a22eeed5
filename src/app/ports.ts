/** What the use cases need of the world. Adapters make these real; tests bring a clock of their own. */

import type { KeyPrefix, KeyType, Mode, Scope } from '../core/api-key.ts'
import type { Corridor } from '../core/corridor.ts'
import type { Currency } from '../core/currency.ts'
import type { ActualOutcome } from '../core/outcome.ts'
import type { FeedValue } from '../core/feed-map.ts'
import type { OverrideAction } from '../core/override.ts'
import type { RequestId } from '../core/request-id.ts'
import type { Admission, RateLimit } from '../core/rolling-window.ts'
import type { Telemetry, Verdict } from '../core/score.ts'
import type { Readings, SignalName } from '../core/signals.ts'

import type { AccessStore } from './ports/access.ts'
import type { CipStore } from './ports/cip.ts'
import type { CountOutcomes, FeedKind, FeedResults, FeedState } from './ports/feeds.ts'
import type { LogStore } from './ports/log.ts'
import type { StoreFigures } from './ports/metrics.ts'
import type { PartitionStore } from './ports/partitions.ts'
import type { Noted, Summed, SummaryQuery } from './ports/summary.ts'
import type { Outbox, OwnerWebhooks } from './ports/webhooks.ts'

export type * from './ports/access.ts'
export type * from './ports/backup.ts'
export type * from './ports/cip.ts'
export type * from './ports/feeds.ts'
export type * from './ports/log.ts'
export type * from './ports/metrics.ts'
export type * from './ports/partitions.ts'
export type * from './ports/summary.ts'
export type * from './ports/webhooks.ts'

export interface Clock {
  /** Wall time, for what is written down. */
  nowMs(): number
  /** Never goes back and has no meaning but its differences. */
  monotonicMs(): number
}

export interface Random {
  bytes(count: number): Uint8Array
}

/** The store cannot answer now: nothing may be said to be stored, and nothing is allowed. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

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
  /** What the decision rests on, JSON: see `app/evidence.ts`. */
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
  readonly noted: Noted
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

/** One owner's records: there is no way to ask for another's. */
export interface OwnerRecords {
  find(requestId: RequestId): Promise<Followed<Verification> | null>
  /** Newest first. */
  list(query: HistoryQuery): Promise<Followed<VerificationSummary>[]>
  /** Exact: counted with every record, never looked for among them. */
  summarise(query: SummaryQuery): Promise<Summed>
  /** Writes the override and its events, all or nothing. False where the decision has one already. */
  override(override: Override): Promise<boolean>
  /** False where the payment's end was reported already, or this very thing. */
  report(outcome: ReportedOutcome): Promise<boolean>
  /** The newest scores of live decisions that were computed, in hundredths. */
  liveScores(corridor: Corridor, countMax: number): Promise<readonly number[]>
  readonly webhooks: OwnerWebhooks
}

export interface KeyRecord {
  readonly keyId: string
  readonly ownerId: string
  /** A label for people; two keys with one label are still two owners. */
  readonly ownerLabel: string
  readonly type: KeyType
  readonly prefix: KeyPrefix
  /** Empty: all of them. */
  readonly scopes: readonly Scope[]
  /** This key's own limit on verify, or null for the service's. */
  readonly verifyLimit: RateLimit | null
  readonly createdAtMs: number
  /** A live key's end, or the earlier one that a rotation sets. */
  readonly expiresAtMs: number | null
  /** When it was revoked, to tell people; that it was is all that counts, whatever any clock says. */
  readonly revokedAtMs: number | null
}

/** A key as an operator sees it. */
export interface ListedKey extends KeyRecord {
  /** Null where it was not used since uses are noted. */
  readonly lastUsedAtMs: number | null
}

export interface KeyUse {
  readonly keyId: string
  readonly usedAtMs: number
}

/** At once, or after an overlap. */
export type KeyEnd = { readonly revokedAtMs: number } | { readonly expiresAtMs: number }

export interface KeyStore {
  /** Null for one that was revoked as well. */
  findByHash(hash: string): Promise<KeyRecord | null>
  find(keyId: string): Promise<KeyRecord | null>
  list(): Promise<ListedKey[]>
  /** Notes when keys were last used; an earlier time never takes the place of a later one. */
  noteUses(uses: readonly KeyUse[]): Promise<void>
  /** How many records were written with this key. */
  usage(keyId: string): Promise<number>
  insert(key: KeyRecord, hash: string): Promise<void>
  /** False where there is no such key; revoking twice changes nothing. */
  revoke(keyId: string, atMs: number): Promise<boolean>
  /** Inserts the new key and ends the old one, both or neither. An end that is set already is never put off. */
  replace(oldKeyId: string, end: KeyEnd, key: KeyRecord, hash: string): Promise<void>
}

/** What the store finds when it looks at itself. */
export interface Checkup {
  /** The newest migration that the database has, and the newest that this program has. */
  readonly schema: number
  readonly schemaKnown: number
  /** Whether other instances can work on the same database. */
  readonly isShared: boolean
  /** A commit waits for the disk. */
  readonly isDurable: boolean
  /** The database itself refuses to change what is recorded. */
  readonly isWriteOnce: boolean
  readonly hasKey: boolean
  readonly hasLiveKey: boolean
  readonly hasWebhook: boolean
}

export interface Store {
  look(command: LookCommand): Promise<Look>
  /** Resolves only when the command is durable. */
  commit(command: CommitCommand): Promise<Claim>
  forOwner(ownerId: string): OwnerRecords
  readonly keys: KeyStore
  readonly access: AccessStore
  readonly countOutcomes: CountOutcomes
  readonly outbox: Outbox
  readonly cip: CipStore
  readonly log: LogStore<Verification, Override>
  /** Null where all records lie in one table. */
  readonly partitions: PartitionStore | null
  checkup(nowMs: number): Promise<Checkup>
  countVerifications(): Promise<number>
  figures(nowMs: number, cooldownMs: number): Promise<StoreFigures>
  close(): Promise<void>
}

export interface Limiter {
  /**
   * Takes a place in the bucket's rolling window, or says when one is free. An open bucket is one that anybody can
   * make, by calling from another address: what is kept of these in memory has a bound.
   */
  admit(bucket: string, limit: RateLimit, isOpen?: boolean): Promise<Admission>
}

export interface SignalQuery {
  /** For whom: a feed may know an owner's own history. */
  readonly ownerId: string | null
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  /** For what is asked of others: headers that say whose trace it is part of. */
  readonly headers?: { readonly traceparent?: string }
}

export type SignalReport =
  | {
      readonly kind: 'read'
      readonly source: 'simulation' | 'live'
      readonly readings: Readings
      readonly volatility: number
      readonly recommendedPartner: string | null
      /** Of a live reading in which telemetry has a say. */
      readonly telemetry?: Telemetry
      /** Of a live reading: what each feed gave, in the order of the signals. */
      readonly feeds?: readonly FeedNote[]
    }
  | { readonly kind: 'unavailable'; readonly signals: readonly UnavailableSignal[] }

/** What is kept of a feed's word beside the risk value that was made of it. */
export interface FeedNote {
  readonly kind: FeedKind
  readonly value: FeedValue
  readonly observed_at_ms: number | null
  /** Of a value that is made of many. */
  readonly history?: { readonly have: number; readonly need: number }
}

/** One of the seven, or the telemetry where it has a say. */
export type UnavailableSignal = SignalName | 'corridor_telemetry'

export interface SignalSource {
  /** Those for which it has a feed. */
  readonly signals: readonly SignalName[]
  read(query: SignalQuery): Promise<SignalReport>
}

/** The live source, and what it can tell of its feeds. */
export interface LiveSource extends SignalSource {
  /** What each feed says now, whether or not it is enough to decide. */
  look(query: SignalQuery): Promise<FeedResults>
  states(): readonly FeedState[]
}

/** Work for many hands at once. */
export interface Crew<Job, Result> {
  /** How many jobs are done at the same time. */
  readonly size: number
  run(job: Job): Promise<Result>
  close(): Promise<void>
}

/** A file cannot be read or written. The message is a sentence that says which, and why. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** Files that appear whole, or not at all. */
export interface OutputFolder {
  readonly path: string
  append(name: string, bytes: Uint8Array): Promise<void>
  /** Puts every file under its name, and takes away those of an earlier run that this one did not write. */
  publish(stale: readonly string[]): Promise<void>
  /** Leaves nothing behind; false where it is too late for that, since the files are being put under their names. */
  discard(): Promise<boolean>
}

export interface InputFile {
  /** For people. */
  readonly name: string
  /** Null where it is not known before the end. */
  readonly sizeBytes: number | null
  /** Tells whether two paths lead to this one file. */
  readonly id: string
  readonly pieces: AsyncIterable<Uint8Array>
}

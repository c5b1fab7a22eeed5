/** Port of the store. */

import type { EventId } from '../../core/events/event.ts'
import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type {
  Verification,
  ListedVerification,
  HistorySearch,
  Searched,
  AmountRecord,
  LookupCommand,
  Lookup,
  CommitCommand,
  Claim,
  AheadStore,
  HistoryQuery,
  Override,
  OutcomeReport,
  Annotated,
  ActStore,
  SummaryQuery,
  Summed,
  CalibrationQuery,
  CalibrationSums,
} from './records.ts'
import type { ArchiveStore } from './operate/archive.ts'
import type { OwnerReports } from './assess.ts'
import type { EventPage, EventStore } from './events.ts'
import type { ErasureStore } from './privacy/erasure.ts'
import type { JournalStore } from './journal.ts'
import type { KeyStore } from './identity/keys.ts'
import type { AccessStore } from './identity/access.ts'
import type { PeopleStore, SessionStore } from './identity/people.ts'
import type { CipStore } from './cip.ts'
import type { CountOutcomes } from './feeds.ts'
import type { LogStore } from './log.ts'
import type { StoreGauges } from './metrics.ts'
import type { MaintenanceStore } from './operate/maintenance.ts'
import type { PartitionStore } from './operate/partitions.ts'
import type { PolicyStore } from './policies.ts'
import type { HoldStore } from './holds.ts'
import type { OwnerReviews, ReviewStore } from './reviews.ts'
import type { EndpointStore, Outbox, OwnerWebhooks } from './webhooks.ts'

/** The store cannot answer now. The caller must neither confirm a write nor allow a payment. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/**
 * The database refuses a statement for a cause that a retry cannot mend: a missing right, table or column, a read-only or
 * damaged file. The message is for the log.
 */
export class StoreRefusal extends StoreUnavailable {
  override readonly name = 'StoreRefusal'
}

/** The store answers, and must not be relied on. The message is for operators, and has no secrets. */
export class StoreUnsound extends StoreUnavailable {
  override readonly name = 'StoreUnsound'
}

/** Too many long reads wait for their turn. Nothing was read. */
export class ReadsBusy extends Error {
  override readonly name = 'ReadsBusy'
}

/** A start ended without a database that answers. */
export class StoreDown extends StoreUnavailable {
  override readonly name = 'StoreDown'
  readonly waitedMs: number

  constructor({ message, cause }: StoreUnavailable, waitedMs: number) {
    super(message, { cause })
    this.waitedMs = waitedMs
  }
}

/** One owner's records; gives no access to those of others. */
export interface OwnerRecords {
  find(requestId: RequestId): Promise<Annotated<Verification> | null>
  /** Newest first. */
  list(query: HistoryQuery): Promise<Annotated<ListedVerification>[]>
  /** Newest first, by filters that no index answers; each page looks at so many records at most. */
  search(query: HistorySearch): Promise<Searched<Annotated<ListedVerification>>>
  /** The amounts of such a page. */
  searchAmounts(query: HistorySearch): Promise<Searched<AmountRecord>>
  /** Reads the rollups, which the follower `totals` writes. */
  summarise(query: SummaryQuery): Promise<Summed>
  /** Reads what the follower `calibration` writes. */
  calibrate(query: CalibrationQuery): Promise<CalibrationSums>
  /** False if the decision already has one. */
  override(override: Override): Promise<boolean>
  /** The newest decisions with each of these correlation ids, at most five each, in the order of the ids. Those of a detached month are left out. */
  findCorrelated(correlationIds: readonly string[]): Promise<readonly (readonly RequestId[])[]>
  /** The decision of an override, an outcome or a change of a review, by its id; null if there is none. */
  findSubject(id: string): Promise<RequestId | null>
  /** All or none: false if a final outcome, or the same outcome, of one of the decisions is already reported. */
  report(reports: readonly OutcomeReport[]): Promise<boolean>
  /** The newest scores of computed live decisions, in hundredths. */
  liveScores(corridor: Corridor, countMax: number): Promise<readonly number[]>
  /** Blocks set since this time, newest first; at most 100. */
  blocksSince(mode: Mode, sinceMs: number): Promise<readonly OpenBlock[]>
  readonly webhooks: OwnerWebhooks
  /** Kept reports of batch assessments. */
  readonly reports: OwnerReports
  /** Opened by the follower `reviews`. */
  readonly reviews: OwnerReviews
  /** The events after this one, in the order of the log, as far as the follower `events` is; null if it is none of theirs. */
  events(after: EventId | null, limit: number): Promise<EventPage | null>
}

/** The block that a `NO-GO` left on its corridor. */
export interface OpenBlock {
  readonly corridor: Corridor
  readonly requestId: RequestId
  readonly blockedAtMs: number
}

export interface SelfCheck {
  /** The newest migration of the database, and the newest of this program. */
  readonly schema: number
  readonly schemaKnown: number
  /** Whether several instances can share the database. */
  readonly isShared: boolean
  /** Whether a commit waits for the disk. */
  readonly isDurable: boolean
  /** Whether the database refuses to change records. */
  readonly isWriteOnce: boolean
  readonly hasKey: boolean
  readonly hasLiveKey: boolean
  readonly hasWebhook: boolean
}

export interface Store {
  look(command: LookupCommand): Promise<Lookup>
  /** Resolves only when the command is durable. */
  commit(command: CommitCommand): Promise<Claim>
  /** Null if a lookup costs next to nothing. */
  readonly ahead: AheadStore | null
  forOwner(ownerId: string): OwnerRecords
  readonly keys: KeyStore
  readonly access: AccessStore
  readonly people: PeopleStore
  readonly sessions: SessionStore
  readonly countOutcomes: CountOutcomes
  readonly outbox: Outbox
  readonly endpoints: EndpointStore
  readonly journal: JournalStore
  readonly cip: CipStore
  readonly log: LogStore
  readonly policies: PolicyStore
  readonly reviews: ReviewStore
  readonly events: EventStore
  readonly holds: HoldStore
  readonly acts: ActStore
  readonly maintenance: MaintenanceStore
  readonly erasures: ErasureStore
  readonly archive: ArchiveStore
  /** Null if all records are in one table. */
  readonly partitions: PartitionStore | null
  selfCheck(nowMs: number): Promise<SelfCheck>
  /** Writes durably what nobody reads, and tries again the last decision if it failed; fails if the store cannot write. */
  probeWrite(nowMs: number): Promise<void>
  countVerifications(): Promise<number>
  gauges(nowMs: number, cooldownMs: number): Promise<StoreGauges>
  close(): Promise<void>
}

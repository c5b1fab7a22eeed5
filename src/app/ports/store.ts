/** The store: everything that is kept, behind one port. */

import type { Corridor } from '../../core/reference/corridor.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type {
  Verification,
  VerificationSummary,
  LookCommand,
  Look,
  CommitCommand,
  Claim,
  HistoryQuery,
  Override,
  ReportedOutcome,
  Followed,
} from './records.ts'
import type { KeyStore } from './keys.ts'
import type { AccessStore } from './access.ts'
import type { CipStore } from './cip.ts'
import type { CountOutcomes } from './feeds.ts'
import type { LogStore } from './log.ts'
import type { StoreFigures } from './metrics.ts'
import type { PartitionStore } from './partitions.ts'
import type { SummaryQuery, Summed } from './summary.ts'
import type { OwnerWebhooks, Outbox } from './webhooks.ts'

/** The store cannot answer now: nothing may be said to be stored, and nothing is allowed. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
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

/** What the store finds when it looks at itself. */
export interface SelfCheck {
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
  selfCheck(nowMs: number): Promise<SelfCheck>
  countVerifications(): Promise<number>
  figures(nowMs: number, cooldownMs: number): Promise<StoreFigures>
  close(): Promise<void>
}

/** The history of one review, followed change by change: which may come next, and what the row must show. */

import type { StoredChange } from '../reviews/books.ts'
import { ensure } from './violation.ts'

/** The context of a change that its row does not have. */
export interface ChangeContext {
  /** Null for what the service did by itself. */
  readonly principal: string | null
  readonly mayApprove: boolean
  /** Whether the proposer may not settle this review. */
  readonly needsTwo: boolean
  readonly expiresAtMs: number
}

interface Held {
  readonly principal: string
  readonly principalId: string
}

const isFinal = (status: string): boolean => ['approved', 'expired', 'overridden'].includes(status)
const byService = new Set(['opened', 'expired'])

/** Written from the rules of the contract, apart from the code that applies them. */
export class ReviewHistory {
  readonly reviewId: string
  readonly changes: StoredChange[] = []
  status = 'open'
  holder: Held | null = null
  proposal: StoredChange | null = null
  #proposer: string | null = null

  constructor(reviewId: string) {
    this.reviewId = reviewId
  }

  get last(): StoredChange | undefined {
    return this.changes.at(-1)
  }

  /** Throws if the change may not come here. */
  add(change: StoredChange, context: ChangeContext): void {
    const { kind, number, at_ms: atMs } = change
    const what = `${this.reviewId} was ${kind}`
    ensure(number === this.changes.length + 1, `${what} as change ${number} after ${this.changes.length}`)
    ensure((kind === 'opened') === (number === 1), `${what} as change ${number}`)
    ensure(!isFinal(this.status), `${what} although it was ${this.status}`)
    ensure((context.principal === null) === byService.has(kind), `${what} by ${context.principal}`)
    // A direct override closes a review whenever it comes.
    if (context.principal !== null && kind !== 'overridden')
      ensure(atMs < context.expiresAtMs, `${what} ${atMs - context.expiresAtMs} ms after it expired`)
    this.#apply(change, context, what)
    this.changes.push(change)
  }

  #apply(change: StoredChange, { principal, mayApprove, needsTwo }: ChangeContext, what: string): void {
    const isHolder = this.holder !== null && this.holder.principal === principal
    switch (change.kind) {
      case 'opened':
      case 'commented':
        return
      case 'claimed':
        ensure(this.holder === null, `${what} while ${this.holder?.principal} had it`)
        return this.#hold('claimed', change, principal)
      case 'released':
        ensure(this.holder !== null, `${what} and nobody had it`)
        ensure(
          isHolder || (mayApprove && this.status === 'claimed'),
          `${what} while ${this.holder.principal} had it`,
        )
        return this.#free('open')
      case 'proposed':
        ensure(this.status !== 'proposed', `${what} on top of another proposal`)
        ensure(this.holder === null || isHolder, `${what} while ${this.holder?.principal} had it`)
        this.#hold('proposed', change, principal)
        this.proposal = change
        this.#proposer = principal
        return
      case 'approved':
      case 'rejected':
        ensure(this.status === 'proposed', `${what} without a proposal`)
        ensure(change.proposal_id === this.proposal?.change_id, `${what} for another proposal`)
        ensure(!needsTwo || this.#proposer !== principal, `${what} by its proposer, ${principal}`)
        if (change.kind === 'rejected') this.#free('rejected')
        else this.status = 'approved'
        return
      case 'expired':
      case 'overridden':
        this.status = change.kind
    }
  }

  #hold(status: string, { principal_id: principalId }: StoredChange, principal: string | null): void {
    this.status = status
    this.holder ??= { principal: principal ?? '', principalId: principalId ?? '' }
  }

  #free(status: string): void {
    this.status = status
    this.holder = null
  }
}

/**
 * Delivers what is in the outbox. It works in turns: one transaction records how attempts ended and claims what is due;
 * between turns it sends. All that must survive is in the store; a dispatcher that is killed is replaced by any other.
 */

import { laneOf, type Lane } from '../../../core/events/delivery-lanes.ts'
import { leaseMs, leaseNeededMs } from '../../../core/events/retry-schedule.ts'
import { prefixedId } from '../../verify/ids.ts'
import type {
  Attempt,
  ClaimedDelivery,
  Delivery,
  EndedClaim,
  Outbox,
  WebhookSender,
} from '../../ports/webhooks.ts'
import type { Clock, Defer, Random } from '../../ports/system.ts'
import { attemptDelivery, givenBack } from './attempt.ts'
import { Endpoints, type Endpoint, type Wanted } from './endpoints.ts'

/** Ends that one turn records, so that it is short; while there are so many, the next turn comes at once. */
const endedATurn = 64
/** Sends that are begun without a pause. */
const sentAtOnce = 4
const sweptAtOnceMax = 1_000
const pruneEveryMs = 60_000
/** Beyond the longest delay that there is: a clock was set back since. */
const clockSlackMs = 60_000

/** What an operator is told. */
export interface DeliveryObserver {
  attempted(attempt: Attempt, delivered: boolean): void
  dropped(end: EndedClaim): void
  /** The store stopped answering; told once. */
  interrupted(error: unknown): void
  resumed(): void
  /** What it tells of is not in the store any more: it is dropped. */
  abandoned(delivery: Delivery): void
  /** A bug: this one delivery is left to be tried again. */
  failed(delivery: Delivery, error: unknown): void
}

export interface DispatcherDeps {
  readonly outbox: Outbox
  readonly sender: WebhookSender
  readonly clock: Clock
  readonly random: Random
  readonly retryDelaysMs: readonly number[]
  readonly observer: DeliveryObserver
  readonly defer: Defer
}

export class Dispatcher {
  readonly #deps: DispatcherDeps
  readonly #endpoints = new Endpoints()
  readonly #instance: string
  #turns = 0
  #ended: EndedClaim[] = []
  /** Whether a turn is to come, and how soon; whether one is under way. */
  #deferred: 'no' | 'soon' | 'at once' = 'no'
  #turning = false
  #sweeping: Promise<void> | null = null
  #sweptUpTo = ''
  #prunedUpTo = ''
  #prunedAtMs: number
  /** What the store did not answer when it was asked last. */
  readonly #unanswered = new Set<'sweep' | 'turn'>()
  #isStopping = false
  #watchers: (() => void)[] = []

  constructor(deps: DispatcherDeps) {
    this.#deps = deps
    this.#instance = prefixedId('ins', deps.random)
    this.#prunedAtMs = deps.clock.monotonicMs()
    deps.outbox.onWritten((webhookIds) => this.#call(webhookIds))
  }

  /** Looks for what is due, whoever wrote it, and clears away what is old. To be called again and again. */
  async sweep(): Promise<void> {
    if (this.#sweeping !== null || this.#isStopping) return
    this.#sweeping = this.#sweepOnce()
    await this.#sweeping
    this.#sweeping = null
    this.#turnSoon()
  }

  async #sweepOnce(): Promise<void> {
    try {
      await this.#callWhatIsDue()
      await this.#prune()
      this.#tellResumed('sweep')
    } catch (error) {
      this.#tellInterrupted('sweep', error)
    }
  }

  /** Resolves when nothing is under way, and nothing is due that this dispatcher knows of. */
  async settled(): Promise<void> {
    while (!this.#isIdle()) await this.#nextChange()
  }

  /** Claims nothing more, lets what is under way end, and records it. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#giveBack(this.#endpoints.surrenderAll())
    await this.#sweeping
    while (this.#turning || this.#endpoints.held > 0) await this.#nextChange()
    // What a store that does not answer cannot be told is tried again by others when the leases have ended.
    while (this.#ended.length > 0) {
      await this.#turn()
      if (this.#unanswered.has('turn')) return
    }
  }

  #call(webhookIds: readonly string[]): void {
    for (const webhookId of webhookIds) this.#endpoints.call(webhookId)
    this.#turnSoon()
  }

  async #callWhatIsDue(): Promise<void> {
    const { outbox, clock, retryDelaysMs } = this.#deps
    const waiting = await outbox.waiting({ after: this.#sweptUpTo, limit: sweptAtOnceMax })
    this.#sweptUpTo = waiting.length < sweptAtOnceMax ? '' : (waiting.at(-1)?.webhookId ?? '')
    const nowMs = clock.nowMs()
    const latestMs = nowMs + Math.max(leaseMs, ...retryDelaysMs) + clockSlackMs
    for (const { webhookId, firstDueAtMs } of waiting) {
      if (firstDueAtMs <= nowMs) this.#endpoints.call(webhookId)
    }
    for (const { webhookId, lastDueAtMs } of waiting) {
      if (lastDueAtMs <= latestMs) continue
      await outbox.bringForward(webhookId, latestMs, nowMs)
      this.#endpoints.call(webhookId)
    }
  }

  async #prune(): Promise<void> {
    const { outbox, clock } = this.#deps
    const isBetween = this.#prunedUpTo === ''
    if (isBetween && clock.monotonicMs() - this.#prunedAtMs < pruneEveryMs) return
    this.#prunedAtMs = clock.monotonicMs()
    this.#prunedUpTo = await outbox.prune({ after: this.#prunedUpTo, nowMs: clock.nowMs() })
  }

  /** There is at most one turn to come; a sooner one takes the place of a later one. */
  #turnSoon(): void {
    this.#tellWatchers()
    if (this.#turning || this.#isStopping || !this.#hasWork()) return
    const when = this.#ended.length >= endedATurn ? 'at once' : 'soon'
    if (this.#deferred === 'at once' || this.#deferred === when) return
    this.#deferred = when
    this.#deps.defer(() => {
      if (this.#deferred !== when) return
      this.#deferred = 'no'
      if (!this.#isStopping) void this.#turn()
    }, when)
  }

  #hasWork(): boolean {
    return this.#ended.length > 0 || this.#endpoints.wanted().length > 0
  }

  async #turn(): Promise<void> {
    const { outbox, clock } = this.#deps
    const ended = this.#ended.splice(0, endedATurn)
    const wanted = this.#isStopping ? [] : this.#endpoints.wanted()
    this.#turning = true
    this.#turns += 1
    const nowMs = clock.nowMs()
    try {
      const { claimed, recorded, abandoned } = await outbox.turn({
        ended,
        wanted: wanted.map(({ endpoint, count }) => ({ webhookId: endpoint.webhookId, count })),
        lease: `${this.#instance}.${this.#turns}`,
        nowMs,
        leaseEndsAtMs: nowMs + leaseMs,
      })
      this.#tellDrops(ended, recorded)
      for (const delivery of abandoned) this.#deps.observer.abandoned(delivery)
      this.#turning = false
      this.#send(wanted, claimed)
      this.#tellResumed('turn')
      this.#turnSoon()
    } catch (error) {
      // Nothing was recorded, or the answer was lost; in that case the lease is void and recording again does nothing.
      this.#ended.unshift(...ended)
      this.#turning = false
      this.#tellInterrupted('turn', error)
      this.#tellWatchers()
    }
  }

  #send(wanted: readonly Wanted[], claimed: readonly ClaimedDelivery[]): void {
    const byWebhook = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    for (const one of wanted) {
      this.#endpoints.took(one, byWebhook.get(one.endpoint.webhookId) ?? [])
      this.#sendTo(one.endpoint)
    }
    if (this.#isStopping) this.#giveBack(this.#endpoints.surrenderAll())
  }

  /** A few at a time: requests that came in meanwhile are not kept waiting for all of them. */
  #sendTo(endpoint: Endpoint): void {
    if (this.#isStopping) return
    for (let sent = 0; sent < sentAtOnce; sent += 1) {
      const delivery = this.#endpoints.start(endpoint)
      if (delivery === null) return
      void this.#attempt(endpoint, delivery)
    }
    if (endpoint.queue.length > 0) this.#deps.defer(() => this.#sendTo(endpoint), 'at once')
  }

  async #attempt(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<void> {
    const { clock, observer } = this.#deps
    let lane: Lane | null = null
    try {
      if (delivery.dueAtMs - clock.nowMs() < leaseNeededMs) this.#giveBack([delivery])
      else {
        const { attempt, ended } = await attemptDelivery(this.#deps, delivery)
        const isDelivered = ended.state === 'delivered'
        observer.attempted(attempt, isDelivered)
        this.#ended.push(ended)
        lane = laneOf(attempt.durationMs, isDelivered)
      }
    } catch (error) {
      observer.failed(delivery, error)
    }
    this.#giveBack(this.#endpoints.end(endpoint, lane))
    this.#sendTo(endpoint)
    this.#turnSoon()
  }

  #giveBack(deliveries: readonly ClaimedDelivery[]): void {
    const nowMs = this.#deps.clock.nowMs()
    for (const delivery of deliveries) this.#ended.push(givenBack(delivery, nowMs))
  }

  #tellDrops(ended: readonly EndedClaim[], recorded: ReadonlySet<number>): void {
    for (const [place, one] of ended.entries()) {
      if (one.state === 'dropped' && recorded.has(place)) this.#deps.observer.dropped(one)
    }
  }

  #tellInterrupted(what: 'sweep' | 'turn', error: unknown): void {
    const isNews = this.#unanswered.size === 0
    this.#unanswered.add(what)
    if (isNews) this.#deps.observer.interrupted(error)
  }

  #tellResumed(what: 'sweep' | 'turn'): void {
    if (this.#unanswered.delete(what) && this.#unanswered.size === 0) this.#deps.observer.resumed()
  }

  #isIdle(): boolean {
    return !this.#turning && this.#deferred === 'no' && this.#endpoints.held === 0 && !this.#hasWork()
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#watchers.push(resolve))
  }

  #tellWatchers(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const watcher of watchers) watcher()
  }
}

/**
 * Delivers the events in the outbox, in turns. One transaction per turn records ended attempts and claims due
 * deliveries; between turns it sends. All durable state is in the store, so any dispatcher can replace a killed one.
 */

import { laneOf, type Lane } from '../../../core/events/delivery-lanes.ts'
import { isHeld, pausesOf, type Pauses } from '../../../core/events/failing.ts'
import { leaseMs, leaseNeededMs } from '../../../core/events/retry-schedule.ts'
import { iso } from '../../../core/time/durations.ts'
import type { InstallationKey } from '../../log/installation-key.ts'
import { prefixedId } from '../../verify/ids.ts'
import type {
  Attempt,
  ClaimedDelivery,
  Delivery,
  EndedClaim,
  Outbox,
  Unanswered,
  WebhookSender,
} from '../../ports/webhooks.ts'
import type { Clock, Defer, Random } from '../../ports/system.ts'
import type { Tracing } from '../../ports/tracing.ts'
import { actsBy, type DescribeAct } from '../../operate/acts.ts'
import { attemptDelivery, releasedClaim, type Attempted } from './attempt.ts'
import { Endpoints, type Endpoint, type Wanted } from './endpoints.ts'

/** Interval of the outbox sweep, which picks up due retries and deliveries left by stopped instances. */
export const sweepEveryMs = 500

/** Ended claims recorded per turn, to keep turns short. With this many waiting, the next turn starts at once. */
const endedPerTurnMax = 64
/** Sends started without yielding to the event loop. */
const sendBurst = 4
const sweptEndpointsMax = 1_000
const pruneEveryMs = 60_000
/** A delivery due later than the longest delay plus this means that the clock was set back. */
const clockSlackMs = 60_000

/** Receives what operators need to know. */
export interface DeliveryObserver {
  attempted(attempt: Attempt, delivered: boolean): void
  dropped(end: EndedClaim): void
  /** The store stopped answering; called once per outage. */
  interrupted(error: unknown): void
  resumed(): void
  /** The subject is no longer in the store, so the delivery is dropped. */
  abandoned(delivery: Delivery): void
  /** Nothing more is sent to this endpoint. */
  suspended(webhook: Unanswered): void
  /** An unexpected error; the delivery is retried after its lease ends. */
  failed(delivery: Delivery, error: unknown): void
}

export interface DispatcherDeps {
  readonly outbox: Outbox
  readonly sender: WebhookSender
  readonly clock: Clock
  readonly random: Random
  readonly retryDelaysMs: readonly number[]
  readonly observer: DeliveryObserver
  readonly tracing: Tracing | null
  readonly defer: Defer
  readonly key: () => Promise<InstallationKey>
}

export class Dispatcher {
  readonly #deps: DispatcherDeps
  readonly #endpoints = new Endpoints()
  readonly #pauses: Pauses
  readonly #describeAct: DescribeAct
  readonly #instance: string
  #turns = 0
  #ended: EndedClaim[] = []
  /** Whether and how soon a turn is scheduled. */
  #deferred: 'no' | 'soon' | 'at once' = 'no'
  #turning = false
  #sweeping: Promise<void> | null = null
  #sweptUpTo = ''
  #prunedUpTo = ''
  #prunedAtMs: number
  /** The operations whose last store call failed. */
  readonly #failing = new Set<'sweep' | 'turn'>()
  #isStopping = false
  #watchers: (() => void)[] = []

  constructor(deps: DispatcherDeps) {
    this.#deps = deps
    this.#pauses = pausesOf(deps.retryDelaysMs)
    this.#describeAct = actsBy('server', deps)
    this.#instance = prefixedId('ins', deps.random)
    this.#prunedAtMs = deps.clock.monotonicMs()
    deps.outbox.onWritten((webhookIds) => this.#markDue(webhookIds))
  }

  /** Finds due deliveries written by any instance and prunes old ones. Call it repeatedly. */
  async sweep(): Promise<void> {
    if (this.#sweeping !== null || this.#isStopping) return
    this.#sweeping = this.#sweepOnce()
    await this.#sweeping
    this.#sweeping = null
    this.#turnSoon()
  }

  async #sweepOnce(): Promise<void> {
    try {
      await this.#markDueEndpoints()
      await this.#prune()
      this.#reportResumed('sweep')
    } catch (error) {
      this.#reportInterrupted('sweep', error)
    }
  }

  /** Resolves when nothing is in flight and this dispatcher knows of nothing due. */
  async settled(): Promise<void> {
    while (!this.#isIdle()) await this.#nextChange()
  }

  /** Stops claiming, waits for attempts in flight, and records them. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#release(this.#endpoints.releaseAll())
    await this.#sweeping
    while (this.#turning || this.#endpoints.held > 0) await this.#nextChange()
    // If the store does not answer, other instances retry the rest after the leases end.
    while (this.#ended.length > 0) {
      await this.#turn()
      if (this.#failing.has('turn')) return
    }
  }

  #markDue(webhookIds: readonly string[]): void {
    for (const webhookId of webhookIds) this.#endpoints.markDue(webhookId)
    this.#turnSoon()
  }

  async #markDueEndpoints(): Promise<void> {
    const { outbox, clock, retryDelaysMs } = this.#deps
    const waiting = await outbox.waiting({ after: this.#sweptUpTo, limit: sweptEndpointsMax })
    this.#sweptUpTo = waiting.length < sweptEndpointsMax ? '' : (waiting.at(-1)?.webhookId ?? '')
    const nowMs = clock.nowMs()
    const latestMs = nowMs + Math.max(leaseMs, ...retryDelaysMs) + clockSlackMs
    for (const { webhookId, firstDueAtMs, heldUntilMs, isSuspended } of waiting) {
      if (isSuspended) await outbox.shelve(webhookId, nowMs)
      else if (firstDueAtMs <= nowMs && !isHeld(heldUntilMs, nowMs, this.#pauses))
        this.#endpoints.markDue(webhookId)
    }
    for (const { webhookId, lastDueAtMs } of waiting) {
      if (lastDueAtMs <= latestMs) continue
      await outbox.makeDue(webhookId, latestMs, nowMs)
      this.#endpoints.markDue(webhookId)
    }
  }

  async #prune(): Promise<void> {
    const { outbox, clock } = this.#deps
    const isBetweenPasses = this.#prunedUpTo === ''
    if (isBetweenPasses && clock.monotonicMs() - this.#prunedAtMs < pruneEveryMs) return
    this.#prunedAtMs = clock.monotonicMs()
    this.#prunedUpTo = await outbox.prune({ after: this.#prunedUpTo, nowMs: clock.nowMs() })
  }

  /** Schedules at most one turn; a sooner one replaces a later one. */
  #turnSoon(): void {
    this.#notifyWatchers()
    if (this.#turning || this.#isStopping || !this.#hasWork()) return
    const when = this.#ended.length >= endedPerTurnMax ? 'at once' : 'soon'
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
    const ended = this.#ended.splice(0, endedPerTurnMax)
    const wanted = this.#isStopping ? [] : this.#endpoints.wanted()
    this.#turning = true
    this.#turns += 1
    const nowMs = clock.nowMs()
    try {
      // Nothing is claimed that could not be signed. It is read from the store once.
      await this.#deps.key()
      const { claimed, recorded, abandoned, recovered, unanswered } = await outbox.turn({
        ended,
        wanted: wanted.map(({ endpoint, count }) => ({ webhookId: endpoint.webhookId, count })),
        lease: `${this.#instance}.${this.#turns}`,
        nowMs,
        leaseEndsAtMs: nowMs + leaseMs,
        pauses: this.#pauses,
      })
      this.#reportDrops(ended, recorded)
      await this.#suspend(unanswered)
      for (const delivery of abandoned) this.#deps.observer.abandoned(delivery)
      this.#turning = false
      this.#send(wanted, claimed)
      for (const webhookId of recovered) this.#endpoints.markDue(webhookId)
      this.#reportResumed('turn')
      this.#turnSoon()
    } catch (error) {
      // Nothing was recorded, or the answer was lost. In that case the lease is void and recording again has no effect.
      this.#ended.unshift(...ended)
      this.#turning = false
      this.#reportInterrupted('turn', error)
      this.#notifyWatchers()
    }
  }

  #send(wanted: readonly Wanted[], claimed: readonly ClaimedDelivery[]): void {
    const byWebhook = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    for (const one of wanted) {
      this.#endpoints.addClaimed(one, byWebhook.get(one.endpoint.webhookId) ?? [])
      this.#sendTo(one.endpoint)
    }
    if (this.#isStopping) this.#release(this.#endpoints.releaseAll())
  }

  /** Sends in small bursts, so that incoming requests do not wait for all of them. */
  #sendTo(endpoint: Endpoint): void {
    if (this.#isStopping) return
    for (let sent = 0; sent < sendBurst; sent += 1) {
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
      if (delivery.dueAtMs - clock.nowMs() < leaseNeededMs) this.#release([delivery])
      else {
        const attempted = await attemptDelivery(this.#deps, delivery)
        this.#note(attempted)
        lane = laneOf(attempted.attempt.durationMs, attempted.ended.result === 'delivered')
      }
    } catch (error) {
      observer.failed(delivery, error)
    }
    this.#release(this.#endpoints.end(endpoint, lane))
    this.#sendTo(endpoint)
    this.#turnSoon()
  }

  #note({ attempt, ended }: Attempted): void {
    this.#deps.observer.attempted(attempt, ended.result === 'delivered')
    this.#ended.push(ended)
  }

  async #suspend(webhooks: readonly Unanswered[]): Promise<void> {
    const { outbox, observer } = this.#deps
    for (const webhook of webhooks) {
      const act = this.#describeAct({
        kind: 'webhook.suspended',
        subject: webhook.webhookId,
        detail: { owner_id: webhook.ownerId, failing_since: iso(webhook.sinceMs) },
      })
      // If the store fails, the endpoint's next failure brings it here again.
      const isSuspended = await outbox.suspend(webhook, act).catch(() => false)
      if (isSuspended) observer.suspended(webhook)
    }
  }

  #release(deliveries: readonly ClaimedDelivery[]): void {
    const nowMs = this.#deps.clock.nowMs()
    for (const delivery of deliveries) this.#ended.push(releasedClaim(delivery, nowMs))
  }

  #reportDrops(ended: readonly EndedClaim[], recorded: ReadonlySet<number>): void {
    for (const [index, claim] of ended.entries()) {
      if (claim.state === 'dropped' && recorded.has(index)) this.#deps.observer.dropped(claim)
    }
  }

  #reportInterrupted(operation: 'sweep' | 'turn', error: unknown): void {
    const isFirst = this.#failing.size === 0
    this.#failing.add(operation)
    if (isFirst) this.#deps.observer.interrupted(error)
  }

  #reportResumed(operation: 'sweep' | 'turn'): void {
    if (this.#failing.delete(operation) && this.#failing.size === 0) this.#deps.observer.resumed()
  }

  #isIdle(): boolean {
    return !this.#turning && this.#deferred === 'no' && this.#endpoints.held === 0 && !this.#hasWork()
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#watchers.push(resolve))
  }

  #notifyWatchers(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const watcher of watchers) watcher()
  }
}

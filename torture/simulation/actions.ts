/** The possible actions of a step: requests, changes of store, feeds and receivers, passing time, crashes. */

import { callerOfKey } from '../../src/app/people/caller.ts'
import { fingerprintOf } from '../../src/app/verify/verify.ts'
import { DecisionTimer } from '../../src/app/verify/decision-timer.ts'
import type { Corridor } from '../../src/core/reference/corridor.ts'
import { defaultCurrency } from '../../src/core/reference/currency.ts'
import { subscribableKinds } from '../../src/core/events/event.ts'
import { modeOfKeyType } from '../../src/core/identity/api-key.ts'
import { signalNames } from '../../src/core/decision/signals.ts'
import type { OverrideCall, Payment, VerifyCall } from './books.ts'
import { feedConditions } from './feeds.ts'
import { reportOutcomes } from './outcomes.ts'
import { changePolicies } from './policies.ts'
import { readers, readQueue } from './readers.ts'
import { unlessUnavailable, type Instance } from './instance.ts'
import { receiverConditions } from './receivers.ts'
import { actOnReview, expireReviews, handleReview, raceForReview, retryAct } from './reviews/acts.ts'
import type { World } from './world.ts'

export interface Action {
  readonly name: string
  readonly weight: number
  readonly act: (world: World) => void | Promise<void>
}

const corridors = ['GB-NG', 'GB-NG', 'NG-GB', 'US-BR'] as readonly string[] as readonly Corridor[]
/** Calm amounts, amounts above either cap, those for a `NO-GO`, an outage and a `GO` that asks first, and none. */
const amounts: readonly (number | null)[] = [
  100,
  2_500,
  60_000,
  600_000,
  2_500.08,
  2_500.08,
  900.09,
  1_200.07,
  null,
]
const endpointsMax = 6

export const actions: readonly Action[] = [
  { name: 'verify', weight: 26, act: (world) => callVerify(world, newPayment(world, null)) },
  {
    name: 'verify with a key',
    weight: 14,
    act: (world) => callVerify(world, newPayment(world, newKey(world))),
  },
  { name: 'retry of a payment', weight: 12, act: retryPayment },
  { name: 'two concurrent identical requests', weight: 6, act: callTwice },
  { name: 'another body under an old key', weight: 5, act: callWithOtherBody },
  { name: 'an override', weight: 8, act: override },
  { name: 'a report of outcomes', weight: 9, act: reportOutcomes },
  { name: 'an act on a review', weight: 20, act: actOnReview },
  { name: 'the handling of a review', weight: 14, act: handleReview },
  { name: 'several acts on one review', weight: 12, act: raceForReview },
  { name: 'an act on a review again', weight: 4, act: retryAct },
  { name: 'a look at the queue of reviews', weight: 6, act: readQueue },
  { name: 'an expiry of reviews', weight: 4, act: expireReviews },
  { name: 'registration of an endpoint', weight: 4, act: (world) => register(world, String(world.step)) },
  { name: 'removal of an endpoint', weight: 2, act: remove },
  { name: 'a change of a receiver', weight: 6, act: changeReceiver },
  { name: 'a change of the store', weight: 8, act: changeStore },
  { name: 'a change of a feed', weight: 5, act: changeFeed },
  { name: 'a moment passes', weight: 10, act: (world) => world.schedule.pass(world.rng.below(2_000)) },
  { name: 'some time passes', weight: 6, act: (world) => passAndSweep(world, 120_000, 3) },
  { name: 'a long time passes', weight: 4, act: (world) => passAndSweep(world, 7_200_000, 8) },
  { name: 'the clock is set', weight: 6, act: setClock },
  { name: 'a change of policies', weight: 8, act: changePolicies },
  { name: 'a sweep of the outbox', weight: 8, act: sweep },
  { name: 'a beat of the journal', weight: 8, act: beatAll },
  { name: 'a reader', weight: 12, act: (world) => world.rng.pick(readers)(world) },
  { name: 'a pause of a process', weight: 3, act: pauseOne },
  { name: 'a crash of a process', weight: 5, act: (world) => world.crash() },
]

function newKey({ books }: World): string {
  return `key-${books.payments.length}`
}

function newPayment({ rng, callers, books }: World, idempotencyKey: string | null): Payment {
  const caller = rng.pick(callers)
  const own = modeOfKeyType[caller.record.type]
  const requestsLive = rng.next() < 0.05
  const payment: Payment = {
    name: `payment-${books.payments.length}`,
    caller,
    requestedMode: requestsLive ? 'live' : null,
    mode: requestsLive ? 'live' : own,
    corridor: rng.pick(corridors),
    amount: rng.pick(amounts),
    idempotencyKey,
    calls: [],
  }
  books.payments.push(payment)
  return payment
}

/** Starts a verify call; its outcome is recorded when it arrives. */
export function callVerify(world: World, payment: Payment): void {
  const { books, schedule, weather, providers } = world
  const instance = world.pickInstance()
  const nowMs = schedule.clock.nowMs()
  const call: VerifyCall = {
    payment,
    life: instance.life,
    startedAt: schedule.happened,
    startedMs: schedule.clock.monotonicMs(),
    faultsBefore: weather.faults,
    wall: { min: nowMs, max: nowMs },
    sawFeedsHealthy: providers.areAllHealthy,
    outcome: null,
    faultsAfter: 0,
  }
  payment.calls.push(call)
  books.open.add(call)
  void world.watch(complete(world, instance, call), instance.life)
}

async function complete(world: World, instance: Instance, call: VerifyCall): Promise<void> {
  const { payment } = call
  const { name, amount, corridor, idempotencyKey } = payment
  const body = { corridor, ...(amount === null ? {} : { amount }), correlation_id: name }
  const outcome = await instance.verify(payment.caller.key, {
    mode: payment.requestedMode,
    corridor,
    amount,
    currency: defaultCurrency,
    correlationId: name,
    idempotencyKey,
    warnings: [],
    fingerprint: (mode) => fingerprintOf(body, mode),
    timer: new DecisionTimer(world.schedule.clock),
  })
  call.outcome ??= outcome
  if (outcome.kind === 'decided') acknowledge(world, outcome.requestId)
  call.faultsAfter = world.weather.faults
  world.trace(`${name} got ${JSON.stringify(outcome)}`)
}

function acknowledge({ books, schedule }: World, requestId: string): void {
  if (!books.acknowledgedAt.has(requestId)) books.acknowledgedAt.set(requestId, schedule.happened)
}

function retryPayment(world: World): void {
  const earlier = world.books.payments.filter(({ idempotencyKey }) => idempotencyKey !== null)
  if (earlier.length > 0) callVerify(world, world.rng.pick(earlier))
}

function callTwice(world: World): void {
  const payment = newPayment(world, newKey(world))
  callVerify(world, payment)
  callVerify(world, payment)
}

function callWithOtherBody(world: World): void {
  const earlier = world.books.payments.filter(({ idempotencyKey }) => idempotencyKey !== null)
  if (earlier.length === 0) return
  const { caller, idempotencyKey } = world.rng.pick(earlier)
  const other = { ...newPayment(world, idempotencyKey), caller }
  const mode = other.requestedMode ?? modeOfKeyType[caller.record.type]
  const payment: Payment = { ...other, mode }
  world.books.payments.splice(-1, 1, payment)
  callVerify(world, payment)
}

function override(world: World): void {
  const { rng, books } = world
  const instance = world.pickInstance()
  const decided = [...world.inspector.records.values()]
  if (decided.length === 0) return
  const { request_id: requestId, owner_id: ownerId } = rng.pick(decided)
  const call: OverrideCall = { requestId, life: instance.life, outcome: null }
  books.overrideCalls.push(call)
  const caller = world.callers.find(({ record }) => record.ownerId === ownerId)
  if (caller === undefined) throw new Error('a record without an owner')
  const work = async (): Promise<void> => {
    const outcome = await unlessUnavailable(
      instance.override({
        ownerId,
        by: callerOfKey(caller.record).by,
        requestId,
        action: 'EXECUTE',
        reasonCode: 'SEEN_BEFORE',
        justification: 'The payee is known.',
      }),
    )
    call.outcome ??= outcome ?? { kind: 'unavailable' }
    world.trace(`the override of ${requestId} got ${JSON.stringify(outcome)}`)
  }
  void world.watch(work(), instance.life)
}

export function register(world: World, name: string): void {
  const { rng, books } = world
  const instance = world.pickInstance()
  if ([...books.endpoints.values()].filter(({ isRemoved }) => !isRemoved).length >= endpointsMax) return
  const { ownerId } = rng.pick(world.callers).record
  const url = `https://receiver.example/${name}`
  const events = rng.next() < 0.3 ? [rng.pick(subscribableKinds)] : null
  books.registrations.set(url, books.appended.length)
  const registering = instance.webhooks.register({ ownerId, url, events, description: null })
  void world.watch(ignoreOutcome(registering), instance.life)
}

function remove(world: World): void {
  const { rng, books } = world
  const instance = world.pickInstance()
  const active = [...books.endpoints.values()].filter(({ isRemoved }) => !isRemoved)
  if (active.length === 0) return
  const { ownerId, webhookId } = rng.pick(active).webhook
  void world.watch(ignoreOutcome(instance.webhooks.remove({ ownerId }, webhookId)), instance.life)
}

/** Ignores the outcome and an unavailable store. */
async function ignoreOutcome(work: Promise<unknown>): Promise<void> {
  await unlessUnavailable(work)
}

function changeReceiver({ rng, books, receivers }: World): void {
  const endpoints = [...books.endpoints.values()]
  if (endpoints.length > 0) receivers.set(rng.pick(endpoints).webhook.url, rng.pick(receiverConditions))
}

function changeStore({ rng, weather }: World): void {
  weather.store = rng.pick(['healthy', 'healthy', 'slow', 'faulty', 'faulty', 'down'])
}

function changeFeed(world: World): void {
  const { rng, providers } = world
  if (rng.next() < 0.6) healFeeds(world)
  else providers.set(rng.pick(signalNames), rng.pick(feedConditions))
}

export function healFeeds({ providers, books }: World): void {
  for (const signal of signalNames) providers.set(signal, 'healthy')
  for (const one of books.open) one.sawFeedsHealthy = true
}

/** Lets time pass in intervals, each followed by what the service does periodically. */
async function passAndSweep(world: World, msMax: number, intervals: number): Promise<void> {
  const ms = world.rng.below(msMax)
  for (let interval = 0; interval < intervals; interval += 1) {
    await world.schedule.pass(Math.floor(ms / intervals))
    sweep(world)
    beatAll(world)
    expireReviews(world)
  }
}

/** Sometimes the queue of reviews is read at once, before the service has seen that some are over. */
function setClock(world: World): void {
  const { rng, schedule } = world
  const farMs = rng.pick([1_500, 10_000, 300_000])
  schedule.setWall(schedule.clock.nowMs() + rng.below(2 * farMs) - farMs)
  if (rng.next() < 0.3) readQueue(world)
}

export function sweep(world: World): void {
  const { sweep: run, life } = world.pickInstance()
  void world.watch(run(), life)
}

/** Every process that is not paused renews, takes or watches the lease, and follows if it holds it. */
export function beatAll(world: World): void {
  for (const { beat, poll, life } of world.instances) {
    if (!life.isPaused) void world.watch(beat().then(poll), life)
  }
}

/** Longer than a lease, mostly. The process believes that it holds the lease when it wakes up. */
const pauseMsMax = 8_000

function pauseOne({ rng, instances, schedule, books }: World): void {
  if (instances.length < 2 || instances.some(({ life }) => life.isPaused)) return
  schedule.pause(rng.pick(instances).life, 1_000 + rng.below(pauseMsMax))
  books.count('pauses')
}

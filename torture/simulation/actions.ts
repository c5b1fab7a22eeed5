/** What can happen in a step: people ask, receivers and providers change their mood, time passes, the process dies. */

import { fingerprintOf } from '../../src/app/verify/verify.ts'
import { DecisionTimer } from '../../src/app/verify/decision-timer.ts'
import type { Corridor } from '../../src/core/reference/corridor.ts'
import { defaultCurrency } from '../../src/core/reference/currency.ts'
import { subscribableKinds } from '../../src/core/events/event.ts'
import { modeOfKeyType } from '../../src/core/identity/api-key.ts'
import { signalNames } from '../../src/core/decision/signals.ts'
import type { Ask, OverrideAsk, Payment } from './books.ts'
import { feedMoods } from './feeds.ts'
import { unlessUnavailable } from './instance.ts'
import { receiverMoods } from './receivers.ts'
import type { World } from './world.ts'

export interface Action {
  readonly name: string
  readonly weight: number
  readonly act: (world: World) => void | Promise<void>
}

const corridors = ['GB-NG', 'GB-NG', 'NG-GB', 'US-BR'] as readonly string[] as readonly Corridor[]
/** Calm; above either cap; the test endings of a `NO-GO` and of an outage; none. */
const amounts: readonly (number | null)[] = [100, 2_500, 60_000, 600_000, 2_500.08, 2_500.08, 900.09, null]
const endpointsMax = 6

export const actions: readonly Action[] = [
  { name: 'somebody asks', weight: 26, act: (world) => ask(world, newPayment(world, null)) },
  {
    name: 'somebody asks with a key',
    weight: 14,
    act: (world) => ask(world, newPayment(world, newKey(world))),
  },
  { name: 'somebody asks again', weight: 12, act: askAgain },
  { name: 'two ask the same at once', weight: 6, act: askTwice },
  { name: 'somebody asks something else under an old key', weight: 5, act: askOther },
  { name: 'an override', weight: 8, act: override },
  { name: 'an endpoint is registered', weight: 4, act: (world) => register(world, String(world.step)) },
  { name: 'an endpoint is removed', weight: 2, act: remove },
  { name: 'a receiver changes', weight: 6, act: changeReceiver },
  { name: 'the store changes', weight: 8, act: changeStore },
  { name: 'a feed changes', weight: 5, act: changeFeed },
  { name: 'a moment passes', weight: 10, act: (world) => world.schedule.pass(world.chance.below(2_000)) },
  { name: 'some time passes', weight: 6, act: (world) => passAndSweep(world, 120_000, 3) },
  { name: 'long time passes', weight: 4, act: (world) => passAndSweep(world, 7_200_000, 8) },
  { name: 'the clock is set', weight: 4, act: setClock },
  { name: 'the outbox is swept', weight: 8, act: sweep },
  { name: 'what waits is sealed', weight: 8, act: seal },
  { name: 'the process dies', weight: 4, act: (world) => world.crash() },
]

function newKey({ books }: World): string {
  return `key-${books.payments.length}`
}

function newPayment({ chance, callers, books }: World, idempotencyKey: string | null): Payment {
  const caller = chance.pick(callers)
  const own = modeOfKeyType[caller.record.type]
  const isBold = chance.next() < 0.05
  const payment: Payment = {
    name: `payment-${books.payments.length}`,
    caller,
    asked: isBold ? 'live' : null,
    mode: isBold ? 'live' : own,
    corridor: chance.pick(corridors),
    amount: chance.pick(amounts),
    idempotencyKey,
    asks: [],
  }
  books.payments.push(payment)
  return payment
}

/** Starts it; what comes of it is seen when it comes. */
export function ask(world: World, payment: Payment): void {
  const { instance, books, schedule, weather, providers } = world
  const nowMs = schedule.clock.nowMs()
  const made: Ask = {
    payment,
    life: instance.life,
    startedAt: schedule.happened,
    faultsBefore: weather.faults,
    wall: { min: nowMs, max: nowMs },
    sawFeedsWell: providers.areAllWell,
    outcome: null,
    faultsAfter: 0,
  }
  payment.asks.push(made)
  books.open.add(made)
  void world.watch(answer(world, made), instance.life)
}

async function answer(world: World, made: Ask): Promise<void> {
  const { payment } = made
  const { name, amount, corridor, idempotencyKey } = payment
  const body = { corridor, ...(amount === null ? {} : { amount }), correlation_id: name }
  const outcome = await world.instance.ask(payment.caller.key, {
    mode: payment.asked,
    corridor,
    amount,
    currency: defaultCurrency,
    correlationId: name,
    idempotencyKey,
    fingerprint: (mode) => fingerprintOf(body, mode),
    trace: new DecisionTimer(world.schedule.clock),
  })
  made.outcome ??= outcome
  made.faultsAfter = world.weather.faults
  world.tell(`${name} was told ${JSON.stringify(outcome)}`)
}

function askAgain(world: World): void {
  const earlier = world.books.payments.filter(({ idempotencyKey }) => idempotencyKey !== null)
  if (earlier.length > 0) ask(world, world.chance.pick(earlier))
}

function askTwice(world: World): void {
  const payment = newPayment(world, newKey(world))
  ask(world, payment)
  ask(world, payment)
}

function askOther(world: World): void {
  const earlier = world.books.payments.filter(({ idempotencyKey }) => idempotencyKey !== null)
  if (earlier.length === 0) return
  const { caller, idempotencyKey } = world.chance.pick(earlier)
  const other = { ...newPayment(world, idempotencyKey), caller }
  const mode = other.asked ?? modeOfKeyType[caller.record.type]
  const payment: Payment = { ...other, mode }
  world.books.payments.splice(-1, 1, payment)
  ask(world, payment)
}

function override(world: World): void {
  const { chance, books, instance } = world
  const decided = [...world.inspector.records.values()]
  if (decided.length === 0) return
  const { request_id: requestId, owner_id: ownerId } = chance.pick(decided)
  const asked: OverrideAsk = { requestId, life: instance.life, outcome: null }
  books.overrideAsks.push(asked)
  const caller = world.callers.find(({ record }) => record.ownerId === ownerId)
  if (caller === undefined) throw new Error('a record of nobody')
  const work = async (): Promise<void> => {
    const outcome = await unlessUnavailable(
      instance.override({
        caller: caller.record,
        requestId,
        action: 'EXECUTE',
        reasonCode: 'SEEN_BEFORE',
        justification: 'The payee is known.',
      }),
    )
    asked.outcome ??= outcome ?? { kind: 'unavailable' }
    world.tell(`the override of ${requestId} was told ${JSON.stringify(outcome)}`)
  }
  void world.watch(work(), instance.life)
}

export function register(world: World, name: string): void {
  const { chance, instance, books } = world
  if ([...books.endpoints.values()].filter(({ isRemoved }) => !isRemoved).length >= endpointsMax) return
  const { ownerId } = chance.pick(world.callers).record
  const url = `https://receiver.example/${name}`
  const events = chance.next() < 0.3 ? [chance.pick(subscribableKinds)] : null
  const registering = instance.webhooks.register({ ownerId, url, events, description: null })
  void world.watch(ended(registering), instance.life)
}

function remove(world: World): void {
  const { chance, instance, books } = world
  const standing = [...books.endpoints.values()].filter(({ isRemoved }) => !isRemoved)
  if (standing.length === 0) return
  const { ownerId, webhookId } = chance.pick(standing).webhook
  void world.watch(ended(instance.webhooks.remove(ownerId, webhookId)), instance.life)
}

/** Whatever it says. */
async function ended(work: Promise<unknown>): Promise<void> {
  await unlessUnavailable(work)
}

function changeReceiver({ chance, books, receivers }: World): void {
  const known = [...books.endpoints.values()]
  if (known.length > 0) receivers.set(chance.pick(known).webhook.url, chance.pick(receiverMoods))
}

function changeStore({ chance, weather }: World): void {
  weather.store = chance.pick(['well', 'well', 'slow', 'faulty', 'faulty', 'down'])
}

function changeFeed(world: World): void {
  const { chance, providers } = world
  if (chance.next() < 0.6) healFeeds(world)
  else providers.set(chance.pick(signalNames), chance.pick(feedMoods))
}

export function healFeeds({ providers, books }: World): void {
  for (const signal of signalNames) providers.set(signal, 'well')
  for (const one of books.open) one.sawFeedsWell = true
}

/** In a few bits, with a look at the outbox after each, as the service looks now and then. */
async function passAndSweep(world: World, msMax: number, bits: number): Promise<void> {
  const ms = world.chance.below(msMax)
  for (let bit = 0; bit < bits; bit += 1) {
    await world.schedule.pass(Math.floor(ms / bits))
    sweep(world)
  }
}

function setClock({ chance, schedule }: World): void {
  const farMs = chance.pick([1_500, 10_000, 300_000])
  schedule.setWall(schedule.clock.nowMs() + chance.below(2 * farMs) - farMs)
}

export function sweep(world: World): void {
  void world.watch(world.instance.sweep(), world.instance.life)
}

export function seal(world: World): void {
  void world.watch(world.instance.seal(), world.instance.life)
}

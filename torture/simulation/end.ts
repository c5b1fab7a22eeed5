/** Ends a world: everything recovers, and then nothing may be left unfinished. */

import { beatAll, callVerify, healFeeds, sweep } from './actions.ts'
import { expireReviews } from './reviews/acts.ts'
import { ensureActsOnce } from './inspect/review-calls.ts'
import { checkCalibration } from './outcomes.ts'
import { checkCandidates } from './policies.ts'
import { ensure } from './inspect/violation.ts'
import type { World } from './world.ts'

/** More than the maximum attempts of an event. */
const roundsMax = 16

/** Restores store, feeds and receivers, lets time pass, and completes all unfinished work. */
export async function settleWorld(world: World): Promise<void> {
  const { weather, receivers, schedule } = world
  world.trace('everything recovers')
  weather.store = 'healthy'
  receivers.heal()
  healFeeds(world)
  await schedule.quiet()
  await world.inspect()
  await retryUncertain(world)
  await followAll(world)
  await settleReviews(world)
  await checkCandidates(world)
  await checkCalibration(world)
  await deliverAll(world)
  countDeliveries(world)
  const { size, waiting } = await world.log.verifyAll()
  const { overridesWritten, outcomesWritten } = world.books
  const all =
    world.inspector.records.size +
    overridesWritten.size +
    outcomesWritten.size +
    world.policies.acts +
    world.reviews.changeIds.size
  ensure(waiting === 0 && size === all, `${size} of ${all} entries are in the log and ${waiting} are pending`)
}

/** Longer than a lease, in beats: whoever holds it may have crashed. */
const beatsMax = 8

/** Nobody reads, so the holder of the lease must bring everything up to date by itself. */
async function followAll(world: World): Promise<void> {
  const { schedule, journal } = world
  for (let beat = 0; beat < beatsMax; beat += 1) {
    await schedule.pass(500)
    beatAll(world)
    await schedule.quiet()
    await world.inspect()
  }
  ensure(!journal.isBehind(), `not everything is followed after ${beatsMax} beats: ${journal.summary()}`)
}

/** Reviews that are over have expired, and every act of a reviewer is recorded as it was answered. */
async function settleReviews(world: World): Promise<void> {
  expireReviews(world)
  await world.schedule.quiet()
  await world.inspect()
  world.reviewInspector.ensureExpired(world.schedule.clock.nowMs())
  ensureActsOnce(world.reviews)
  // Its changes are entries, too.
  await followAll(world)
}

/** Retries every payment with an uncertain outcome under its key. A recorded decision must be returned. */
async function retryUncertain(world: World): Promise<void> {
  const { books, schedule, inspector } = world
  const uncertain = books.payments.filter(
    ({ idempotencyKey, calls }) =>
      idempotencyKey !== null &&
      calls.some(({ outcome }) => outcome?.kind === 'unavailable' || outcome?.kind === 'cut_off'),
  )
  for (const payment of uncertain) {
    const before = inspector.recordOf(payment)
    // Longer than any limit window.
    await schedule.pass(11_000)
    callVerify(world, payment)
    await schedule.quiet()
    await world.inspect()
    books.count(before === null ? 'uncertain and not recorded' : 'uncertain and recorded')
    if (before === null) continue
    const outcome = payment.calls.at(-1)?.outcome
    const isSame = outcome?.kind === 'decided' && outcome.requestId === before.request_id
    ensure(isSame, `${payment.name} was recorded, but a retry returned ${outcome?.kind}`)
  }
}

async function deliverAll(world: World): Promise<void> {
  const { worldDatabase, schedule } = world
  const next = worldDatabase.prepare(
    `SELECT min(max(d.due_at_ms, coalesce(w.held_until_ms, 0))) AS due, count(*) AS waiting
      FROM webhook_deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id AND w.place IS NOT NULL
      WHERE d.state = 'pending'`,
  )
  for (let round = 0; round < roundsMax; round += 1) {
    const { due, waiting } = next.get() as { due: number | null; waiting: number }
    if (waiting === 0) return
    await schedule.pass(Math.max(1, Math.min(Number(due) - schedule.clock.nowMs(), 3_600_000) + 1_000))
    sweep(world)
    await schedule.quiet()
    await world.inspect()
  }
  const { waiting } = next.get() as { waiting: number }
  ensure(waiting === 0, `${waiting} events are still pending although their receivers are healthy`)
}

function countDeliveries({ worldDatabase, books }: World): void {
  const rows = worldDatabase
    .prepare(
      'SELECT state, attempt > 1 AS again, count(*) AS count FROM webhook_deliveries GROUP BY state, again',
    )
    .all() as unknown as { state: string; again: number; count: number }[]
  for (const { state, again, count } of rows) {
    books.count(`events ${state}${again === 1 ? ' after a failure' : ''}`, count)
  }
}

/** How a world ends: everything is well again, and then nothing may be left over. */

import { ask, healFeeds, seal, sweep } from './actions.ts'
import { insist } from './violation.ts'
import type { World } from './world.ts'

/** More than an event can have attempts. */
const roundsMax = 16

/** Store, feeds and receivers recover, time passes, and what was left unfinished is finished. */
export async function bringToRest(world: World): Promise<void> {
  const { weather, receivers, schedule } = world
  world.tell('all is well again')
  weather.store = 'well'
  receivers.heal()
  healFeeds(world)
  await schedule.quiet()
  await world.inspect()
  await askAboutTheUnknown(world)
  await deliverAll(world)
  seal(world)
  await schedule.quiet()
  await world.inspect()
  noteDeliveries(world)
  const { size, waiting } = await world.log.whole()
  const all = world.inspector.records.size + world.books.overridesWritten.size
  insist(waiting === 0 && size === all, `${size} of ${all} are in the log, and ${waiting} wait`)
}

/** Who was not told what became of a payment asks again under the same key, and is told what was recorded then, if anything was. */
async function askAboutTheUnknown(world: World): Promise<void> {
  const { books, schedule, inspector } = world
  const unknown = books.payments.filter(
    ({ idempotencyKey, asks }) =>
      idempotencyKey !== null &&
      asks.some(({ outcome }) => outcome?.kind === 'unavailable' || outcome?.kind === 'cut_off'),
  )
  for (const payment of unknown) {
    const before = inspector.recordOf(payment)
    // Longer than any window of a limit.
    await schedule.pass(11_000)
    ask(world, payment)
    await schedule.quiet()
    await world.inspect()
    books.saw(before === null ? 'unknown and not recorded' : 'unknown and recorded')
    if (before === null) continue
    const outcome = payment.asks.at(-1)?.outcome
    const isSame = outcome?.kind === 'decided' && outcome.requestId === before.request_id
    insist(isSame, `${payment.name} was recorded, and asking again is told ${outcome?.kind}`)
  }
}

async function deliverAll(world: World): Promise<void> {
  const { ground, schedule } = world
  const next = ground.prepare(
    `SELECT min(due_at_ms) AS due, count(*) AS waiting FROM webhook_deliveries d
      WHERE state = 'pending' AND EXISTS (SELECT 1 FROM webhooks w WHERE w.webhook_id = d.webhook_id AND place IS NOT NULL)`,
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
  insist(waiting === 0, `${waiting} events are still pending although their receivers are well`)
}

function noteDeliveries({ ground, books }: World): void {
  const rows = ground
    .prepare(
      'SELECT state, attempt > 1 AS again, count(*) AS count FROM webhook_deliveries GROUP BY state, again',
    )
    .all() as unknown as { state: string; again: number; count: number }[]
  for (const { state, again, count } of rows) {
    books.saw(`events ${state}${again === 1 ? ' after a failure' : ''}`, count)
  }
}

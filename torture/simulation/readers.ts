/** Readers of projections. None may see the past: a figure holds everything that was committed before it was asked for. */

import { figuresOf } from '../../src/core/calibration/figures.ts'
import { isWaiting, reviewStatuses, stateOf } from '../../src/core/review/life.ts'
import { dayMs, floorTo } from '../../src/core/time/durations.ts'
import type { Review, ReviewQuery } from '../../src/app/ports/reviews.ts'
import { unlessUnavailable, type Instance } from './instance.ts'
import type { World } from './world.ts'

/** How much there is to see; counted at the question and at the answer. */
type Count = () => number

interface Reading {
  readonly name: string
  readonly count: Count
  /** How much the reader saw; null if there was nothing to see any more. */
  readonly read: (instance: Instance) => Promise<number | null>
}

function ask(world: World, { name, count, read }: Reading): void {
  const instance = world.pickInstance()
  const before = count()
  const work = async (): Promise<void> => {
    const seen = await unlessUnavailable(read(instance))
    world.books.count(seen === null ? 'reads without an answer' : 'reads')
    world.trace(`${name}: ${seen}`)
    const after = count()
    if (seen !== null && seen < before)
      world.violated(`${name} shows ${seen} of ${before}: a reader saw the past`)
    if (seen !== null && seen > after) world.violated(`${name} shows ${seen} of ${after}: more than there is`)
  }
  void world.watch(work(), instance.life)
}

const counted = ({ worldDatabase }: World, sql: string, ...values: readonly string[]): Count => {
  const statement = worldDatabase.prepare(sql)
  return () => (statement.get(...values) as { count: number }).count
}

function readUsage(world: World): void {
  const { keyId } = world.rng.pick(world.callers).record
  ask(world, {
    name: `usage of ${keyId}`,
    count: counted(world, 'SELECT count(*) AS count FROM verifications WHERE key_id = ?', keyId),
    read: ({ store }) => store.keys.usage(keyId),
  })
}

function readSummary(world: World): void {
  const { ownerId } = world.rng.pick(world.callers).record
  const today = floorTo(dayMs, world.schedule.clock.nowMs())
  // The clock may have been set, and decisions are recorded by it.
  const range = { fromMs: today - 30 * dayMs, toMs: today + 30 * dayMs }
  ask(world, {
    name: `summary of ${ownerId}`,
    count: counted(world, 'SELECT count(*) AS count FROM verifications WHERE owner_id = ?', ownerId),
    async read({ store }) {
      const query = { range, step: 'day', corridor: null, mode: null, corridorsMax: 5 } as const
      const { totals } = await store.forOwner(ownerId).summarise(query)
      return totals.total
    },
  })
}

function readDeliveries(world: World): void {
  const { rng, books } = world
  const active = [...books.endpoints.values()].filter(({ isRemoved }) => !isRemoved)
  if (active.length === 0) return
  const { ownerId, webhookId } = rng.pick(active).webhook
  // Counted apart, because optional events may be missing.
  const seenMax = (): number =>
    ownEvents(world, webhookId, 'expectedEvents') + ownEvents(world, webhookId, 'optionalEvents')
  ask(world, {
    name: `deliveries of ${webhookId}`,
    count: () => ownEvents(world, webhookId, 'expectedEvents'),
    async read({ store }) {
      const query = { limit: 1_000, before: null, ended: null }
      const deliveries = await store.forOwner(ownerId).webhooks.deliveries(webhookId, query)
      if (deliveries === null) return null
      if (deliveries.length > seenMax()) world.violated(`${webhookId} has more deliveries than events`)
      return Math.min(deliveries.length, ownEvents(world, webhookId, 'expectedEvents'))
    },
  })
}

const ownEvents = ({ books }: World, webhookId: string, kind: 'expectedEvents' | 'optionalEvents'): number =>
  [...books[kind].values()].filter((event) => event.webhookId === webhookId).length

/** As whoever asks for the proof of a decision. */
function readLog(world: World): void {
  const size = counted(world, 'SELECT tree_size AS count FROM log_head')
  ask(world, {
    name: 'the log',
    count: () => world.books.appended.length + world.books.outcomesWritten.size + world.policies.acts,
    async read({ sealNow }) {
      await sealNow()
      return size()
    },
  })
}

const endedSql = `SELECT count(*) AS count FROM outcomes r JOIN verifications v ON v.request_id = r.request_id
  WHERE r.owner_id = ? AND r.is_final = 1
    AND NOT (v.mode = 'live' AND instr(v.answer, '"CORRIDOR_UNSUPPORTED"') > 0)`

function readCalibration(world: World): void {
  const { ownerId } = world.rng.pick(world.callers).record
  const range = { fromMs: 0, toMs: Date.UTC(9999, 0) }
  ask(world, {
    name: `calibration of ${ownerId}`,
    count: counted(world, endedSql, ownerId),
    async read({ store }) {
      const { cells } = await store.forOwner(ownerId).calibrate({ range, mode: null, corridor: null })
      return figuresOf(cells).with_outcome
    },
  })
}

/** As health does, which never waits. */
function readTotal(world: World): void {
  ask(world, {
    name: 'the total',
    count: counted(world, 'SELECT count(*) AS count FROM verifications'),
    read: ({ store }) => store.countVerifications(),
  })
}

const reviewedSql = `SELECT count(*) AS count FROM verifications WHERE owner_id = ? AND cooldown_source_id IS NULL
  AND (decision <> 'GO' OR instr(answer, '"recommended_action":"PROCEED"') = 0)`

const wholeQueue = ({ schedule }: World): ReviewQuery => ({
  statuses: reviewStatuses,
  corridor: null,
  verdict: null,
  mode: null,
  claimedBy: null,
  dueBeforeMs: null,
  after: null,
  limit: 1_000,
  nowMs: schedule.clock.nowMs(),
})

function readReviews(world: World): void {
  const { ownerId } = world.rng.pick(world.callers).record
  ask(world, {
    name: `reviews of ${ownerId}`,
    count: counted(world, reviewedSql, ownerId),
    async read({ store }) {
      return (await store.forOwner(ownerId).reviews.list(wholeQueue(world))).length
    },
  })
}

/** As the page of the queue: nothing is shown as waiting that had expired before the question. */
export function readQueue(world: World): void {
  const { rng, callers, reviews, schedule, books } = world
  const { ownerId } = rng.pick(callers).record
  const wall = reviews.watchWall(schedule.clock.nowMs())
  const check = ({ reviewId, ownerId: of, changes, expiresAtMs }: Review): void => {
    if (of !== ownerId) world.violated(`${reviewId} was shown to another owner`)
    if (isWaiting(stateOf(changes).status) && expiresAtMs <= wall.min)
      world.violated(`${reviewId} was shown as waiting after it had expired`)
  }
  ask(world, {
    name: `the queue of ${ownerId}`,
    count: counted(world, reviewedSql, ownerId),
    async read({ reviews: desk }) {
      const listed = await desk.list(ownerId, wholeQueue(world))
      reviews.walls.delete(wall)
      books.count('queues')
      listed.forEach(check)
      return listed.length
    },
  })
}

export const readers: readonly ((world: World) => void)[] = [
  readUsage,
  readSummary,
  readDeliveries,
  readCalibration,
  readLog,
  readReviews,
  readTotal,
]

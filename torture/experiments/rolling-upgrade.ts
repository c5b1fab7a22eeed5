/** Upgrades from the released version to today's under load, one instance after another, on one PostgreSQL. */

import { databaseOn, onServer } from '../../test/helpers/database/databases.ts'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { withDirectDatabase } from '../../test/helpers/database/sql.ts'
import { finished, start, type IssuedJson } from '../../test/helpers/process/process.ts'
import { Book } from '../crash/book.ts'
import { compareStore } from '../crash/compare-store.ts'
import { ReviewBook } from '../crash/review-book.ts'
import { openScene, type Scene } from '../crash/scene.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createRng, type Rng } from '../random.ts'
import { EventReader } from '../upgrade/event-reader.ts'
import { Fleet } from '../upgrade/fleet.ts'
import { Load, type Phase } from '../upgrade/load.ts'
import { checkMixed } from '../upgrade/mixed.ts'
import { takeRelease, whyNoRelease } from '../upgrade/released.ts'

/** An answer of an instance that stops. Any other refusal is one too many: the database is there all the time. */
const stopping = /^STOPPING$/
const timeoutMs = 60_000
/** Answered payments that are sent again at the end. */
const repeatsMax = 500

export const experiment: Experiment = {
  promise:
    'PostgreSQL: an upgrade of one instance after another under load loses and doubles nothing, and refuses nobody',
  skipped: whyNoRelease,
  async run(options) {
    const released = takeRelease()
    const postgres = await startPostgres()
    try {
      return await runUpgrades(options, postgres.url, released.entry)
    } finally {
      await postgres.stop()
      released.remove()
    }
  },
}

async function runUpgrades(
  { seed, isShort, count, print }: Options,
  server: string,
  oldEntry: string,
): Promise<Outcome> {
  const upgrades = count ?? (isShort ? 1 : 10)
  const payments = isShort ? 60 : 1_000
  const rng = createRng(seed)
  const done: Upgraded[] = []
  for (let number = 0; number < upgrades; number += 1) {
    const name = `upgrade_${number}`
    await onServer(server, `CREATE DATABASE ${name}`)
    done.push(await upgradeOnce({ databaseUrl: databaseOn(server, name), oldEntry, payments, rng, number }))
    print(`${number + 1} upgrades, ${sum(done.map(({ answered }) => answered))} decisions answered`)
  }
  return { figures: figuresOf(done), violations: done.flatMap(({ violations }) => violations) }
}

interface Setting {
  readonly databaseUrl: string
  readonly oldEntry: string
  /** Payments in each phase. */
  readonly payments: number
  readonly rng: Rng
  readonly number: number
}

interface Upgraded {
  readonly phases: readonly Phase[]
  readonly answered: number
  readonly records: number
  readonly reviewers: string
  readonly eventsRead: number
  readonly held: Fleet['held']
  readonly violations: readonly string[]
}

/** Issues a key with the old version, which makes the old schema. */
const issueWith =
  (entry: string) =>
  async (databaseUrl: string, ...more: readonly string[]): Promise<IssuedJson> => {
    const args = ['keys', 'issue', '--type', 'test', '--owner', 'Upgrade', '--json', ...more]
    const { code, stdout, stderr } = await finished(start(args, { DATABASE_URL: databaseUrl }, { entry }))
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as IssuedJson
  }

async function upgradeOnce(setting: Setting): Promise<Upgraded> {
  const { databaseUrl, oldEntry } = setting
  const scene = await openScene(databaseUrl, issueWith(oldEntry))
  const reviews = new ReviewBook()
  const reviewing: Promise<void>[] = []
  const environment = { ...scene.environment, FAIRWAY_LIMIT_EVENTS: '100000000/60' }
  const fleet = new Fleet({ environment, oldEntry })
  fleet.onStart = (url) => void reviewing.push(reviews.work({ ...scene, url }))
  const book = new Book({
    holds: stopping,
    // Some payments have personal text, which the new version can erase.
    moreOf: (number) => (number % 5 === 0 ? { correlation_id: `order-${number}` } : {}),
  })
  try {
    await fleet.start('old')
    await fleet.start('old')
    await scene.subscribe(fleet.urlOf('old') ?? '')
    return await underLoad(setting, { scene, fleet, book, reviews, reviewing })
  } finally {
    fleet.kill()
    await scene.close()
  }
}

interface Stage {
  readonly scene: Scene
  readonly fleet: Fleet
  readonly book: Book
  readonly reviews: ReviewBook
  readonly reviewing: Promise<void>[]
}

async function underLoad(setting: Setting, stage: Stage): Promise<Upgraded> {
  const { payments, rng, number } = setting
  const { scene, fleet, book } = stage
  const { apiKey } = scene
  const load = new Load({ book, fleet, apiKey }, 'old and old')
  const phases: Phase[] = []
  // As an orchestrator does, and as a file for compose.
  const order = number % 2 === 0 ? 'start-first' : 'stop-first'
  await load.more(payments)
  phases.push(load.next(`the first is replaced (${order}), schema migrated`))
  await fleet.replaceOne(order)
  phases.push(load.next('old and new'))
  const reader = new EventReader({ url: () => fleet.urlOf('new'), apiKey })
  const mixed = await checkMixed(setting, stage, load, rng)
  await load.more(payments)
  phases.push(load.next(`the second is replaced (${order})`))
  await fleet.replaceOne(order)
  phases.push(load.next('new and new'))
  await fleet.checkReady('after the upgrade')
  await load.more(payments)
  phases.push(await load.stop())
  const { records, violations } = await finish(stage, reader, setting, mixed.erased)
  const isIdle = phases.some(
    ({ name, answered }) => name === 'old and new' && answered.old * answered.new === 0,
  )
  return {
    phases,
    records,
    answered: book.answered.size,
    reviewers: stage.reviews.acknowledged,
    eventsRead: reader.seen.length,
    held: fleet.held,
    violations: [
      ...book.violations,
      ...load.violations,
      ...mixed.violations,
      ...violations,
      ...fleet.violations,
      ...(isIdle ? ['only one version decided while both served'] : []),
    ],
  }
}

/** A last instance, without reviewers, brings everything up to date. */
async function finish(
  { scene, fleet, book, reviews, reviewing }: Stage,
  reader: EventReader,
  { databaseUrl, rng }: Setting,
  erased: number,
): Promise<{ records: number; violations: string[] }> {
  fleet.onStart = () => {}
  await fleet.stop()
  await Promise.all(reviewing)
  await fleet.start('new')
  const service = { url: fleet.urlOf('new') ?? '', apiKey: scene.apiKey }
  await book.retryAll(service, [...book.unsure])
  const repeatable = [...book.answered.keys()].filter((number) => number !== erased)
  const sampled = Array.from({ length: repeatsMax }, () => rng.pick(repeatable))
  await book.retryAll(service, sampled)
  const stored = await compareStore(databaseUrl, book)
  const missing = await scene.missing(stored.eventIds, timeoutMs)
  const strange = [...scene.arrivals.keys()].filter((id) => !stored.eventIds.has(id))
  await reader.stop()
  await fleet.stop()
  const unlike = await withDirectDatabase(databaseUrl, async ({ run }) => [
    ...(await reviews.compare(run)),
    ...(await reader.compare(run, scene.ownerId)),
  ])
  const violations = [
    ...stored.violations,
    ...missing.map((id) => `${id} was never delivered`),
    ...strange.map((id) => `${id} was delivered and belongs to no record or override`),
    ...unlike,
  ]
  return { records: stored.records, violations }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

function figuresOf(done: readonly Upgraded[]): Outcome['figures'] {
  const named = Map.groupBy(
    done.flatMap(({ phases }) => phases),
    ({ name }) => name,
  )
  const phases = [...named].map(([name, list]) => {
    const answered = (version: 'old' | 'new'): number => sum(list.map((one) => one.answered[version]))
    const longest = Math.max(...list.map(({ heldMs }) => heldMs)).toFixed(0)
    const repeated = sum(list.map((one) => one.repeated))
    return [
      `phase ${name}`,
      `${answered('old')} answered by the old version, ${answered('new')} by the new; longest ${longest} ms, ${repeated} repeated`,
    ]
  })
  return {
    upgrades: done.length,
    'decisions acknowledged': sum(done.map(({ answered }) => answered)),
    'records, events': `${sum(done.map(({ records }) => records))}, one event each`,
    'events read from the stream': sum(done.map(({ eventsRead }) => eventsRead)),
    'acts of reviewers acknowledged': done.map(({ reviewers }) => reviewers).join('; '),
    'requests of any kind held with 503': `${sum(done.map(({ held }) => held.old))} by the old version, ${sum(done.map(({ held }) => held.new))} by the new`,
    ...Object.fromEntries(phases),
  }
}

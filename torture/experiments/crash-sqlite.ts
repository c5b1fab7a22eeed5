/** Repeated SIGKILL under load on SQLite: no acknowledged decision is lost or duplicated. */

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { freshDatabase } from '../../test/helpers/database/databases.ts'
import { serve, start } from '../../test/helpers/process/process.ts'
import { Book } from '../crash/book.ts'
import { compareStore } from '../crash/compare-store.ts'
import { openScene, runCallers, type Scene } from '../crash/scene.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createRng, type Rng } from '../random.ts'

const callers = 16
/** The kill comes at one of this many first payments of a process. */
const paymentsMax = 200
/** One process in this many is killed while it starts. */
const startKillOneIn = 8
const startMsMax = 1_500
const timeoutMs = 60_000

export const experiment: Experiment = {
  promise: 'SQLite: SIGKILL under load loses and duplicates no acknowledged decision and no event',
  async run(options) {
    const database = await freshDatabase('sqlite')
    const scene = await openScene(database.url)
    try {
      return await runKills(options, database.url, scene)
    } finally {
      await scene.close()
      await database.drop()
    }
  },
}

async function runKills(options: Options, databaseUrl: string, scene: Scene): Promise<Outcome> {
  const { seed, isShort, print } = options
  const kills = options.count ?? (isShort ? 4 : 200)
  const rng = createRng(seed)
  const book = new Book()
  let startKills = 0
  for (let life = 1; life <= kills; life += 1) {
    if (life > 1 && rng.below(startKillOneIn) === 0) {
      startKills += 1
      await killAtStart(scene, rng)
    } else await killUnderLoad(scene, rng, book, life === 1)
    if (life % 20 === 0) print(`${life} kills, ${book.answered.size} decisions answered`)
  }
  const server = await serve(scene.environment)
  try {
    const service = { url: server.url, apiKey: scene.apiKey }
    const sampled = sample([...book.answered.keys()], isShort ? 200 : 5_000, rng)
    await book.retryAll(service, [...sampled, ...book.unsure])
    const stored = await compareStore(databaseUrl, book)
    // Events claimed by a killed process are sent after their lease, which takes too long for the short form.
    const missing = isShort ? [] : await scene.missing(stored.eventIds, timeoutMs)
    const code = await server.stop()
    const violations = [
      ...book.violations,
      ...stored.violations,
      ...missing.map((id) => `${id} was never delivered`),
      ...(code === 0 ? [] : [`the last process ended with ${code}`]),
    ]
    return { figures: figuresOf({ kills, startKills, book, records: stored.records }), violations }
  } finally {
    server.child.kill('SIGKILL')
  }
}

interface Counts {
  readonly kills: number
  readonly startKills: number
  readonly book: Book
  readonly records: number
}

function figuresOf({ kills, startKills, book, records }: Counts): Outcome['figures'] {
  return {
    kills: `${kills}, of which ${startKills} during the start`,
    'decisions acknowledged': book.answered.size,
    'records, events': `${records}, one event each`,
    'retried after a kill': book.replays,
  }
}

/** First retries uncertain payments in the new process: each is decided now or was decided before the kill. */
async function killUnderLoad(scene: Scene, rng: Rng, book: Book, isFirst: boolean): Promise<void> {
  const server = await serve(scene.environment)
  const service = { url: server.url, apiKey: scene.apiKey }
  try {
    if (isFirst) await scene.subscribe(server.url)
    await book.retryAll(service, [...book.unsure, ...[...book.answered.keys()].slice(-callers)])
    const last = callers + rng.below(paymentsMax)
    const pauseMs = rng.below(4)
    const end = (): void => void server.child.kill('SIGKILL')
    await runCallers(book, service, {
      callers,
      before(started) {
        if (started === last) setTimeout(end, pauseMs)
      },
      continues: (result) => result === 'answered',
    })
  } finally {
    await server.stop('SIGKILL')
  }
}

async function killAtStart({ environment }: Scene, rng: Rng): Promise<void> {
  const child = start(['serve'], { PORT: '0', ...environment })
  const ended = once(child, 'close')
  await pause(rng.below(startMsMax))
  child.kill('SIGKILL')
  await ended
}

function sample(numbers: number[], count: number, rng: Rng): number[] {
  return Array.from({ length: Math.min(count, numbers.length) }, () => rng.pick(numbers))
}

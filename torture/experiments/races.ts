/** Concurrent requests with one idempotency key at two instances that are killed: one decision and one body per key. */

import { freshDatabase, type FreshDatabase } from '../../test/helpers/database/databases.ts'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { serve, type Served } from '../../test/helpers/process/process.ts'
import { compareStore } from '../crash/compare-store.ts'
import { answersOf, expectedOf, judge, raceFor, racers, type Race } from '../crash/racing.ts'
import { openScene, type Scene } from '../crash/scene.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createRng } from '../random.ts'

/** Keys with races in parallel. */
const concurrentKeys = 4
const timeoutMs = 60_000

export const experiment: Experiment = {
  promise:
    'PostgreSQL, 2 instances that are killed: racers for one key get one decision and one event, altered bodies 409',
  async run(options) {
    const database = await openDatabase()
    const scene = await openScene(database.url)
    const pair = new Pair(scene.environment)
    try {
      await pair.start()
      await scene.subscribe(pair.urlOf(0))
      return await race(options, scene, pair, database.url)
    } finally {
      await pair.end()
      await scene.close()
      await database.drop()
    }
  },
}

/** The tests' server if there is one, otherwise a new server. */
async function openDatabase(): Promise<FreshDatabase> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return freshDatabase('postgres')
  const postgres = await startPostgres()
  return { url: postgres.url, drop: () => postgres.stop() }
}

/** Two instances. One at a time may be killed and replaced. */
class Pair {
  readonly #environment: Readonly<Record<string, string>>
  #servers: Served[] = []
  #replacing: Promise<void> | null = null
  kills = 0

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment
  }

  async start(): Promise<void> {
    this.#servers = await Promise.all([serve(this.#environment), serve(this.#environment)])
  }

  urlOf(place: number): string {
    return this.#servers[place]?.url ?? ''
  }

  /** Does nothing while an instance is being replaced. */
  kill(place: number): void {
    if (this.#replacing !== null) return
    this.kills += 1
    this.#replacing = this.#replace(place).finally(() => {
      this.#replacing = null
    })
  }

  async #replace(place: number): Promise<void> {
    await this.#servers[place]?.stop('SIGKILL')
    this.#servers[place] = await serve(this.#environment)
  }

  async end(): Promise<void> {
    await this.#replacing
    for (const server of this.#servers) await server.stop('SIGKILL')
  }
}

async function race(
  { seed, isShort, count, print }: Options,
  scene: Scene,
  pair: Pair,
  databaseUrl: string,
): Promise<Outcome> {
  const keys = count ?? (isShort ? 60 : 2_000)
  const kills = isShort ? 2 : Math.ceil(keys / 100)
  const rng = createRng(seed)
  const killAt = new Map(
    Array.from({ length: kills }, (_, at) => [Math.floor(((at + rng.next()) * keys) / kills), at % 2]),
  )
  const races: Race[] = []
  let next = 0
  const runner = async (): Promise<void> => {
    while (next < keys) {
      const number = next
      next += 1
      const killed = killAt.get(number)
      const atHalf = killed === undefined ? {} : { atHalf: () => pair.kill(killed) }
      races.push(
        await raceFor(number, { scene, urlOf: (place) => pair.urlOf(place), rng, timeoutMs, ...atHalf }),
      )
      if (races.length % 200 === 0) print(`${races.length} keys, ${pair.kills} kills`)
    }
  }
  await Promise.all(Array.from({ length: concurrentKeys }, runner))
  const stored = await compareStore(databaseUrl, expectedOf(races))
  const missing = await scene.missing(stored.eventIds, timeoutMs)
  const violations = [
    ...races.flatMap(judge),
    ...stored.violations,
    ...missing.map((id) => `${id} was never delivered`),
  ]
  return { figures: figuresOf(races, pair.kills), violations }
}

function figuresOf(races: readonly Race[], kills: number): Outcome['figures'] {
  const answers = answersOf(races)
  return {
    'keys, racers each': `${races.length}, ${racers}`,
    'answers 200 or 409': answers.length,
    'kills of an instance': kills,
    'refused with 409, all for another body': answers.filter(({ status }) => status === 409).length,
    'keys with an answer lost in a kill': races.filter(({ isUnsure }) => isUnsure).length,
  }
}

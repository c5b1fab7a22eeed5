/** Many at once with one idempotency key, at two instances, while instances are killed: one decision a key, and no other body under it. */

import { freshDatabase, type FreshDatabase } from '../../test/helpers/database/databases.ts'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { ask, serve, type Served } from '../../test/helpers/process/process.ts'
import { asStranger } from '../../test/helpers/database/sql.ts'
import { eventIdOf } from '../../src/core/events/event.ts'
import { openScene, type Scene } from '../crash/scene.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { chanceOf, type Chance } from '../random.ts'

const racers = 20
const alteredOneIn = 10
/** Keys that are raced for at the same time. */
const keysAtOnce = 4
const patienceMs = 60_000

export const experiment: Experiment = {
  promise:
    'PostgreSQL, 2 instances: racers for one key get one decision and one event, altered bodies 409, also while instances are killed',
  async run(options) {
    const database = await someDatabase()
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

/** That of the tests where there is one. */
async function someDatabase(): Promise<FreshDatabase> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return freshDatabase('postgres')
  const postgres = await startPostgres()
  return { url: postgres.url, drop: () => postgres.stop() }
}

/** Two instances, of which one at a time may be gone: another is started in its place. */
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

  /** Where one is being replaced, nothing happens. */
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

interface RacerAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** What the racers of one key were told, those with the other body apart. */
interface Race {
  readonly name: string
  readonly plain: RacerAnswer[]
  readonly altered: RacerAnswer[]
  /** Whether one of them lost its answer: it may have been the first. */
  isUnsure: boolean
}

async function race(
  { seed, isShort, count, say }: Options,
  scene: Scene,
  pair: Pair,
  databaseUrl: string,
): Promise<Outcome> {
  const keys = count ?? (isShort ? 60 : 2_000)
  const kills = isShort ? 2 : Math.ceil(keys / 100)
  const chance = chanceOf(seed)
  const killAt = new Map(
    Array.from({ length: kills }, (_, at) => [Math.floor(((at + chance.next()) * keys) / kills), at % 2]),
  )
  const races: Race[] = []
  let next = 0
  const runner = async (): Promise<void> => {
    while (next < keys) {
      const number = next
      next += 1
      races.push(await raceFor(number, { scene, pair, chance }, killAt.get(number) ?? null))
      if (races.length % 200 === 0) say(`${races.length} keys, ${pair.kills} kills`)
    }
  }
  await Promise.all(Array.from({ length: keysAtOnce }, runner))
  const violations = [...races.flatMap(judge), ...(await compare(databaseUrl, races))]
  return { figures: figuresOf(races, pair.kills), violations }
}

function figuresOf(races: readonly Race[], kills: number): Outcome['figures'] {
  const answers = races.reduce((sum, { plain, altered }) => sum + plain.length + altered.length, 0)
  const refused = races
    .flatMap(({ plain, altered }) => [...plain, ...altered])
    .filter(({ status }) => status === 409)
  return {
    'keys, racers each': `${races.length}, ${racers}`,
    'answers 200 or 409': answers,
    'kills of an instance': kills,
    'refused with 409, all for the other body': refused.length,
    'keys with an answer lost in a kill': races.filter(({ isUnsure }) => isUnsure).length,
  }
}

interface Course {
  readonly scene: Scene
  readonly pair: Pair
  readonly chance: Chance
}

/** All are sent at once. A tenth has another body, which may also win. */
async function raceFor(
  number: number,
  { scene, pair, chance }: Course,
  killed: number | null,
): Promise<Race> {
  const run: Race = { name: `race-${number}`, plain: [], altered: [], isUnsure: false }
  const racer = async (place: number): Promise<void> => {
    const isAltered = chance.below(alteredOneIn) === 0
    const body = { corridor: 'GB-NG', amount: isAltered ? number + 0.5 : number }
    if (place === Math.floor(racers / 2) && killed !== null) pair.kill(killed)
    // Who is cut off goes to the other one.
    const send = (attempt: number): Promise<Response> =>
      ask(pair.urlOf((place + attempt) % 2), scene.apiKey, body, { 'idempotency-key': run.name })
    const told = await untilTold(run, send)
    const where = isAltered ? run.altered : run.plain
    where.push(told)
  }
  await Promise.all(Array.from({ length: racers }, (_, place) => racer(place)))
  return run
}

/** As a client does: where the line broke, or the store was away, it asks again with the same key. */
async function untilTold(run: Race, send: (attempt: number) => Promise<Response>): Promise<RacerAnswer> {
  const signal = AbortSignal.timeout(patienceMs)
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      const answer = await send(attempt)
      const body = (await answer.json()) as RacerAnswer['body']
      if (body['code'] !== 'STORE_UNAVAILABLE') return { status: answer.status, body }
      run.isUnsure = true
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      // Where nobody listens nothing was heard.
      const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
      if (code !== 'ECONNREFUSED') run.isUnsure = true
    }
  }
  throw new Error('no instance answers')
}

/** One body is the decision's; whoever sent the other is refused. Whose it is, is up to the race. */
function judge({ name, plain, altered, isUnsure }: Race): string[] {
  const isDecided = (told: RacerAnswer): boolean => told.status === 200
  const [winners, losers] = plain.some(isDecided) ? [plain, altered] : [altered, plain]
  const found: string[] = []
  if (!winners.every(isDecided)) found.push(`${name}: one body got ${statusesOf(winners)}`)
  if (!losers.every(({ status, body }) => status === 409 && body['code'] === 'IDEMPOTENCY_CONFLICT')) {
    found.push(`${name}: the other body got ${statusesOf(losers)}`)
  }
  const ids = new Set(winners.map(({ body }) => body['request_id']))
  if (ids.size !== 1) found.push(`${name}: ${ids.size} decisions`)
  const firsts = winners.filter(({ body }) => body['idempotency_hit'] === false).length
  // The answer to the first may be what was lost.
  if (firsts > 1 || (firsts === 0 && !isUnsure)) found.push(`${name}: ${firsts} with idempotency_hit false`)
  return found
}

const statusesOf = (told: readonly RacerAnswer[]): string => told.map(({ status }) => status).join(' ')

/** One record and one event a key, and they are those that were told of. */
async function compare(databaseUrl: string, races: readonly Race[]): Promise<string[]> {
  const idOf = ({ plain, altered }: Race): string =>
    String([...plain, ...altered].find(({ status }) => status === 200)?.body['request_id'])
  const wanted = races.map(idOf).toSorted()
  return asStranger(databaseUrl, async ({ run }) => {
    const column = async (sql: string): Promise<string[]> =>
      (await run(sql)).map(({ id }) => String(id)).toSorted()
    const records = await column('SELECT request_id AS id FROM verifications')
    const events = await column('SELECT event_id AS id FROM webhook_deliveries')
    const isSame = (found: readonly string[], right: readonly string[]): boolean =>
      found.join() === right.join()
    return [
      ...(isSame(records, wanted)
        ? []
        : [`${records.length} records of ${races.length} keys, or other ones`]),
      ...(isSame(events, wanted.map(eventIdOf).toSorted())
        ? []
        : [`${events.length} events of ${races.length} keys, or other ones`]),
    ]
  })
}

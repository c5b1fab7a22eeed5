/** Concurrent requests with one idempotency key at two instances that are killed: one decision and one body per key. */

import { freshDatabase, type FreshDatabase } from '../../test/helpers/database/databases.ts'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { ask, holdCodes, serve, type Served } from '../../test/helpers/process/process.ts'
import { withDirectDatabase } from '../../test/helpers/database/sql.ts'
import { eventIdOf } from '../../src/core/events/event.ts'
import { openScene, type Scene } from '../crash/scene.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createRng, type Rng } from '../random.ts'

const racers = 20
const alteredOneIn = 10
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

interface RacerAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The answers to the racers of one key, separated by body. */
interface Race {
  readonly name: string
  readonly plain: RacerAnswer[]
  readonly altered: RacerAnswer[]
  /** Whether an answer was lost, which may have been the first one. */
  isUnsure: boolean
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
      races.push(await raceFor(number, { scene, pair, rng }, killAt.get(number) ?? null))
      if (races.length % 200 === 0) print(`${races.length} keys, ${pair.kills} kills`)
    }
  }
  await Promise.all(Array.from({ length: concurrentKeys }, runner))
  const violations = [...races.flatMap(judge), ...(await compare(databaseUrl, races, scene))]
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
    'refused with 409, all for another body': refused.length,
    'keys with an answer lost in a kill': races.filter(({ isUnsure }) => isUnsure).length,
  }
}

interface Course {
  readonly scene: Scene
  readonly pair: Pair
  readonly rng: Rng
}

/** Sends all requests concurrently. A tenth has another body, which may also win. */
async function raceFor(number: number, { scene, pair, rng }: Course, killed: number | null): Promise<Race> {
  const run: Race = { name: `race-${number}`, plain: [], altered: [], isUnsure: false }
  const racer = async (place: number): Promise<void> => {
    const isAltered = rng.below(alteredOneIn) === 0
    const body = { corridor: 'GB-NG', amount: isAltered ? number + 0.5 : number }
    if (place === Math.floor(racers / 2) && killed !== null) pair.kill(killed)
    // After a lost connection, retry at the other instance.
    const send = (attempt: number): Promise<Response> =>
      ask(pair.urlOf((place + attempt) % 2), scene.apiKey, body, { 'idempotency-key': run.name })
    const answer = await untilAnswered(run, send)
    const answers = isAltered ? run.altered : run.plain
    answers.push(answer)
  }
  await Promise.all(Array.from({ length: racers }, (_, place) => racer(place)))
  return run
}

/** Retries with the same key, as a client does, after a lost connection or an unavailable store. */
async function untilAnswered(run: Race, send: (attempt: number) => Promise<Response>): Promise<RacerAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      const answer = await send(attempt)
      const body = (await answer.json()) as RacerAnswer['body']
      if (!holdCodes.test(String(body['code']))) return { status: answer.status, body }
      run.isUnsure = true
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      // A refused connection means that no request arrived.
      const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
      if (code !== 'ECONNREFUSED') run.isUnsure = true
    }
  }
  throw new Error('no instance answers')
}

/** Checks that one body got the decision and the other was refused. Either body may win the race. */
function judge({ name, plain, altered, isUnsure }: Race): string[] {
  const isDecided = (answer: RacerAnswer): boolean => answer.status === 200
  const [winners, losers] = plain.some(isDecided) ? [plain, altered] : [altered, plain]
  const faults: string[] = []
  if (!winners.every(isDecided)) faults.push(`${name}: one body got ${statusesOf(winners)}`)
  if (!losers.every(({ status, body }) => status === 409 && body['code'] === 'IDEMPOTENCY_CONFLICT')) {
    faults.push(`${name}: the other body got ${statusesOf(losers)}`)
  }
  const ids = new Set(winners.map(({ body }) => body['request_id']))
  if (ids.size !== 1) faults.push(`${name}: ${ids.size} decisions`)
  const firsts = winners.filter(({ body }) => body['idempotency_hit'] === false).length
  // The first answer may be the lost one.
  if (firsts > 1 || (firsts === 0 && !isUnsure)) faults.push(`${name}: ${firsts} with idempotency_hit false`)
  return faults
}

const statusesOf = (answers: readonly RacerAnswer[]): string => answers.map(({ status }) => status).join(' ')

/** Checks that there is exactly one record and one event per key, with the ids that were returned. */
async function compare(databaseUrl: string, races: readonly Race[], scene: Scene): Promise<string[]> {
  const idOf = ({ plain, altered }: Race): string =>
    String([...plain, ...altered].find(({ status }) => status === 200)?.body['request_id'])
  const wanted = races.map(idOf).toSorted()
  // Events are written after their records. The comparison below reports those that never came.
  await scene.missing(new Set(wanted.map(eventIdOf)), timeoutMs)
  return withDirectDatabase(databaseUrl, async ({ run }) => {
    const column = async (sql: string): Promise<string[]> =>
      (await run(sql)).map(({ id }) => String(id)).toSorted()
    const records = await column('SELECT request_id AS id FROM verifications')
    const events = await column('SELECT event_id AS id FROM webhook_deliveries')
    const isSame = (actual: readonly string[], expected: readonly string[]): boolean =>
      actual.join() === expected.join()
    return [
      ...(isSame(records, wanted)
        ? []
        : [`${records.length} records for ${races.length} keys, or with other ids`]),
      ...(isSame(events, wanted.map(eventIdOf).toSorted())
        ? []
        : [`${events.length} events for ${races.length} keys, or with other ids`]),
    ]
  })
}

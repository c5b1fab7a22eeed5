/** Repeated SIGKILL of PostgreSQL under load: no acknowledged decision is lost, and the service recovers by itself. */

import { serve, type Served } from '../../test/helpers/process/process.ts'
import { startPostgres, type RunningPostgres } from '../../test/helpers/database/postgres.ts'
import { Book, type Service } from '../crash/book.ts'
import { compareStore } from '../crash/compare-store.ts'
import { openScene, runCallers, type Scene } from '../crash/scene.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createRng, type Rng } from '../random.ts'

const callers = 16
/** The kill comes at one of this many first payments after the last kill. */
const paymentsMax = 240
/** Payments that each caller attempts during the outage. */
const outageAttempts = 2
const timeoutMs = 60_000

export const experiment: Experiment = {
  promise:
    'PostgreSQL: SIGKILL of the postmaster under load loses and duplicates no acknowledged decision and no event',
  async run(options) {
    const postgres = await startPostgres()
    try {
      const scene = await openScene(postgres.url)
      const server = await serve(scene.environment)
      try {
        await scene.subscribe(server.url)
        return await runKills(options, postgres, { scene, server })
      } finally {
        await server.stop('SIGKILL')
        await scene.close()
      }
    } finally {
      await postgres.stop()
    }
  },
}

interface Running {
  readonly scene: Scene
  readonly server: Served
}

async function runKills(
  { seed, isShort, count, print }: Options,
  postgres: RunningPostgres,
  { scene, server }: Running,
): Promise<Outcome> {
  const kills = count ?? (isShort ? 4 : 50)
  const rng = createRng(seed)
  const book = new Book()
  const service = { url: server.url, apiKey: scene.apiKey }
  let refused = 0
  for (let life = 1; life <= kills; life += 1) {
    refused += await killUnderLoad(postgres, service, book, rng)
    await untilAnswered(book, service)
    await book.retryAll(service, [...book.unsure, ...[...book.answered.keys()].slice(-callers)])
    if (life % 10 === 0) print(`${life} kills, ${book.answered.size} decisions answered`)
  }
  const all = [...book.answered.keys()]
  const sampled = Array.from({ length: isShort ? 200 : 5_000 }, () => rng.pick(all))
  await book.retryAll(service, sampled)
  const stored = await compareStore(postgres.url, book)
  const missing = isShort ? [] : await scene.missing(stored.eventIds, timeoutMs)
  const violations = [
    ...book.violations,
    ...stored.violations,
    ...missing.map((id) => `${id} was never delivered`),
    ...(server.child.exitCode === null ? [] : ['the service ended with its database']),
  ]
  const figures = {
    'postmaster kills': kills,
    'decisions acknowledged': book.answered.size,
    'records, events': `${stored.records}, one event each`,
    'answered 503 STORE_UNAVAILABLE': refused,
    'retried after a kill': book.replays,
  }
  return { figures, violations }
}

/** Returns the number of requests refused with an unavailable store. During the outage every request is refused. */
async function killUnderLoad(
  postgres: RunningPostgres,
  service: Service,
  book: Book,
  rng: Rng,
): Promise<number> {
  const last = callers + rng.below(paymentsMax)
  let halted: Promise<void> = Promise.resolve()
  let refused = 0
  await runCallers(book, service, {
    callers,
    before(started) {
      if (started === last) halted = postgres.halt('kill')
    },
    continues(result) {
      if (result !== 'answered') refused += 1
      return refused < callers * outageAttempts
    },
  })
  await halted
  await postgres.resume()
  return refused
}

/** Waits until the service has reconnected to the database, without a restart. */
async function untilAnswered(book: Book, service: Service): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  const [number = 0] = book.unsure
  while ((await book.pay(service, number)) !== 'answered') {
    if (signal.aborted) throw new Error('the service does not reconnect to its database')
  }
}

/** SIGKILL of PostgreSQL's first process under load, again and again: nothing that was answered is lost, and the service goes on without a restart. */

import { serve, type Served } from '../../test/helpers/process/process.ts'
import { startPostgres, type RunningPostgres } from '../../test/helpers/database/postgres.ts'
import { Book, type Service } from '../crash/book.ts'
import { compareKept } from '../crash/kept.ts'
import { openScene, press, type Scene } from '../crash/scene.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { chanceOf, type Chance } from '../random.ts'

const callers = 16
/** The kill comes at one of the first so many payments after the last one. */
const paymentsMax = 240
/** Payments that are tried while there is no database, by each caller. */
const outageAttempts = 2
const patienceMs = 60_000

export const experiment: Experiment = {
  promise:
    'PostgreSQL: SIGKILL of the postmaster under load loses no acknowledged decision and no event, and doubles none',
  async run(options) {
    const postgres = await startPostgres()
    try {
      const scene = await openScene(postgres.url)
      const server = await serve(scene.environment)
      try {
        await scene.subscribe(server.url)
        return await kill(options, postgres, { scene, server })
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

async function kill(
  { seed, isShort, count, say }: Options,
  postgres: RunningPostgres,
  { scene, server }: Running,
): Promise<Outcome> {
  const kills = count ?? (isShort ? 4 : 50)
  const chance = chanceOf(seed)
  const book = new Book()
  const service = { url: server.url, apiKey: scene.apiKey }
  let refused = 0
  for (let life = 1; life <= kills; life += 1) {
    refused += await dieUnderLoad(postgres, service, book, chance)
    await untilAnswered(book, service)
    await book.askAgain(service, [...book.unsure, ...[...book.answered.keys()].slice(-callers)])
    if (life % 10 === 0) say(`${life} kills, ${book.answered.size} decisions answered`)
  }
  const all = [...book.answered.keys()]
  const again = Array.from({ length: isShort ? 200 : 5_000 }, () => chance.pick(all))
  await book.askAgain(service, again)
  const kept = await compareKept(postgres.url, book)
  const missing = isShort ? [] : await scene.missing(kept.eventIds, patienceMs)
  const violations = [
    ...book.violations,
    ...kept.violations,
    ...missing.map((id) => `${id} was never delivered`),
    ...(server.child.exitCode === null ? [] : ['the service ended with its database']),
  ]
  const figures = {
    'postmaster kills': kills,
    'decisions acknowledged': book.answered.size,
    'records, events': `${kept.records}, one event each`,
    'answered 503 STORE_UNAVAILABLE': refused,
    'asked again after a kill': book.replays,
  }
  return { figures, violations }
}

/** How many were told that the store is unavailable. While it is away everybody is; nobody is left to wait. */
async function dieUnderLoad(
  postgres: RunningPostgres,
  service: Service,
  book: Book,
  chance: Chance,
): Promise<number> {
  const last = callers + chance.below(paymentsMax)
  let halted: Promise<void> = Promise.resolve()
  let refused = 0
  await press(book, service, {
    callers,
    before(begun) {
      if (begun === last) halted = postgres.halt('kill')
    },
    goesOn(result) {
      if (result !== 'answered') refused += 1
      return refused < callers * outageAttempts
    },
  })
  await halted
  await postgres.resume()
  return refused
}

/** Without a restart: sooner or later one of its attempts finds the database again. */
async function untilAnswered(book: Book, service: Service): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs)
  const [number = 0] = book.unsure
  while ((await book.pay(service, number)) !== 'answered') {
    if (signal.aborted) throw new Error('the service does not find its database again')
  }
}

/** SIGKILL under load, again and again, on the embedded store: nothing that was answered is lost, nothing is there twice. */

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { freshDatabase } from '../../test/helpers/database/databases.ts'
import { serve, start } from '../../test/helpers/process/process.ts'
import { Book } from '../crash/book.ts'
import { compareKept } from '../crash/kept.ts'
import { openScene, press, type Scene } from '../crash/scene.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { chanceOf, type Chance } from '../random.ts'

const callers = 16
/** The kill comes at one of the first so many payments of a life. */
const paymentsMax = 200
/** One life in so many ends while it starts, at some point of its first milliseconds. */
const stillbornOneIn = 8
const startMsMax = 1_500
const patienceMs = 60_000

export const experiment: Experiment = {
  promise: 'SQLite: SIGKILL under load loses no acknowledged decision and no event, and doubles none',
  async run(options) {
    const database = await freshDatabase('sqlite')
    const scene = await openScene(database.url)
    try {
      return await kill(options, database.url, scene)
    } finally {
      await scene.close()
      await database.drop()
    }
  },
}

async function kill(options: Options, databaseUrl: string, scene: Scene): Promise<Outcome> {
  const { seed, isShort, say } = options
  const kills = options.count ?? (isShort ? 4 : 200)
  const chance = chanceOf(seed)
  const book = new Book()
  let stillborn = 0
  for (let life = 1; life <= kills; life += 1) {
    if (life > 1 && chance.below(stillbornOneIn) === 0) {
      stillborn += 1
      await dieAtStart(scene, chance)
    } else await dieUnderLoad(scene, chance, book, life === 1)
    if (life % 20 === 0) say(`${life} kills, ${book.answered.size} decisions answered`)
  }
  const server = await serve(scene.environment)
  try {
    const service = { url: server.url, apiKey: scene.apiKey }
    const asked = sample([...book.answered.keys()], isShort ? 200 : 5_000, chance)
    await book.askAgain(service, [...asked, ...book.unsure])
    const kept = await compareKept(databaseUrl, book)
    // Those that a killed process had claimed are sent after their lease: longer than a test may take.
    const missing = isShort ? [] : await scene.missing(kept.eventIds, patienceMs)
    const code = await server.stop()
    const violations = [
      ...book.violations,
      ...kept.violations,
      ...missing.map((id) => `${id} was never delivered`),
      ...(code === 0 ? [] : [`the last life ended with ${code}`]),
    ]
    return { figures: figuresOf({ kills, stillborn, book, records: kept.records }), violations }
  } finally {
    server.child.kill('SIGKILL')
  }
}

interface Seen {
  readonly kills: number
  readonly stillborn: number
  readonly book: Book
  readonly records: number
}

function figuresOf({ kills, stillborn, book, records }: Seen): Outcome['figures'] {
  return {
    kills: `${kills}, ${stillborn} of them while it started`,
    'decisions acknowledged': book.answered.size,
    'records, events': `${records}, one event each`,
    'asked again after a kill': book.replays,
  }
}

/** What was in doubt is asked first, of the new process: it is decided now, or was before the kill. */
async function dieUnderLoad(scene: Scene, chance: Chance, book: Book, isFirst: boolean): Promise<void> {
  const server = await serve(scene.environment)
  const service = { url: server.url, apiKey: scene.apiKey }
  try {
    if (isFirst) await scene.subscribe(server.url)
    await book.askAgain(service, [...book.unsure, ...[...book.answered.keys()].slice(-callers)])
    const last = callers + chance.below(paymentsMax)
    const pauseMs = chance.below(4)
    const end = (): void => void server.child.kill('SIGKILL')
    await press(book, service, {
      callers,
      before(begun) {
        if (begun === last) setTimeout(end, pauseMs)
      },
      goesOn: (result) => result === 'answered',
    })
  } finally {
    await server.stop('SIGKILL')
  }
}

async function dieAtStart({ environment }: Scene, chance: Chance): Promise<void> {
  const child = start(['serve'], { PORT: '0', ...environment })
  const ended = once(child, 'close')
  await pause(chance.below(startMsMax))
  child.kill('SIGKILL')
  await ended
}

function sample(numbers: number[], count: number, chance: Chance): number[] {
  return Array.from({ length: Math.min(count, numbers.length) }, () => chance.pick(numbers))
}

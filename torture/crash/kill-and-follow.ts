/** Kills the server again and again between append and follow: what was appended takes effect once, in the next life. */

import { withDirectDatabase } from '../../test/helpers/database/sql.ts'
import { serve } from '../../test/helpers/process/process.ts'
import type { Options, Outcome } from '../experiment.ts'
import { createRng, type Rng } from '../random.ts'
import { Book } from './book.ts'
import { isBehind } from './compare-projections.ts'
import { compareStore } from './compare-store.ts'
import { ReviewBook } from './review-book.ts'
import { openScene, runCallers, type Scene } from './scene.ts'

const callers = 8
const reviewers = 2
/** The kill comes at one of this many first payments of a process, or a moment later. */
const paymentsMax = 60
const killDelaysMs = [0, 0, 1, 5, 20, 60]
/** Longer than the lease of a delivery that a killed process had begun. */
const timeoutMs = 60_000
const kills = { short: 4, long: 500 }

export async function killAndFollow(
  { seed, isShort, count, print }: Options,
  databaseUrl: string,
): Promise<Outcome> {
  const scene = await openScene(databaseUrl)
  const wanted = count ?? (isShort ? kills.short : kills.long)
  const rng = createRng(seed)
  const book = new Book()
  const reviews = new ReviewBook()
  let behind = 0
  try {
    for (let life = 1; life <= wanted; life += 1) {
      await killUnderLoad(scene, rng, { book, reviews }, life === 1)
      if (await isBehind(databaseUrl)) behind += 1
      if (life % 20 === 0) print(`${life} kills, ${book.answered.size} decisions answered`)
    }
    const { records, arrivals, violations } = await finish(scene, databaseUrl, book)
    const unlike = await withDirectDatabase(databaseUrl, ({ run }) => reviews.compare(run))
    const figures = {
      kills: `${wanted}, of which ${behind} left something to follow`,
      'decisions acknowledged': book.answered.size,
      'records, events': `${records}, one event each`,
      'deliveries, repeats included': arrivals,
      'retried after a kill': book.replays,
      'acts of reviewers acknowledged': reviews.acknowledged,
    }
    // A kill that leaves nothing to follow shows nothing.
    const isIdle = behind === 0 ? ['no kill came between append and follow'] : []
    return { figures, violations: [...book.violations, ...violations, ...unlike, ...isIdle] }
  } finally {
    await scene.close()
  }
}

interface Books {
  readonly book: Book
  readonly reviews: ReviewBook
}

async function killUnderLoad(
  scene: Scene,
  rng: Rng,
  { book, reviews }: Books,
  isFirst: boolean,
): Promise<void> {
  const server = await serve(scene.environment)
  const service = { url: server.url, apiKey: scene.apiKey }
  try {
    if (isFirst) await scene.subscribe(server.url)
    const reviewing = Array.from({ length: reviewers }, () => reviews.work({ url: server.url, ...scene }))
    await book.retryAll(service, [...book.unsure, ...[...book.answered.keys()].slice(-callers)])
    const last = callers + rng.below(paymentsMax)
    const delayMs = rng.pick(killDelaysMs)
    await runCallers(book, service, {
      callers,
      before(started) {
        if (started === last) setTimeout(() => server.child.kill('SIGKILL'), delayMs)
      },
      continues: (result) => result === 'answered',
    })
    await Promise.all(reviewing)
  } finally {
    await server.stop('SIGKILL')
  }
}

/** The last life brings everything up to date. */
async function finish(scene: Scene, databaseUrl: string, book: Book) {
  const server = await serve(scene.environment)
  try {
    const service = { url: server.url, apiKey: scene.apiKey }
    await book.retryAll(service, [...book.unsure])
    const stored = await compareStore(databaseUrl, book)
    const missing = await scene.missing(stored.eventIds, timeoutMs)
    const strange = [...scene.arrivals.keys()].filter((id) => !stored.eventIds.has(id))
    const code = await server.stop()
    const violations = [
      ...stored.violations,
      ...missing.map((id) => `${id} was never delivered`),
      ...strange.map((id) => `${id} was delivered and belongs to no record or override`),
      ...(code === 0 ? [] : [`the last process ended with ${code}`]),
    ]
    const arrivals = [...scene.arrivals.values()].reduce((sum, times) => sum + times, 0)
    return { records: stored.records, arrivals, violations }
  } finally {
    server.child.kill('SIGKILL')
  }
}

/** A failed fsync in PostgreSQL: it crashes and recovers by itself, and Fairway answers 503 until then. */

import { startPostgres } from '../../../test/helpers/database/postgres.ts'
import { serve } from '../../../test/helpers/process/process.ts'
import { Book } from '../../crash/book.ts'
import { compareStore } from '../../crash/compare-store.ts'
import { followRest } from '../../crash/follow-rest.ts'
import { openScene, type Scene } from '../../crash/scene.ts'
import { openTrace } from '../../crash/strace.ts'
import type { Experiment } from '../../experiment.ts'

const callers = 4
/** The sync with this number fails in each PostgreSQL process; a start needs fewer. */
const failsAt = 12
/**
 * One sync may serve all callers, and any connection may make it. So a fixed number of payments may leave every
 * process below `failsAt`; this many times the callers cannot, as the service has far fewer connections.
 */
const paymentsPerCallerMax = 500
const timeoutMs = 60_000

export const experiment: Experiment = {
  promise:
    'PostgreSQL: after a failed fsync every acknowledged decision is stored, and the service recovers by itself',
  async run({ isShort, count }) {
    const payments = count ?? (isShort ? 60 : 1_000)
    const watch = openTrace(['-e', `inject=fdatasync:error=EIO:when=${failsAt}`])
    const postgres = await startPostgres({ under: watch.under })
    try {
      const scene = await openScene(postgres.url)
      const server = await serve(scene.environment)
      try {
        await scene.subscribe(server.url)
        const book = new Book()
        const failures = (): number => watch.calls().filter(({ kind }) => kind === 'sync failed').length
        const isEnough = (paid: number): boolean =>
          paid >= payments && (failures() > 0 || paid >= callers * paymentsPerCallerMax)
        const refused = await payAll(book, scene, server.url, isEnough)
        const failed = failures()
        const hasEnded = server.child.exitCode !== null
        // Another sync may fail at any time, even after the last answer. A new start makes none fail while comparing.
        await server.stop('SIGKILL')
        await postgres.halt()
        await postgres.resume()
        await followRest(postgres.url)
        const stored = await compareStore(postgres.url, book)
        const violations = [...book.violations, ...stored.violations]
        if (failed === 0) violations.push('no fsync failed')
        if (hasEnded) violations.push('the service ended with its database')
        const figures = {
          'failed fdatasyncs': failed,
          'decisions acknowledged': book.answered.size,
          'answered 503 STORE_UNAVAILABLE': refused,
          'records, events': `${stored.records}, one event each`,
        }
        return { figures, violations }
      } finally {
        if (server.child.exitCode === null && server.child.signalCode === null) await server.stop('SIGKILL')
        await scene.close()
      }
    } finally {
      await postgres.stop()
      watch.remove()
    }
  },
}

/** Each caller retries its payment with the same key until it is answered. Returns the number of retries. */
async function payAll(
  book: Book,
  { apiKey }: Scene,
  url: string,
  isEnough: (paid: number) => boolean,
): Promise<number> {
  let next = 0
  let refused = 0
  const caller = async (): Promise<void> => {
    while (!isEnough(next)) {
      next += 1
      const number = next
      const signal = AbortSignal.timeout(timeoutMs)
      while ((await book.pay({ url, apiKey }, number)) !== 'answered') {
        refused += 1
        if (signal.aborted) throw new Error('the service does not reconnect to its database')
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return refused
}

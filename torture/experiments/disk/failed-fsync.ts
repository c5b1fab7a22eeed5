/** A failed fsync on SQLite: nothing more is acknowledged; the process ends with one clear line and exit code 74. */

import { freshDatabase } from '../../../test/helpers/database/databases.ts'
import { serve, type Served } from '../../../test/helpers/process/process.ts'
import { Book, type Service } from '../../crash/book.ts'
import { compareStore } from '../../crash/compare-store.ts'
import { followRest } from '../../crash/follow-rest.ts'
import { openScene, type Scene } from '../../crash/scene.ts'
import { openTrace, orderOf, type Call } from '../../crash/strace.ts'
import type { Experiment } from '../../experiment.ts'
import { createRng } from '../../random.ts'

/** The first syncs belong to the start; if one of them fails, the process never serves. */
const startSyncs = 8
const syncsMax = 60
/** Enough for a checkpoint of the write-ahead log into the file. */
const paymentsMax = 400
const exitCode = 74

export const experiment: Experiment = {
  promise: 'SQLite: after a failed fsync nothing is acknowledged, and the process ends with one clear line',
  async run({ seed, isShort, count }) {
    const failures = count ?? (isShort ? 2 : 30)
    const rng = createRng(seed)
    const database = await freshDatabase('sqlite')
    const scene = await openScene(database.url)
    const book = new Book()
    const violations: string[] = []
    try {
      await settle(scene, book, true)
      let ofFile = 0
      for (let failure = 0; failure < failures; failure += 1) {
        const isOfFile = failure % 2 === 1
        if (isOfFile) ofFile += 1
        const faults = await fail(scene, book, isOfFile ? 'file' : startSyncs + rng.below(syncsMax))
        violations.push(...faults)
        await settle(scene, book, false)
      }
      await followRest(database.url)
      const stored = await compareStore(database.url, book)
      const figures = {
        'failed fsyncs': `${failures}, of which ${ofFile} in a checkpoint`,
        'decisions acknowledged': book.answered.size,
        'records, events': `${stored.records}, one event each`,
      }
      return { figures, violations: [...violations, ...book.violations, ...stored.violations] }
    } finally {
      await scene.close()
      await database.drop()
    }
  },
}

/** Runs the service until a sync fails: the sync of the log with this number, or the first of the database file. */
async function fail({ environment, apiKey }: Scene, book: Book, which: number | 'file'): Promise<string[]> {
  const path = (environment['DATABASE_URL'] ?? '').slice('sqlite:'.length)
  const inject = 'inject=fsync,fdatasync:error=EIO'
  const trace = openTrace(which === 'file' ? ['-P', path, '-e', inject] : ['-e', `${inject}:when=${which}`])
  try {
    const server = await serve(environment, { under: trace.under })
    const ended = new Promise<number | null>((resolve) => server.child.once('close', resolve))
    // Kill a process that does not end by itself or cannot be reached.
    const isCut = await payUntilCut(book, { url: server.url, apiKey }).catch(() => false)
    if (!isCut) server.child.kill('SIGKILL')
    return judge(server, await ended, which === 'file' ? null : trace.calls())
  } finally {
    trace.remove()
  }
}

/** Sequentially, so that each answer can be compared with the sync before it. */
async function payUntilCut(book: Book, service: Service): Promise<boolean> {
  for (let payment = 0; payment < paymentsMax; payment += 1) {
    if ((await book.next(service)) === 'cut') return true
  }
  return false
}

function judge(server: Served, code: number | null, calls: readonly Call[] | null): string[] {
  const faults: string[] = []
  if (code !== exitCode) faults.push(`the process ended with ${code} instead of ${exitCode}`)
  const lines = server.output().split('\n')
  const clear = lines.filter(
    (line) => line.includes('"level":"fatal"') && line.includes('the disk did not confirm a write'),
  )
  if (clear.length !== 1) faults.push(`it logged the failure ${clear.length} times: ${server.output()}`)
  if (lines.at(-1) !== '' || lines.at(-2) !== clear[0]) faults.push('the failure is not its last log line')
  if (calls !== null) {
    faults.push(...orderOf(calls, (place) => place.endsWith('.db-wal')).violations)
    if (!calls.some(({ kind }) => kind === 'sync failed')) faults.push('no fsync failed')
  }
  return faults
}

/** Retries all payments on a working disk. */
async function settle(scene: Scene, book: Book, isFirst: boolean): Promise<void> {
  const server = await serve(scene.environment)
  try {
    if (isFirst) await scene.subscribe(server.url)
    await book.retryAll({ url: server.url, apiKey: scene.apiKey }, [...book.unsure, ...book.answered.keys()])
  } finally {
    await server.stop()
  }
}

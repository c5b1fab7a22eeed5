/** A disk that does not confirm a write: nothing more is acknowledged, and the process ends with a clear line and its own exit code. */

import { freshDatabase } from '../../test/helpers/database/databases.ts'
import { serve, type Served } from '../../test/helpers/process/process.ts'
import { Book, type Service } from '../crash/book.ts'
import { compareKept } from '../crash/kept.ts'
import { openScene, type Scene } from '../crash/scene.ts'
import { openTrace, orderOf, type Call } from '../crash/strace.ts'
import type { Experiment } from '../experiment.ts'
import { chanceOf } from '../random.ts'

/** The first are those of a start: one that fails there never serves. */
const startSyncs = 8
const syncsMax = 60
/** Enough for the log to become so long that it is moved into the file, where one thread is watched. */
const paymentsMax = 400
const exitCode = 74

export const experiment: Experiment = {
  promise:
    'SQLite: after an fsync that failed nothing is acknowledged, and the process ends with one clear line',
  async run({ seed, isShort, count }) {
    const failures = count ?? (isShort ? 2 : 30)
    const chance = chanceOf(seed)
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
        const told = await fail(scene, book, isOfFile ? 'file' : startSyncs + chance.below(syncsMax))
        violations.push(...told)
        await settle(scene, book, false)
      }
      const kept = await compareKept(database.url, book)
      const figures = {
        'failed fsyncs': `${failures}, ${ofFile} of them of a checkpoint`,
        'decisions acknowledged': book.answered.size,
        'records, events': `${kept.records}, one event each`,
      }
      return { figures, violations: [...violations, ...book.violations, ...kept.violations] }
    } finally {
      await scene.close()
      await database.drop()
    }
  },
}

/** One life that ends so: at a sync of the log by its number, or at the first of the file itself. */
async function fail({ environment, apiKey }: Scene, book: Book, which: number | 'file'): Promise<string[]> {
  const path = (environment['DATABASE_URL'] ?? '').slice('sqlite:'.length)
  const inject = 'inject=fsync,fdatasync:error=EIO'
  const trace = openTrace(which === 'file' ? ['-P', path, '-e', inject] : ['-e', `${inject}:when=${which}`])
  try {
    const server = await serve(environment, trace.under)
    const ended = new Promise<number | null>((resolve) => server.child.once('close', resolve))
    // Whoever is not cut off by itself, or cannot be asked at all, is not left behind.
    const isCut = await payUntilCut(book, { url: server.url, apiKey }).catch(() => false)
    if (!isCut) server.child.kill('SIGKILL')
    return judge(server, await ended, which === 'file' ? null : trace.calls())
  } finally {
    trace.remove()
  }
}

/** One by one, so that each answer can be held against the sync before it. */
async function payUntilCut(book: Book, service: Service): Promise<boolean> {
  for (let payment = 0; payment < paymentsMax; payment += 1) {
    if ((await book.next(service)) === 'cut') return true
  }
  return false
}

function judge(server: Served, code: number | null, calls: readonly Call[] | null): string[] {
  const found: string[] = []
  if (code !== exitCode) found.push(`the process ended with ${code}`)
  const lines = server.output().split('\n')
  const clear = lines.filter(
    (line) => line.includes('"level":"fatal"') && line.includes('the disk did not confirm a write'),
  )
  if (clear.length !== 1) found.push(`it said so ${clear.length} times: ${server.output()}`)
  if (lines.at(-1) !== '' || lines.at(-2) !== clear[0]) found.push('its last line is another')
  if (calls !== null) {
    found.push(...orderOf(calls, (place) => place.endsWith('.db-wal')).violations)
    if (!calls.some(({ kind }) => kind === 'sync failed')) found.push('no fsync failed')
  }
  return found
}

/** On a disk that works again: what was in doubt is asked again. */
async function settle(scene: Scene, book: Book, isFirst: boolean): Promise<void> {
  const server = await serve(scene.environment)
  try {
    if (isFirst) await scene.subscribe(server.url)
    await book.askAgain({ url: server.url, apiKey: scene.apiKey }, [...book.unsure, ...book.answered.keys()])
  } finally {
    await server.stop()
  }
}

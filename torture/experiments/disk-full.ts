/** No room on the disk: 503 for what must be written, reads go on, and with room again so do writes, without a restart. */

import { spawnSync } from 'node:child_process'
import { closeSync, copyFileSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { checkedFetch } from '../../test/helpers/process/checked-fetch.ts'
import { withFolder } from '../../test/helpers/folder.ts'
import { serve } from '../../test/helpers/process/process.ts'
import { Book, type Service } from '../crash/book.ts'
import { compareKept } from '../crash/kept.ts'
import { openScene } from '../crash/scene.ts'
import type { Experiment, Outcome } from '../experiment.ts'
import { chanceOf, type Chance } from '../random.ts'

/** With room for a few thousand decisions. */
const diskBytes = 16 * 2 ** 20
const refusals = 20
const readsEach = 10

export const experiment: Experiment = {
  promise:
    'SQLite: with no room on the disk 503 STORE_UNAVAILABLE, reads go on, and with room again so do writes',
  async run({ seed, isShort, count }) {
    const rounds = count ?? (isShort ? 2 : 20)
    let outcome: Outcome | null = null
    await withFolder(async (folder) => {
      outcome = await onSmallDisk(folder, rounds, chanceOf(seed))
    })
    return outcome ?? { figures: {}, violations: ['nothing was tried'] }
  },
}

/**
 * A disk of its own for one process: a file system in memory, which only the process and what it starts can see. A user who is
 * not root may have one as well, as root of a world of its own.
 */
function smallDisk(mountPoint: string, seedFile: string): string[] {
  const mount = `mount -t tmpfs -o size=${diskBytes} none "$0" && cp "$1" "$0/fairway.db" && shift && exec "$@"`
  const { status, stderr } = spawnSync('unshare', ['-rm', 'true'], { encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`a small disk needs unshare with user namespaces: ${stderr ?? 'it is not installed'}`)
  return ['unshare', '-rm', 'sh', '-c', mount, mountPoint, seedFile]
}

async function onSmallDisk(folder: string, rounds: number, chance: Chance): Promise<Outcome> {
  const mountPoint = join(folder, 'disk')
  mkdirSync(mountPoint)
  // The key is issued on a roomy disk; its database is where the small one begins.
  const seedFile = join(folder, 'seed.db')
  const scene = await openScene(`sqlite:${seedFile}`)
  const environment = { ...scene.environment, DATABASE_URL: `sqlite:${join(mountPoint, 'fairway.db')}` }
  const server = await serve(environment, smallDisk(mountPoint, seedFile))
  try {
    const { pid } = server.child
    const seen = join('/proc', String(pid), 'root', mountPoint)
    const service = { url: server.url, apiKey: scene.apiKey }
    await scene.subscribe(server.url)
    const book = new Book()
    const violations: string[] = []
    const counts = { refused: 0, reads: 0 }
    for (let round = 0; round < rounds; round += 1) {
      for (let payment = chance.below(100); payment >= 0; payment -= 1) await book.next(service)
      violations.push(...(await fill(join(seen, 'ballast'), book, service, counts)))
      rmSync(join(seen, 'ballast'))
      // The very next one succeeds, and all that were refused.
      await book.askAgain(service, [...book.unsure, ...[...book.answered.keys()].slice(-refusals)], 1)
    }
    if (server.child.exitCode !== null) violations.push('the process ended')
    server.child.kill('SIGSTOP')
    const kept = await compareKept(`sqlite:${copyOf(seen, folder)}`, book)
    const figures = {
      'times without room': rounds,
      'answered 503 STORE_UNAVAILABLE': counts.refused,
      'reads answered meanwhile': counts.reads,
      'decisions acknowledged': book.answered.size,
      'records, events': `${kept.records}, one event each`,
    }
    return { figures, violations: [...violations, ...book.violations, ...kept.violations] }
  } finally {
    await server.stop('SIGKILL')
    await scene.close()
  }
}

/** Nobody writes meanwhile. SQLite would look for the file where the name leads in our own world. */
function copyOf(disk: string, folder: string): string {
  for (const name of ['fairway.db', 'fairway.db-wal']) copyFileSync(join(disk, name), join(folder, name))
  return join(folder, 'fairway.db')
}

/** Leaves no byte, and asks. A write may still find room in the pages of a log that was begun: until then it is answered. */
async function fill(
  ballast: string,
  book: Book,
  service: Service,
  counts: { refused: number; reads: number },
): Promise<string[]> {
  takeAllRoom(ballast)
  const violations: string[] = []
  for (let refused = 0; refused < refusals;) {
    const result = await book.next(service)
    if (result === 'cut') return [...violations, 'a caller was cut off without an answer']
    // What a write could not use is left over, and the next might fit in.
    takeAllRoom(ballast)
    if (result === 'unavailable') refused += 1
  }
  counts.refused += refusals
  const [known] = [...book.answered.values()].slice(-1)
  for (let read = 0; read < readsEach; read += 1) {
    for (const path of ['/api/verifications', `/api/v1/audit/${known?.requestId ?? ''}`]) {
      const headers = { authorization: `Bearer ${service.apiKey}` }
      const { status } = await checkedFetch(service.url + path, { headers })
      if (status === 200) counts.reads += 1
      else violations.push(`GET ${path} was answered ${status} without room on the disk`)
    }
  }
  return violations
}

/** Appends until the file system says no, down to single bytes. */
function takeAllRoom(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let bytes = 2 ** 20; bytes >= 1; bytes /= 2) while (hasWritten(file, bytes));
  } finally {
    closeSync(file)
  }
}

function hasWritten(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}

/** A full disk on SQLite: writes get 503, reads work, and writes recover without a restart when there is space. */

import { spawnSync } from 'node:child_process'
import { closeSync, copyFileSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { checkedFetch } from '../../../test/helpers/process/checked-fetch.ts'
import { withFolder } from '../../../test/helpers/folder.ts'
import { serve } from '../../../test/helpers/process/process.ts'
import { Book, type Service } from '../../crash/book.ts'
import { compareStore } from '../../crash/compare-store.ts'
import { followRest } from '../../crash/follow-rest.ts'
import { openScene } from '../../crash/scene.ts'
import type { Experiment, Outcome } from '../../experiment.ts'
import { createRng, type Rng } from '../../random.ts'

/** Space for a few thousand decisions. */
const diskBytes = 16 * 2 ** 20
const refusals = 20
const readsEach = 10

export const experiment: Experiment = {
  promise:
    'SQLite: on a full disk writes get 503 STORE_UNAVAILABLE, reads work, and writes recover with free space',
  async run({ seed, isShort, count }) {
    const rounds = count ?? (isShort ? 2 : 20)
    let outcome: Outcome | null = null
    await withFolder(async (folder) => {
      outcome = await onSmallDisk(folder, rounds, createRng(seed))
    })
    return outcome ?? { figures: {}, violations: ['the experiment did not run'] }
  },
}

/**
 * A private disk for one process: an in-memory file system that only the process and its children can see. Needs no
 * root privileges, thanks to a user namespace.
 */
function smallDisk(mountPoint: string, seedFile: string): string[] {
  const mount = `mount -t tmpfs -o size=${diskBytes} none "$0" && cp "$1" "$0/fairway.db" && shift && exec "$@"`
  const { status, stderr } = spawnSync('unshare', ['-rm', 'true'], { encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`this experiment needs unshare with user namespaces: ${stderr ?? 'it is not installed'}`)
  return ['unshare', '-rm', 'sh', '-c', mount, mountPoint, seedFile]
}

async function onSmallDisk(folder: string, rounds: number, rng: Rng): Promise<Outcome> {
  const mountPoint = join(folder, 'disk')
  mkdirSync(mountPoint)
  // The key is issued on the normal disk; its database is then copied to the small one.
  const seedFile = join(folder, 'seed.db')
  const scene = await openScene(`sqlite:${seedFile}`)
  const environment = { ...scene.environment, DATABASE_URL: `sqlite:${join(mountPoint, 'fairway.db')}` }
  const server = await serve(environment, { under: smallDisk(mountPoint, seedFile) })
  try {
    const { pid } = server.child
    const disk = join('/proc', String(pid), 'root', mountPoint)
    const service = { url: server.url, apiKey: scene.apiKey }
    await scene.subscribe(server.url)
    const book = new Book()
    const violations: string[] = []
    const counts = { refused: 0, reads: 0 }
    for (let round = 0; round < rounds; round += 1) {
      for (let payment = rng.below(100); payment >= 0; payment -= 1) await book.next(service)
      violations.push(...(await fill(join(disk, 'ballast'), book, service, counts)))
      rmSync(join(disk, 'ballast'))
      if ((await readiness(service)) !== 200)
        violations.push('the instance is not ready again with free space')
      // The next request must succeed, and so must retries of all refused ones.
      await book.retryAll(service, [...book.unsure, ...[...book.answered.keys()].slice(-refusals)], 1)
    }
    if (server.child.exitCode !== null) violations.push('the process ended')
    server.child.kill('SIGSTOP')
    const databaseUrl = `sqlite:${copyOf(disk, folder)}`
    await followRest(databaseUrl)
    const stored = await compareStore(databaseUrl, book)
    const figures = {
      'times the disk was full': rounds,
      'answered 503 STORE_UNAVAILABLE': counts.refused,
      'reads answered meanwhile': counts.reads,
      'decisions acknowledged': book.answered.size,
      'records, events': `${stored.records}, one event each`,
    }
    return { figures, violations: [...violations, ...book.violations, ...stored.violations] }
  } finally {
    await server.stop('SIGKILL')
    await scene.close()
  }
}

/** Copies the files of the stopped process. SQLite itself would resolve the path in our own mount namespace. */
function copyOf(disk: string, folder: string): string {
  for (const name of ['fairway.db', 'fairway.db-wal', 'fairway.db.key'])
    copyFileSync(join(disk, name), join(folder, name))
  return join(folder, 'fairway.db')
}

/** Fills the disk and sends requests. Some may succeed at first, because the write-ahead log still has free pages. */
async function fill(
  ballast: string,
  book: Book,
  service: Service,
  counts: { refused: number; reads: number },
): Promise<string[]> {
  fillDisk(ballast)
  const violations: string[] = []
  for (let refused = 0; refused < refusals;) {
    const result = await book.next(service)
    if (result === 'cut') return [...violations, 'a connection was lost without an answer']
    // A failed write may have freed space that the next could use.
    fillDisk(ballast)
    if (result === 'unavailable') refused += 1
  }
  counts.refused += refusals
  if ((await readiness(service)) !== 503) violations.push('the instance says that it is ready on a full disk')
  const [latest] = [...book.answered.values()].slice(-1)
  for (let read = 0; read < readsEach; read += 1) {
    for (const path of ['/api/verifications', `/api/v1/audit/${latest?.requestId ?? ''}`]) {
      const headers = { authorization: `Bearer ${service.apiKey}` }
      const { status } = await checkedFetch(service.url + path, { headers })
      if (status === 200) counts.reads += 1
      else violations.push(`GET ${path} was answered ${status} on a full disk`)
    }
  }
  return violations
}

/** A result holds for a second: the next one is of now. */
async function readiness({ url }: Service): Promise<number> {
  await setTimeout(1_100)
  return (await fetch(`${url}/readyz`)).status
}

/** Appends until the disk is full, down to the last byte. */
function fillDisk(path: string): void {
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

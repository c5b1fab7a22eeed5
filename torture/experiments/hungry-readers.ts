/**
 * Readers of the largest file or of long answers in a loop, and clients that never read, neither stop a verify nor take
 * memory for long.
 */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { engines, freshDatabase } from '../../test/helpers/database/databases.ts'
import { withPostgres } from '../../test/helpers/database/postgres.ts'
import { ask, issueByCli, serve } from '../../test/helpers/process/process.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { besideLongReaders } from '../long-readers.ts'

const largest = '/docs/'
const readers = 12
const deaf = { long: 60, short: 12 }
const verifies = { long: 200, short: 40 }
const longReads = {
  long: { records: 200_000, correlationIds: 500, durationMs: 4_000 },
  short: { records: 20_000, correlationIds: 100, durationMs: 600 },
}
/** One that never reads is disconnected after a minute, which is looked at every second. */
const deafMsMax = 70_000
const grownMbMax = 60

export const experiment: Experiment = {
  promise:
    'Readers of the largest file or of long answers in a loop do not stop a verify; clients that never read are disconnected',
  async run(options) {
    const files = await besideFiles(options)
    const { isShort, print } = options
    const size = isShort ? 'short' : 'long'
    const long: Outcome[] = []
    await withPostgres(async () => {
      for (const engine of engines) long.push(await besideLongReaders({ engine, ...longReads[size], print }))
    })
    return {
      figures: Object.assign({}, files.figures, ...long.map(({ figures }) => figures)),
      violations: [files, ...long].flatMap(({ violations }) => violations),
    }
  },
}

async function besideFiles({ isShort, count }: Pick<Options, 'isShort' | 'count'>): Promise<Outcome> {
  const database = await freshDatabase('sqlite')
  const { key } = await issueByCli(database.url, '--limit-verify', '1000000/60')
  const server = await serve({ DATABASE_URL: database.url })
  try {
    const size = isShort ? 'short' : 'long'
    return await attack({ url: server.url, key, pid: server.child.pid ?? 0 }, count ?? deaf[size], {
      verifyCount: verifies[size],
      isShort,
    })
  } finally {
    await server.stop('SIGKILL')
    await database.drop()
  }
}

interface Target {
  readonly url: string
  readonly key: string
  readonly pid: number
}

async function attack(
  target: Target,
  deafCount: number,
  { verifyCount, isShort }: { verifyCount: number; isShort: boolean },
): Promise<Outcome> {
  const violations: string[] = []
  const alone = await slowestVerify(target, verifyCount, violations)
  const beforeMb = residentMb(target)

  const reading = new AbortController()
  let read = 0
  const loops = Array.from({ length: readers }, async () => {
    while (!reading.signal.aborted) {
      const answer = await fetch(target.url + largest, { headers: { 'accept-encoding': 'identity' } })
      await answer.arrayBuffer()
      if (answer.status === 200) read += 1
    }
  })
  const beside = await slowestVerify(target, verifyCount, violations)
  reading.abort()
  await Promise.all(loops)

  const sockets = await Promise.all(Array.from({ length: deafCount }, () => deafClient(target)))
  const whileDeaf = await slowestVerify(target, verifyCount, violations)
  const grownMb = residentMb(target) - beforeMb
  const closedAfterMs = isShort ? null : await untilClosed(target, violations)
  for (const socket of sockets) socket.destroy()

  if (grownMb > grownMbMax) violations.push(`the service grew by ${grownMb} MB`)
  return {
    figures: {
      'slowest verify alone, ms': Math.round(alone),
      [`slowest verify beside ${readers} readers, ms`]: Math.round(beside),
      'files read meanwhile': read,
      [`slowest verify beside ${deafCount} that never read, ms`]: Math.round(whileDeaf),
      'memory grown, MB': grownMb,
      'none of these connected after, s': closedAfterMs === null ? 'not waited for' : closedAfterMs / 1000,
    },
    violations,
  }
}

async function slowestVerify({ url, key }: Target, count: number, violations: string[]): Promise<number> {
  let slowestMs = 0
  for (let sent = 0; sent < count; sent += 1) {
    const startedMs = performance.now()
    const answer = await ask(url, key, { corridor: 'GB-NG', amount: 20 })
    await answer.arrayBuffer()
    // Under load a request may be shed, which is a hold, and quick.
    if (answer.status !== 200 && answer.status !== 503)
      violations.push(`a verify was answered ${answer.status}`)
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
  }
  return slowestMs
}

/** Asks for more than the buffers of the operating system take, and reads nothing. */
async function deafClient({ url }: Target): Promise<Socket> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${largest} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(32))
  return socket
}

/** As the operating system tells: a client that does not read does not notice that it was disconnected. */
async function untilClosed({ url, pid }: Target, violations: string[]): Promise<number> {
  const startedMs = performance.now()
  const elapsed = (): number => Math.round(performance.now() - startedMs)
  while (establishedAt(pid, Number(new URL(url).port)) > 0) {
    if (elapsed() > deafMsMax) {
      violations.push(`clients that never read are connected after ${elapsed()} ms`)
      break
    }
    await pause(1_000)
  }
  return elapsed()
}

/** Connections that the service holds open on its port. */
function establishedAt(pid: number, port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const established = '01'
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address = '', , state]) => address.endsWith(local) && state === established).length
}

function residentMb({ pid }: Target): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** Thousands of clients that never finish a request barely slow others, and are disconnected in time. */

import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { freshDatabase } from '../../test/helpers/database/databases.ts'
import { withHarness } from '../../test/helpers/harness.ts'
import { issueByCli, serve } from '../../test/helpers/process/process.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { slowClients } from '../slow.ts'

const counts = { long: 2_000, short: 60 }
const ratioMax = 2
/** Rounds with and without them alternate, so that other load on the machine affects both. */
const rounds = 4
const perRound = 300
const everyMs = 10

/** High limits: a limited request is refused before its body is read, and here every body must be awaited. */
const settings = { FAIRWAY_LIMIT_VERIFY: '1000000/60', FAIRWAY_LIMIT_DEMO: '1000000/60' }

interface Target {
  readonly url: string
  readonly key: string
}

/** Starts a verification every few milliseconds, independent of the others, and returns their durations. */
async function verifyPaced({ url, key }: Target, count: number, violations: string[]): Promise<number[]> {
  const pool = new Pool(url, { connections: 8 })
  const body = JSON.stringify({ corridor: 'GB-NG', amount: 1000 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const one = async (): Promise<number> => {
    const startedMs = performance.now()
    const answer = await pool.request({ method: 'POST', path: '/api/v1/verify', headers, body })
    await answer.body.dump()
    if (answer.statusCode !== 200) violations.push(`a verification was answered ${answer.statusCode}`)
    return performance.now() - startedMs
  }
  const pending: Promise<number>[] = []
  for (let sent = 0; sent < count; sent += 1) {
    pending.push(one())
    await pause(everyMs)
  }
  const took = await Promise.all(pending)
  await pool.close()
  return took
}

function percentile(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

const portOf = ({ url }: Target): number => Number(new URL(url).port)

async function measure(target: Target, count: number, { print }: Options): Promise<Outcome> {
  const violations: string[] = []
  const alone: number[] = []
  const withSlow: number[] = []
  // Wait until the cost of 2,000 clients connecting or leaving at once is over.
  const settle = async (): Promise<unknown> => verifyPaced(target, perRound / 3, violations)
  for (let round = 1; round <= rounds; round += 1) {
    await settle()
    alone.push(...(await verifyPaced(target, perRound, violations)))
    const slow = await slowClients(portOf(target), count, true)
    await settle()
    withSlow.push(...(await verifyPaced(target, perRound, violations)))
    if (slow.open() < count * 0.9) violations.push(`only ${slow.open()} of ${count} were connected`)
    slow.stop()
    print(`round ${round} of ${rounds}`)
  }
  const leaving = await slowClients(portOf(target), count, false)
  await leaving.allEnded(count)
  leaving.stop()
  const [p99Alone, p99WithSlow] = [percentile(alone, 0.99), percentile(withSlow, 0.99)]
  const ratio = p99WithSlow / p99Alone
  if (ratio > ratioMax) violations.push(`p99 is ${ratio.toFixed(2)} times the p99 without slow clients`)
  return {
    figures: {
      'slow clients': count,
      'verifications each way': alone.length,
      'p50 without and with, ms': `${percentile(alone, 0.5).toFixed(1)}, ${percentile(withSlow, 0.5).toFixed(1)}`,
      'p99 without and with, ms': `${p99Alone.toFixed(1)}, ${p99WithSlow.toFixed(1)}`,
      'ratio of p99': ratio.toFixed(2),
      'disconnected by the server, by status': JSON.stringify(leaving.ended()),
    },
    violations,
  }
}

async function runLong(options: Options): Promise<Outcome> {
  const database = await freshDatabase('sqlite')
  try {
    const { key } = await issueByCli(database.url)
    const server = await serve({ DATABASE_URL: database.url, ...settings })
    try {
      return await measure({ url: server.url, key }, options.count ?? counts.long, options)
    } finally {
      await server.stop()
    }
  } finally {
    await database.drop()
  }
}

/** In process, with short timeouts: checks only that requests are served and slow clients disconnected. */
async function runShort(): Promise<Outcome> {
  const violations: string[] = []
  let ended: Readonly<Record<string, number>> = {}
  await withHarness({ settings }, async ({ app, issue }) => {
    const { key } = await issue()
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = new URL(url)
    const slow = await slowClients(Number(port), counts.short, false)
    await verifyPaced({ url, key }, 30, violations)
    app.server.headersTimeout = 50
    app.server.requestTimeout = 100
    await slow.allEnded(counts.short)
    slow.stop()
    ended = slow.ended()
  })
  if (ended['408'] !== counts.short)
    violations.push(`not all slow clients got a 408: ${JSON.stringify(ended)}`)
  return { figures: { 'slow clients': counts.short, ended: JSON.stringify(ended) }, violations }
}

export const experiment: Experiment = {
  promise: 'clients that never finish a request are disconnected, and the p99 of verify at most doubles',
  run: (options) => (options.isShort ? runShort() : runLong(options)),
}

/** A verify beside one caller who repeats a long read: its latency to that of one alone, and what holds the event loop. */

import { setTimeout as pause } from 'node:timers/promises'
import { ask, finished, issueByCli, serve, start, type Served } from '../test/helpers/process/process.ts'
import { freshDatabase, type Engine } from '../test/helpers/database/databases.ts'

/** Of a verify beside a reader, to one alone. Before long reads ran apart it was 10 to 90. */
const ratioMax = 8
const pieceMsMax = 20
const unlimited = '1000000/1'

export interface LongReadersOptions {
  readonly engine: Engine
  readonly records: number
  readonly correlationIds: number
  readonly durationMs: number
  readonly print: (line: string) => void
}

interface Target {
  readonly server: Served
  readonly key: string
  readonly violations: string[]
}

type Read = (target: Target) => Promise<Response>

const get =
  (path: string): Read =>
  ({ server, key }) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })

const post =
  (path: string, body: unknown): Read =>
  ({ server, key }) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, origin: server.url, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

const idOf = (place: number): string => `payment ${place}`

/** With the status that each is answered with. */
const readsOf = (
  correlationIds: number,
): Readonly<Record<string, readonly [read: Read, status: number]>> => ({
  totals: [get('/api/v1/verifications/totals'), 200],
  'totals by reason': [get('/api/v1/verifications/totals?reason=POLICY_CAP_APPLIED&override=false'), 200],
  'a page of 500': [get('/api/verifications?limit=500'), 200],
  'a page of 500 in CSV': [get('/api/verifications?limit=500&format=csv'), 200],
  'a search': [get('/api/verifications?limit=500&mode=shadow'), 200],
  'a year of summary': [get(`/api/v1/verifications/summary?from=${iso(-365)}&to=${iso(0)}`), 200],
  '500 reviews': [get('/api/v1/reviews?limit=500'), 200],
  'sums of reviews': [get('/api/v1/reviews/summary'), 200],
  '1000 events': [get('/api/v1/events?limit=1000'), 200],
  'ambiguous correlation ids': [
    post('/api/v1/outcomes?dry_run=true', {
      outcomes: Array.from({ length: correlationIds }, (_, place) => ({
        correlation_id: idOf(place),
        outcome: 'COMPLETED',
      })),
    }),
    400,
  ],
  'a sign-in': [post('/auth/login', { email: 'nobody@example.com', password: 'a long enough guess' }), 401],
})

const dayMs = 86_400_000
const iso = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()

export async function besideLongReaders(options: LongReadersOptions) {
  const { engine, records, correlationIds, durationMs, print } = options
  const database = await freshDatabase(engine)
  const figures: Record<string, string> = {}
  const violations: string[] = []
  try {
    const { key } = await issueByCli(database.url, '--limit-verify', unlimited)
    await fill(database.url, records)
    const server = await serve({
      DATABASE_URL: database.url,
      FAIRWAY_LIMIT_KEYED: unlimited,
      FAIRWAY_LIMIT_BATCH: unlimited,
      FAIRWAY_LIMIT_EVENTS: unlimited,
      FAIRWAY_LIMIT_SIGN_IN: unlimited,
      NODE_OPTIONS: `--import=${new URL('loop-probe.ts', import.meta.url).href}`,
    })
    const target = { server, key, violations }
    try {
      for (let place = 0; place < 2 * correlationIds; place += 1)
        await verifyMs(target, { correlation_id: idOf(place % correlationIds) })
      for (const [name, read] of Object.entries(readsOf(correlationIds))) {
        figures[`${engine}: ${name}`] = await beside(target, name, read, durationMs)
        print(`${engine}: ${name}: ${figures[`${engine}: ${name}`]}`)
      }
    } finally {
      await server.stop('SIGKILL')
    }
  } finally {
    await database.drop()
  }
  return { figures, violations }
}

/** Many records of one owner, written by the seed of the benchmark. */
async function fill(url: string, records: number): Promise<void> {
  const entry = new URL('../bench/harness/seed.ts', import.meta.url).pathname
  const { code, stderr } = await finished(start([url, String(records)], { DATABASE_URL: url }, { entry }))
  if (code !== 0) throw new Error(stderr)
}

async function beside(
  target: Target,
  name: string,
  [read, status]: readonly [Read, number],
  durationMs: number,
): Promise<string> {
  // The first of its kind compiles its code.
  await (await read(target)).arrayBuffer()
  const alone = await medianMs(target, durationMs)
  await longestPieceMs(target)
  const reading = new AbortController()
  let reads = 0
  const loop = async (): Promise<void> => {
    while (!reading.signal.aborted) {
      const answer = await read(target)
      await answer.arrayBuffer()
      reads += 1
      if (answer.status !== status) target.violations.push(`${name} was answered ${answer.status}`)
    }
  }
  const looping = loop()
  const slowed = await medianMs(target, durationMs)
  const pieceMs = await longestPieceMs(target)
  reading.abort()
  await looping
  const ratio = slowed / alone
  if (ratio > ratioMax)
    target.violations.push(`a verify took ${ratio.toFixed(1)} times as long beside ${name}`)
  if (pieceMs > pieceMsMax) target.violations.push(`${name} held the event loop for ${pieceMs.toFixed(1)} ms`)
  return `${ratio.toFixed(1)} times, longest piece ${pieceMs.toFixed(1)} ms, ${reads} reads`
}

async function verifyMs({ server, key, violations }: Target, more: object = {}): Promise<number> {
  const startedMs = performance.now()
  const answer = await ask(server.url, key, { corridor: 'GB-NG', amount: 20, ...more })
  await answer.arrayBuffer()
  if (answer.status !== 200) violations.push(`a verify was answered ${answer.status}`)
  return performance.now() - startedMs
}

async function medianMs(target: Target, durationMs: number): Promise<number> {
  const times: number[] = []
  for (const untilMs = performance.now() + durationMs; performance.now() < untilMs; await pause(5))
    times.push(await verifyMs(target))
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN
}

const pieces = /"longest_piece_us":(\d+)/g

/** Since the last call. */
async function longestPieceMs({ server }: Target): Promise<number> {
  const printed = (): string[] => [...server.output().matchAll(pieces)].map(([, us = '']) => us)
  const before = printed().length
  server.child.kill('SIGUSR2')
  while (printed().length === before) await pause(5)
  return Number(printed().at(-1)) / 1000
}

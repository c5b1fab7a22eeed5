/** A receiver of webhooks in a process of its own, `node bench/webhooks-receiver.ts answer|hang`: tells what came, and when. */

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'

/** Answers with an empty 200 at once, or takes connections and never says a word. */
export type ReceiverMode = 'answer' | 'hang'

export type ReceiverQuestion =
  /** Forgets what came before, and keeps so many of the next requests whole. */
  { readonly ask: 'begin'; readonly keptMax: number } | { readonly ask: 'count' | 'report' | 'kept' }

/** A request as it came, to be sent again. */
export interface KeptRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ReceiverReport {
  readonly requests: number
  /** Taken since the beginning; and those that stand now, whenever they were taken. */
  readonly connections: number
  readonly connectionsOpen: number
  /** From the first request to the last. */
  readonly elapsedMs: number
  /** From the `created_at` of the event to its arrival. */
  readonly delayP50Ms: number
  readonly delayP99Ms: number
  readonly delayMaxMs: number
}

type ReceiverReply = { readonly port: number } | ReceiverReport | readonly KeptRequest[]

/** Longer than any pause of the bench, so that no connection is lost in one. */
const keepAliveMs = 120_000

/** What the delay is counted from comes with every event, right after its id. */
const createdAtMark = '"created_at":"'
const createdAtLength = '2026-01-01T00:00:00.000Z'.length

let requests = 0
let connections = 0
let connectionsOpen = 0
let firstMs = 0
let lastMs = 0
let arrivals: { readonly atMs: number; readonly createdAt: string }[] = []
let kept: KeptRequest[] = []
let keptMax = 0
/** The wall clock with the fractions of the monotonic one: what others call a millisecond is thousands of ours. */
let wallClockOffsetMs = 0

const wallClockMs = (): number => performance.now() + wallClockOffsetMs

/** At the moment that the wall clock turns to its next millisecond both are read. */
function setClock(): void {
  const beforeMs = Date.now()
  while (Date.now() === beforeMs);
  wallClockOffsetMs = Date.now() - performance.now()
}

function begin(keepMax: number): void {
  requests = 0
  connections = 0
  arrivals = []
  kept = []
  keptMax = keepMax
  setClock()
}

function take(request: IncomingMessage, response: ServerResponse): void {
  const atMs = wallClockMs()
  requests += 1
  if (requests === 1) firstMs = atMs
  lastMs = atMs
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const createdAt = body.indexOf(createdAtMark) + createdAtMark.length
    arrivals.push({ atMs, createdAt: body.slice(createdAt, createdAt + createdAtLength) })
    if (kept.length < keptMax) kept.push({ path: request.url ?? '/', headers: headersOf(request), body })
    response.writeHead(200, { 'content-length': 0 }).end()
  })
}

/** All that the sender chose; whether the connection is kept is said by whoever sends it again. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name === 'connection' || typeof value !== 'string' ? [] : [[name, value]],
    ),
  )
}

function report(): ReceiverReport {
  const delaysMs = arrivals
    .map(({ atMs, createdAt }) => atMs - Date.parse(createdAt))
    .toSorted((left, right) => left - right)
  const quantile = (share: number): number =>
    delaysMs[Math.max(0, Math.ceil(delaysMs.length * share) - 1)] ?? Number.NaN
  return {
    requests,
    connections,
    connectionsOpen,
    elapsedMs: lastMs - firstMs,
    delayP50Ms: quantile(0.5),
    delayP99Ms: quantile(0.99),
    delayMaxMs: quantile(1),
  }
}

function answer(question: ReceiverQuestion): ReceiverReply {
  if (question.ask === 'begin') begin(question.keptMax)
  if (question.ask === 'kept') return kept
  // A report sorts all that came: too much to ask for again and again.
  if (question.ask === 'count') return { ...nothingYet, requests, connections, connectionsOpen }
  return report()
}

const nothingYet: ReceiverReport = {
  requests: 0,
  connections: 0,
  connectionsOpen: 0,
  elapsedMs: 0,
  delayP50Ms: 0,
  delayP99Ms: 0,
  delayMaxMs: 0,
}

const server =
  process.argv[2] === 'hang'
    ? createSocketServer((socket) => socket.resume().on('error', () => undefined))
    : createHttpServer({ keepAliveTimeout: keepAliveMs }, take)
server.on('connection', (socket) => {
  connections += 1
  connectionsOpen += 1
  socket.once('close', () => (connectionsOpen -= 1))
})
server.listen(0, '127.0.0.1', 1_024, () => {
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies ReceiverReply)
})
process.on('message', (question: ReceiverQuestion) => process.send?.(answer(question)))
process.on('disconnect', () => process.exit(0))

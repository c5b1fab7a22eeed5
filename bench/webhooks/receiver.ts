/** A webhook receiver process that reports what arrived and when: node bench/webhooks/receiver.ts answer|hang. */

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'

/** `answer` sends an empty 200 at once; `hang` accepts connections and never responds. */
export type ReceiverMode = 'answer' | 'hang'

export type ReceiverQuery =
  /** Resets the counters and records the next `recordMax` requests. */
  { readonly kind: 'begin'; readonly recordMax: number } | { readonly kind: 'count' | 'report' | 'recorded' }

/** A received request, to be sent again. */
export interface RecordedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ReceiverReport {
  readonly requests: number
  /** Accepted since `begin`. */
  readonly connections: number
  /** Open now, whenever they were accepted. */
  readonly connectionsOpen: number
  /** From the first request to the last. */
  readonly elapsedMs: number
  /** From the `created_at` of the event to its arrival. */
  readonly delayP50Ms: number
  readonly delayP99Ms: number
  readonly delayMaxMs: number
}

type ReceiverReply = { readonly port: number } | ReceiverReport | readonly RecordedRequest[]

/** Longer than any pause of the benchmark, so that no connection is closed in one. */
const keepAliveMs = 120_000

/** The delay counts from the event's `created_at`, which follows its id. */
const createdAtMark = '"created_at":"'
const createdAtLength = '2026-01-01T00:00:00.000Z'.length

let requests = 0
let connections = 0
let connectionsOpen = 0
let firstMs = 0
let lastMs = 0
let arrivals: { readonly atMs: number; readonly createdAt: string }[] = []
let recorded: RecordedRequest[] = []
let recordedMax = 0
/** Gives the wall clock the precision of the monotonic clock. */
let wallClockOffsetMs = 0

const wallClockMs = (): number => performance.now() + wallClockOffsetMs

/** Reads both clocks at the moment the wall clock reaches its next millisecond. */
function setClock(): void {
  const beforeMs = Date.now()
  while (Date.now() === beforeMs);
  wallClockOffsetMs = Date.now() - performance.now()
}

function begin(recordMax: number): void {
  requests = 0
  connections = 0
  arrivals = []
  recorded = []
  recordedMax = recordMax
  setClock()
}

function receive(request: IncomingMessage, response: ServerResponse): void {
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
    if (recorded.length < recordedMax)
      recorded.push({ path: request.url ?? '/', headers: headersOf(request), body })
    response.writeHead(200, { 'content-length': 0 }).end()
  })
}

/** The sender's headers without `connection`, which the next sender sets itself. */
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

function answer(query: ReceiverQuery): ReceiverReply {
  if (query.kind === 'begin') begin(query.recordMax)
  if (query.kind === 'recorded') return recorded
  // A report sorts all arrivals, which is too expensive for polling.
  if (query.kind === 'count') return { ...emptyReport, requests, connections, connectionsOpen }
  return report()
}

const emptyReport: ReceiverReport = {
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
    : createHttpServer({ keepAliveTimeout: keepAliveMs }, receive)
server.on('connection', (socket) => {
  connections += 1
  connectionsOpen += 1
  socket.once('close', () => (connectionsOpen -= 1))
})
server.listen(0, '127.0.0.1', 1_024, () => {
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies ReceiverReply)
})
process.on('message', (query: ReceiverQuery) => process.send?.(answer(query)))
process.on('disconnect', () => process.exit(0))

/** The load generator process: keep-alive sockets in a closed loop or at a fixed rate. Receives jobs as messages. */

import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface LoadJob {
  readonly port: number
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Distributed over the connections, each of which cycles through its own; shared if there are too few. */
  readonly paths: readonly string[]
  readonly connections: number
  readonly headers: Readonly<Record<string, string>>
  /** Null for requests without a body. */
  readonly body: string | null
  /** Replaces `body`: one per connection. */
  readonly bodies?: readonly string[]
  /** None, always the same key, or a new UUID per request. */
  readonly idempotencyKey: null | { readonly always: string } | 'distinct'
  /** An open loop: requests are sent when due, independent of responses. Null: a closed loop. */
  readonly ratePerSecond: number | null
  /** Ends after a time, without measuring the warm-up, or after a number of requests. */
  readonly bound: { readonly warmUpMs: number; readonly durationMs: number } | { readonly requests: number }
  /** A job that takes longer fails. */
  readonly timeLimitMs: number
}

export interface LoadResult {
  readonly requests: number
  /** Including the warm-up. */
  readonly requestsSent: number
  readonly elapsedMs: number
  /** In an open loop, latency counts from the due time and includes waiting for a connection. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Delay between due time and sending; null in a closed loop. */
  readonly lateP99Ms: number | null
  /** The load generator's share of one core; near 1 it is the bottleneck. */
  readonly loaderCpuShare: number
  /** Per request sent. Near the server's own CPU time, the result also reflects the load generator. */
  readonly loaderCpuUs: number
}

export type LoadReply =
  { readonly ok: true; readonly result: LoadResult } | { readonly ok: false; readonly message: string }

const terminator = Buffer.from('\r\n\r\n')
const okStatus = Buffer.from('HTTP/1.1 200 ')
const keyLength = 36
const readBytes = 65_536

/** Latencies in steps of ten microseconds; values above two seconds count as two seconds. */
class Histogram {
  static readonly #stepsPerMs = 100
  readonly #counts = new Uint32Array(200_000)
  #total = 0

  add(latencyMs: number): void {
    const step = Math.min(Math.floor(latencyMs * Histogram.#stepsPerMs), this.#counts.length - 1)
    this.#counts[step] = (this.#counts[step] ?? 0) + 1
    this.#total += 1
  }

  quantileMs(share: number): number {
    let left = Math.ceil(this.#total * share)
    for (const [step, count] of this.#counts.entries()) {
      left -= count
      if (left <= 0) return (step + 1) / Histogram.#stepsPerMs
    }
    return Number.NaN
  }
}

/** One request as bytes, and the offset of its idempotency key, or -1 if the key is fixed. */
interface Request {
  readonly bytes: Buffer
  readonly keyAt: number
}

function buildRequest(job: LoadJob, path: string, body: string | null): Request {
  const { idempotencyKey } = job
  const key = idempotencyKey === 'distinct' ? '#'.repeat(keyLength) : idempotencyKey?.always
  const headers = {
    host: `127.0.0.1:${job.port}`,
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...job.headers,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`${job.method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
  return { bytes, keyAt: idempotencyKey === 'distinct' ? bytes.indexOf('#'.repeat(keyLength)) : -1 }
}

/** The requests of one connection. They are not shared, because their bytes change. */
function requestsOf(job: LoadJob, place: number): Request[] {
  const { paths, connections, bodies } = job
  const assigned = paths.filter((_, index) => index % connections === place)
  const own = assigned.length > 0 ? assigned : paths.slice(place % paths.length).slice(0, 1)
  const body = bodies?.[place % bodies.length] ?? job.body
  return own.map((path) => buildRequest(job, path, body))
}

interface ConnectionEvents {
  readonly onConnect: () => void
  readonly onAnswer: (connection: Connection) => void
  readonly onFailure: (message: string) => void
}

/** A socket with at most one request in flight. */
class Connection {
  /** When its request was sent, or should have been. */
  dueAtMs = 0
  readonly #socket: Socket
  readonly #requests: readonly Request[]
  readonly #events: ConnectionEvents
  #sent = 0
  #head: Buffer | null = null
  #bodyLeft = 0
  #closing = false

  constructor(job: LoadJob, place: number, events: ConnectionEvents) {
    this.#requests = requestsOf(job, place)
    this.#events = events
    this.#socket = connect({
      host: '127.0.0.1',
      port: job.port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(readBytes),
        callback: (count, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, count))
          return true
        },
      },
    })
    this.#socket.once('connect', events.onConnect)
    this.#socket.once('error', (error) => events.onFailure(`a connection failed: ${error.message}`))
    this.#socket.once('close', () => {
      if (!this.#closing) events.onFailure('the server closed a connection')
    })
  }

  /** May change the bytes: the last response has arrived, so the socket no longer reads them. */
  send(dueAtMs: number): void {
    const request = this.#requests[this.#sent % this.#requests.length]
    if (request === undefined) throw new Error('a connection has no request')
    const { bytes, keyAt } = request
    if (keyAt >= 0) bytes.write(randomUUID(), keyAt, 'latin1')
    this.#sent += 1
    this.dueAtMs = dueAtMs
    this.#socket.write(bytes)
  }

  close(): void {
    this.#closing = true
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#bodyLeft > 0) {
      this.#consume(chunk.length)
      return
    }
    const bytes = this.#head === null ? chunk : Buffer.concat([this.#head, chunk])
    const headEnd = bytes.indexOf(terminator)
    if (headEnd < 0) {
      this.#head = Buffer.from(bytes)
      return
    }
    this.#head = null
    if (bytes.compare(okStatus, 0, okStatus.length, 0, okStatus.length) !== 0) {
      const [status] = bytes.toString('latin1', 0, headEnd).split('\r\n')
      const body = bytes.toString('utf8', headEnd + terminator.length, headEnd + 500)
      this.#events.onFailure(`a response was not a 200: ${status} ${body}`)
      return
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1]
    if (length === undefined) {
      this.#events.onFailure('a response had no content-length')
      return
    }
    this.#bodyLeft = Number(length)
    this.#consume(bytes.length - headEnd - terminator.length)
  }

  #consume(count: number): void {
    this.#bodyLeft -= count
    if (this.#bodyLeft === 0) this.#events.onAnswer(this)
    else if (this.#bodyLeft < 0) this.#events.onFailure('the server sent more than one response')
  }
}

/** The counters of a job, from the moment all its connections are open. */
class Tally {
  readonly startedMs = performance.now()
  readonly #cpuAtStart = process.cpuUsage()
  readonly #latencies = new Histogram()
  #lateness: Histogram | null = null
  readonly #measureFromMs: number
  readonly #durationMs: number
  #measured = 0
  #countedUntilMs = 0

  constructor(bound: LoadJob['bound']) {
    this.#measureFromMs = this.startedMs + ('requests' in bound ? 0 : bound.warmUpMs)
    this.#durationMs = 'requests' in bound ? Number.POSITIVE_INFINITY : bound.durationMs
  }

  /** Counts a request by the time of its response; false when the time is up. */
  count(nowMs: number, sentAtMs: number): boolean {
    const elapsedMs = nowMs - this.#measureFromMs
    // If no response came in time, the first late one counts.
    if (elapsedMs >= 0 && (elapsedMs <= this.#durationMs || this.#measured === 0)) {
      this.#add(nowMs - sentAtMs)
      this.#countedUntilMs = elapsedMs
    }
    return elapsedMs < this.#durationMs
  }

  /** Counts a request by its due time, so that slow requests at the end are included. */
  countDue(nowMs: number, dueAtMs: number): void {
    if (dueAtMs >= this.#measureFromMs) this.#add(nowMs - dueAtMs)
  }

  sentLate(lateMs: number): void {
    this.#lateness ??= new Histogram()
    this.#lateness.add(lateMs)
  }

  #add(latencyMs: number): void {
    this.#measured += 1
    this.#latencies.add(latencyMs)
  }

  result(nowMs: number, requestsSent: number): LoadResult {
    const { user, system } = process.cpuUsage(this.#cpuAtStart)
    const cpuUs = user + system
    return {
      requests: this.#measured,
      requestsSent,
      elapsedMs: Math.max(Math.min(nowMs - this.#measureFromMs, this.#durationMs), this.#countedUntilMs),
      p50Ms: this.#latencies.quantileMs(0.5),
      p99Ms: this.#latencies.quantileMs(0.99),
      lateP99Ms: this.#lateness?.quantileMs(0.99) ?? null,
      loaderCpuShare: cpuUs / 1000 / (nowMs - this.startedMs),
      loaderCpuUs: cpuUs / requestsSent,
    }
  }
}

/** A job whose connections are open and which has sent nothing yet. */
interface Course {
  readonly job: LoadJob
  readonly connections: readonly Connection[]
  readonly tally: Tally
  readonly onEnd: (nowMs: number, sent: number) => void
}

interface Running {
  onAnswer(connection: Connection): void
  stop(): void
}

/** A closed loop: every connection sends its next request after the last response. */
function startLoop({ job, connections, tally, onEnd }: Course): Running {
  const requestsMax = 'requests' in job.bound ? job.bound.requests : Number.MAX_SAFE_INTEGER
  let sent = 0
  let answered = 0
  const sendNext = (connection: Connection): void => {
    if (sent >= requestsMax) return
    sent += 1
    connection.send(performance.now())
  }
  for (const connection of connections) sendNext(connection)
  return {
    onAnswer(connection) {
      const nowMs = performance.now()
      answered += 1
      if (tally.count(nowMs, connection.dueAtMs)) sendNext(connection)
      // Wait for all responses, so that the next job finds the server idle.
      if (answered === sent) onEnd(nowMs, sent)
    },
    stop: () => undefined,
  }
}

/**
 * Requests are sent up to this much late, for every server alike. A timer would add a full millisecond, as much as a
 * fast response takes, and would pull the ratio of two latencies towards 1.
 */
const tickMs = 0.1
const tickCell = new Int32Array(new SharedArrayBuffer(4))

/** Sleeps briefly in each turn of the event loop: finer than timers, and the core stays free meanwhile. */
function everyTick(work: () => void): () => void {
  let stopped = false
  const turn = (): void => {
    if (stopped) return
    work()
    Atomics.wait(tickCell, 0, 0, tickMs)
    setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    stopped = true
  }
}

/** An open loop: sends each request when due, over the connection that has been idle longest. */
function startPace({ job, connections, tally, onEnd }: Course, ratePerSecond: number): Running {
  const { bound } = job
  const plannedMs = 'requests' in bound ? 0 : bound.warmUpMs + bound.durationMs
  const total = 'requests' in bound ? bound.requests : Math.floor((plannedMs * ratePerSecond) / 1000)
  const free = [...connections]
  let sent = 0
  let answered = 0
  const sendDue = (): void => {
    const nowMs = performance.now()
    while (sent < total) {
      const dueAtMs = tally.startedMs + (sent * 1000) / ratePerSecond
      const connection = dueAtMs <= nowMs ? free.shift() : undefined
      if (connection === undefined) return
      sent += 1
      tally.sentLate(nowMs - dueAtMs)
      connection.send(dueAtMs)
    }
  }
  const stop = everyTick(sendDue)
  return {
    onAnswer(connection) {
      const nowMs = performance.now()
      answered += 1
      tally.countDue(nowMs, connection.dueAtMs)
      free.push(connection)
      sendDue()
      if (answered === total) onEnd(nowMs, sent)
    },
    stop,
  }
}

function runJob(job: LoadJob): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    let running: Running | null = null
    let connected = 0

    const finish = (settle: () => void): void => {
      clearTimeout(watchdog)
      running?.stop()
      for (const connection of connections) connection.close()
      settle()
    }
    const onFailure = (message: string): void => finish(() => reject(new Error(message)))
    const tooLate = `the load did not end within ${job.timeLimitMs} ms`
    const watchdog = setTimeout(() => onFailure(tooLate), job.timeLimitMs)

    function onConnect(): void {
      connected += 1
      if (connected < job.connections) return
      const tally = new Tally(job.bound)
      const onEnd = (nowMs: number, sent: number): void => finish(() => resolve(tally.result(nowMs, sent)))
      const course: Course = { job, connections, tally, onEnd }
      running = job.ratePerSecond === null ? startLoop(course) : startPace(course, job.ratePerSecond)
    }

    const onAnswer = (connection: Connection): void => running?.onAnswer(connection)
    const events: ConnectionEvents = { onConnect, onAnswer, onFailure }
    const connections = Array.from(
      { length: job.connections },
      (_, place) => new Connection(job, place, events),
    )
  })
}

async function answerJob(job: LoadJob): Promise<LoadReply> {
  try {
    return { ok: true, result: await runJob(job) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', (job: LoadJob) => {
  void answerJob(job).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))

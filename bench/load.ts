/** The load generator: keep-alive sockets, in a closed loop or at a set pace, in a process that takes jobs as messages. */

import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface LoadJob {
  readonly port: number
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Dealt out to the connections, each of which takes its own in turn; with fewer than connections, some share one. */
  readonly paths: readonly string[]
  readonly connections: number
  readonly headers: Readonly<Record<string, string>>
  /** Null: there is none, as with GET. */
  readonly body: string | null
  /** Instead of one body for all: these, dealt out to the connections, each of which keeps its own. */
  readonly bodies?: readonly string[]
  /** The idempotency key: none, always this one, or a new UUID with every request. */
  readonly idempotencyKey: null | { readonly always: string } | 'distinct'
  /** Each request is sent when it is due, whatever became of the others; null: each follows an answer. */
  readonly ratePerSecond: number | null
  /** Ends after a time, of which the warm-up is not measured, or after so many requests. */
  readonly bound: { readonly warmUpMs: number; readonly durationMs: number } | { readonly requests: number }
  /** A job that takes longer has failed. */
  readonly timeLimitMs: number
}

export interface LoadResult {
  readonly requests: number
  /** With those of the warm-up. */
  readonly requestsSent: number
  readonly elapsedMs: number
  /** At a set pace from the moment that a request was due: having to wait for a connection counts. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** How long after it was due a request was sent; null in a closed loop, where none is due. */
  readonly lateP99Ms: number | null
  /** Of one core, used by the load generator: near 1 it would be the bottleneck. */
  readonly loaderCpuShare: number
  /** The same for each request sent: where it nears what the server uses, the row tells of the load generator as well. */
  readonly loaderCpuUs: number
}

export type LoadReply =
  { readonly ok: true; readonly result: LoadResult } | { readonly ok: false; readonly message: string }

const terminator = Buffer.from('\r\n\r\n')
const okStatus = Buffer.from('HTTP/1.1 200 ')
const keyLength = 36
const readBytes = 65_536

/** Latencies in steps of ten microseconds, up to two seconds; what is slower counts as that. */
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

/** One request as bytes, and where its key stands in them, if that is to change. */
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

/** Those of one connection, which alone may change their bytes. */
function requestsOf(job: LoadJob, place: number): Request[] {
  const { paths, connections, bodies } = job
  const dealt = paths.filter((_, index) => index % connections === place)
  const own = dealt.length > 0 ? dealt : paths.slice(place % paths.length).slice(0, 1)
  const body = bodies?.[place % bodies.length] ?? job.body
  return own.map((path) => buildRequest(job, path, body))
}

interface ConnectionEvents {
  readonly onConnect: () => void
  readonly onAnswer: (connection: Connection) => void
  readonly onFailure: (message: string) => void
}

/** A socket with at most one request under way. */
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

  /** The bytes may be changed here: the last answer is in, so the socket no longer reads them. */
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
      this.#took(chunk.length)
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
      this.#events.onFailure(`an answer was not a 200: ${status} ${body}`)
      return
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1]
    if (length === undefined) {
      this.#events.onFailure('an answer had no content-length')
      return
    }
    this.#bodyLeft = Number(length)
    this.#took(bytes.length - headEnd - terminator.length)
  }

  #took(count: number): void {
    this.#bodyLeft -= count
    if (this.#bodyLeft === 0) this.#events.onAnswer(this)
    else if (this.#bodyLeft < 0) this.#events.onFailure('the server sent more than one answer')
  }
}

/** What is counted of a job, from the moment that all its connections stand. */
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

  /** By the time of its answer; false when the time is up. */
  count(nowMs: number, sentAtMs: number): boolean {
    const elapsedMs = nowMs - this.#measureFromMs
    // Where not one answer came in time, the first one after it tells how slow it was.
    if (elapsedMs >= 0 && (elapsedMs <= this.#durationMs || this.#measured === 0)) {
      this.#add(nowMs - sentAtMs)
      this.#countedUntilMs = elapsedMs
    }
    return elapsedMs < this.#durationMs
  }

  /** By the time at which it was due, so that the slowest ones at the end are not left out. */
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

/** All connections stand, and nothing was sent yet. */
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

/** Every connection sends its next request when it has the answer to the last. */
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
      // Whoever is still out is waited for, so that the next job finds the server idle.
      if (answered === sent) onEnd(nowMs, sent)
    },
    stop: () => undefined,
  }
}

/**
 * A request is sent up to this much after it was due, before every server alike. A timer would take a whole millisecond, as
 * much as a fast answer takes, and the ratio of two latencies would come out nearer to 1 than it is.
 */
const tickMs = 0.1
const tickCell = new Int32Array(new SharedArrayBuffer(4))

/** Turns of the event loop with a short sleep in each: finer than timers, and the core is left to others meanwhile. */
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

/** Sends when it is time, over whichever connection has been free for longest. */
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

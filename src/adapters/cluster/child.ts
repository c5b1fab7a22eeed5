/** The primary's handle of one worker process: readiness, messages and exit. */

import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { ToPrimary, ToWorker } from './messages.ts'

export interface Child {
  readonly id: number
  readonly pid: number | undefined
  /** The port it was started with. */
  readonly port: number
  /** The URL it serves. Rejects if it reports a failure or ends before it is ready. */
  readonly ready: Promise<string>
  /** True once it accepts requests; false again after `kill`. */
  isReady(): boolean
  /** How it ended. Resolves after all its messages have been read. */
  readonly ended: Promise<string>
  /** Does nothing if it has ended. */
  send(message: ToWorker): void
  kill(): void
}

export const cleanExit = 'with code 0'

/** A worker could not start, for a reason that it gave. */
class StartFailure extends Error {
  readonly exitCode: number

  constructor({ reason, exitCode }: Extract<ToPrimary, { kind: 'failed' }>) {
    super(reason)
    this.exitCode = exitCode
  }
}

type MetricsMessage = Extract<ToPrimary, { own: unknown }>

export function forkChild(port: number, onMetrics: (child: Child, message: MetricsMessage) => void): Child {
  const worker = cluster.fork({ PORT: String(port) })
  const ended = endOf(worker)
  closeLostConnection(worker)
  let isReady = false
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  // Prevents an unhandled rejection if nothing awaits it.
  ready.catch(ignore)
  void ended.then((how) => reject(new Error(`a worker ended ${how} before it was ready`)))
  const child: Child = {
    id: worker.id,
    pid: worker.process.pid,
    port,
    ready,
    isReady: () => isReady,
    ended,
    send(message) {
      // The callback receives failures; without one a failure would be an 'error' event that ends this process.
      if (worker.isConnected()) worker.send(message, ignore)
    },
    kill() {
      isReady = false
      worker.process.kill('SIGKILL')
    },
  }
  worker.on('message', (message: ToPrimary) => {
    if (message.kind === 'ready') {
      isReady = true
      resolve(message.url)
    } else if (message.kind === 'failed') reject(new StartFailure(message))
    else onMetrics(child, message)
  })
  return child
}

/** Messages sent before the exit may arrive after it. A channel still open after this is held by a connection. */
const drainTimeoutMs = 1_000

async function endOf(worker: Worker): Promise<string> {
  const drained = new Promise<void>((resolve) => worker.once('disconnect', resolve))
  const exited = new Promise<string>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) =>
      resolve(signal === null || signal === '' ? `with code ${code}` : `by ${signal}`),
    )
    worker.on('error', (error: Error) => {
      if (worker.process.pid === undefined) resolve(`because it could not be started: ${error.message}`)
    })
  })
  const how = await exited
  const timeout = new AbortController()
  await Promise.race([drained, pause(drainTimeoutMs, null, { signal: timeout.signal }).catch(ignore)])
  timeout.abort()
  if (worker.isConnected()) worker.process.disconnect()
  return how
}

/**
 * Node passes a worker one connection at a time and waits for its acknowledgement. If the worker ends first, Node drops
 * the connection without closing it, and the caller would wait forever. Closing it lets the caller retry.
 */
function closeLostConnection({ process: child }: Worker): void {
  type Send = (message: unknown, handle?: { close?(): void } | null, ...rest: unknown[]) => boolean
  const send = child.send.bind(child) as Send
  let last: { close?(): void } | null = null
  const trackingSend: Send = (message, handle, ...rest) => {
    if (typeof handle?.close === 'function') last = handle
    return send(message, handle, ...rest)
  }
  child.send = trackingSend as typeof child.send
  child.once('exit', () => last?.close?.())
}

function ignore(): void {}

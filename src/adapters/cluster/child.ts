/** One worker as the primary sees it: when it takes requests, what it says, how it ends. */

import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { ToPrimary, ToWorker } from './messages.ts'

export interface Child {
  readonly id: number
  readonly pid: number | undefined
  /** The one that it was told to take. */
  readonly port: number
  /** The address that it serves. Rejects where it says that it cannot, or ends, before it does. */
  readonly ready: Promise<string>
  /** It takes requests, as far as we know; not where we have killed it. */
  isReady(): boolean
  /** How it ended, when all that it said has been heard. */
  readonly ended: Promise<string>
  /** Nothing happens where it has ended meanwhile. */
  tell(message: ToWorker): void
  kill(): void
}

export const endedWell = 'with code 0'

type Figured = Extract<ToPrimary, { own: unknown }>

export function forkChild(port: number, hear: (child: Child, message: Figured) => void): Child {
  const worker = cluster.fork({ PORT: String(port) })
  const ended = endOf(worker)
  closeLostConnection(worker)
  let isReady = false
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  // Who waits for it is told; nobody has to.
  ready.catch(ignore)
  void ended.then((how) => reject(new Error(`a worker ended ${how} before it took requests`)))
  const child: Child = {
    id: worker.id,
    pid: worker.process.pid,
    port,
    ready,
    isReady: () => isReady,
    ended,
    tell(message) {
      // A failure is told to the callback; without one it would be an event that ends us.
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
    } else if (message.kind === 'failed') reject(new Error(message.reason))
    else hear(child, message)
  })
  return child
}

/** What it said before its end may be read after it. A line that is not closed by then, as with a connection on it, has nothing more. */
const lastWordsWithinMs = 1_000

async function endOf(worker: Worker): Promise<string> {
  const heard = new Promise<void>((resolve) => worker.once('disconnect', resolve))
  const exited = new Promise<string>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) =>
      resolve(signal === null || signal === '' ? `with code ${code}` : `by ${signal}`),
    )
    worker.on('error', (error: Error) => {
      if (worker.process.pid === undefined) resolve(`since it could not begin: ${error.message}`)
    })
  })
  const how = await exited
  const patience = new AbortController()
  await Promise.race([heard, pause(lastWordsWithinMs, null, { signal: patience.signal }).catch(ignore)])
  patience.abort()
  if (worker.isConnected()) worker.process.disconnect()
  return how
}

/**
 * Node hands a worker one connection at a time and waits for its word. Where it ends before that, Node forgets the
 * connection, and the caller would wait for ever. Closed, it is told at once, and can ask again. Closing twice does nothing.
 */
function closeLostConnection({ process: child }: Worker): void {
  type Send = (message: unknown, handle?: { close?(): void } | null, ...rest: unknown[]) => boolean
  const send = child.send.bind(child) as Send
  let last: { close?(): void } | null = null
  const remembering: Send = (message, handle, ...rest) => {
    if (typeof handle?.close === 'function') last = handle
    return send(message, handle, ...rest)
  }
  child.send = remembering as typeof child.send
  child.once('exit', () => last?.close?.())
}

function ignore(): void {}

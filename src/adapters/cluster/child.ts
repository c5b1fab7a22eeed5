/** One worker as the primary sees it: when it takes requests, what it says, how it ends. */

import cluster, { type Worker } from 'node:cluster'
import type { ToPrimary, ToWorker } from './messages.ts'

export interface Child {
  readonly id: number
  readonly pid: number | undefined
  /** The address that it serves. Rejects where it says that it cannot, or ends, before it does. */
  readonly ready: Promise<string>
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
  let isReady = false
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  // Who waits for it is told; nobody has to.
  ready.catch(ignore)
  void ended.then((how) => reject(new Error(`a worker ended ${how} before it took requests`)))
  const child: Child = {
    id: worker.id,
    pid: worker.process.pid,
    ready,
    isReady: () => isReady,
    ended,
    tell(message) {
      // A failure is told to the callback; without one it would be an event that ends us.
      if (worker.isConnected()) worker.send(message, ignore)
    },
    kill: () => void worker.process.kill('SIGKILL'),
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

/** Its last words may be read after its end is known: the line must be closed as well. */
async function endOf(worker: Worker): Promise<string> {
  const exited = new Promise<string>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) =>
      resolve(signal === null || signal === '' ? `with code ${code}` : `by ${signal}`),
    )
  })
  const heard = new Promise<void>((resolve) => worker.once('disconnect', resolve))
  const notBegun = new Promise<string>((resolve) => {
    worker.on('error', (error: Error) => {
      if (worker.process.pid === undefined) resolve(`since it could not begin: ${error.message}`)
    })
  })
  return Promise.race([notBegun, Promise.all([exited, heard]).then(([how]) => how)])
}

function ignore(): void {}

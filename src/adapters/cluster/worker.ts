/** The worker's side of the cluster: reports its state to the primary and follows its messages. */

import type { MetricsData, GatherMetrics } from '../metrics.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

interface Serving {
  readonly url: string
  readonly reload: (() => void) | null
  stop(): Promise<void>
}

interface WorkerDeps {
  readonly start: () => Promise<Serving>
  /** The metrics of this process. */
  readonly own: () => Promise<MetricsData>
  /** Describes a start failure: in one line, and by an exit code. */
  readonly explain: (error: unknown) => { readonly reason: string; readonly exitCode: number }
}

export interface Primary {
  readonly gather: GatherMetrics
  /** Serves until the primary or a signal stops it. */
  serve(parts: WorkerDeps): Promise<void>
}

/** Node itself ends a worker whose primary has ended. */
export function joinPrimary(): Primary {
  const pending = new Map<number, (all: readonly MetricsData[]) => void>()
  let requestCount = 0
  return {
    gather: (own) =>
      new Promise((resolve) => {
        requestCount += 1
        pending.set(requestCount, resolve)
        void send({ kind: 'metrics_request', id: requestCount, own })
      }),
    async serve({ start, own, explain }) {
      let server: Serving | null = null
      let wantsReload = false
      const stopRequested = new Promise<void>((stop) => {
        process.on('message', (message: ToWorker) => {
          if (message.kind === 'stop') stop()
          else if (message.kind === 'reload') {
            if (server === null) wantsReload = true
            else server.reload?.()
          } else if (message.kind === 'metrics') {
            pending.get(message.id)?.(message.all)
            pending.delete(message.id)
          } else void own().then((metrics) => send({ kind: 'metrics', id: message.id, own: metrics }))
        })
        // Terminals and service managers signal every process; the primary's stop message arrives as well.
        process.on('SIGTERM', stop)
        process.on('SIGINT', stop)
        process.on('SIGHUP', () => undefined)
      })
      try {
        server = await start()
      } catch (error) {
        const failure = explain(error)
        await send({ kind: 'failed', ...failure })
        process.exit(failure.exitCode)
      }
      if (wantsReload) server.reload?.()
      await send({ kind: 'ready', url: server.url })
      await stopRequested
      await server.stop()
      await send({ kind: 'metrics', id: null, own: await own() })
      process.exit(0)
    },
  }
}

/** Resolves when the message is sent, or at once if the primary is not connected. */
function send(message: ToPrimary): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })
}

/** The side of a worker: tells the primary how it fares, and does what it is told. When the primary is gone, so is the worker. */

import type { Figures, GatherFigures } from '../metrics.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

interface Serving {
  readonly url: string
  readonly reload: (() => void) | null
  stop(): Promise<void>
}

interface WorkerDeps {
  readonly start: () => Promise<Serving>
  /** The figures of this process. */
  readonly own: () => Promise<Figures>
  /** What stands in the way of a start, in one line. */
  readonly explain: (error: unknown) => string
}

export interface Primary {
  readonly gather: GatherFigures
  /** Serves until it is told to stop. */
  obey(parts: WorkerDeps): Promise<void>
}

/** Node ends a worker whose primary is gone: nobody has to see to that. */
export function joinPrimary(): Primary {
  const waiting = new Map<number, (all: readonly Figures[]) => void>()
  let asked = 0
  return {
    gather: (own) =>
      new Promise((resolve) => {
        asked += 1
        waiting.set(asked, resolve)
        void tell({ kind: 'figures_wanted', id: asked, own })
      }),
    async obey({ start, own, explain }) {
      let server: Serving | null = null
      let wantsReload = false
      const told = new Promise<void>((stop) => {
        process.on('message', (message: ToWorker) => {
          if (message.kind === 'stop') stop()
          else if (message.kind === 'reload') {
            if (server === null) wantsReload = true
            else server.reload?.()
          } else if (message.kind === 'figures') {
            waiting.get(message.id)?.(message.all)
            waiting.delete(message.id)
          } else void own().then((figures) => tell({ kind: 'figures', id: message.id, own: figures }))
        })
        // A terminal sends Ctrl-C to all of us, and a service manager its SIGTERM: the primary's word comes as well.
        process.on('SIGTERM', stop)
        process.on('SIGINT', stop)
        process.on('SIGHUP', () => undefined)
      })
      try {
        server = await start()
      } catch (error) {
        await tell({ kind: 'failed', reason: explain(error) })
        process.exit(1)
      }
      if (wantsReload) server.reload?.()
      await tell({ kind: 'ready', url: server.url })
      await told
      await server.stop()
      await tell({ kind: 'figures', id: null, own: await own() })
      process.exit(0)
    },
  }
}

/** Resolves when it is on its way; also where nobody is there to hear it. */
function tell(message: ToPrimary): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })
}

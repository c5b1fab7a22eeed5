/** GET /livez and /readyz: what an orchestrator asks, apart from the contract's health. */

import { singleFlight } from '../../app/operate/single-flight.ts'
import type { Store } from '../../app/ports/store.ts'
import type { App } from '../types.ts'
import { notReady, sendProblem } from '../errors.ts'

/** Alive: the process answers, whatever its database does, since a restart brings no database back. Ready: it can decide, and is not stopping. */
export function registerProbes(app: App, store: Pick<Store, 'countVerifications'>): void {
  const askStore = singleFlight(() => store.countVerifications())
  const options = { config: { isVital: true }, schema: { hide: true } } as const
  let isStopping = false
  app.addHook('preClose', (done) => {
    isStopping = true
    done()
  })

  app.get('/livez', options, () => ({ status: 'alive' }))

  app.get('/readyz', options, async (_request, reply) => {
    if (isStopping) return sendProblem(reply, notReady)
    await askStore()
    return { status: 'ready' }
  })
}

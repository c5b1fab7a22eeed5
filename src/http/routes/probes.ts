/** GET /livez and /readyz: probes for an orchestrator, separate from the contract's health endpoint. */

import { singleFlight } from '../../app/operate/single-flight.ts'
import type { Store } from '../../app/ports/store.ts'
import type { App } from '../types.ts'
import { notReady, sendProblem } from '../errors.ts'

/** Liveness ignores the store, since a restart does not fix it. Readiness requires the store and no shutdown. */
export function registerProbes(app: App, store: Pick<Store, 'countVerifications'>): void {
  const checkStore = singleFlight(() => store.countVerifications())
  const options = { config: { isVital: true }, schema: { hide: true } } as const
  let isStopping = false
  app.addHook('preClose', (done) => {
    isStopping = true
    done()
  })

  app.get('/livez', options, () => ({ status: 'alive' }))

  app.get('/readyz', options, async (_request, reply) => {
    if (isStopping) return sendProblem(reply, notReady)
    await checkStore()
    return { status: 'ready' }
  })
}

/** GET /livez and /readyz: probes for an orchestrator, separate from the contract's health endpoint. */

import { singleFlight } from '../../app/operate/single-flight.ts'
import type { App, AppDeps } from '../types.ts'
import { stopping, sendProblem } from '../errors.ts'

/**
 * Liveness ignores the store, since a restart does not fix it. Readiness requires a store that writes and guards its
 * records, and no shutdown; it never waits for followers.
 */
export function registerProbes(
  app: App,
  { followerLags, soundness }: Pick<AppDeps, 'followerLags' | 'soundness'>,
): void {
  const readLags = singleFlight(followerLags)
  const options = { config: { isVital: true }, schema: { hide: true } } as const
  let isStopping = false
  app.addHook('preClose', (done) => {
    isStopping = true
    done()
  })

  app.get('/livez', options, () => ({ status: 'alive' }))

  app.get('/readyz', options, async (_request, reply) => {
    if (isStopping) return sendProblem(reply, stopping)
    await soundness.check()
    const lags = await readLags()
    return {
      status: 'ready',
      followers: lags.map(({ follower, entries, seconds, isFailing }) => ({
        name: follower,
        lag_entries: entries,
        lag_seconds: seconds,
        failing: isFailing,
      })),
    }
  })
}

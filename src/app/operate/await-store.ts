/** Opens a database that may still be starting: tries again until it answers, or the time is over. */

import { StoreDown, StoreUnavailable } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'

export interface AwaitStoreDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly pause: (ms: number) => Promise<unknown>
  readonly waitMs: number
  /** Whether time may help. */
  readonly isDown: (error: StoreUnavailable) => boolean
  /** Called once, at the first failure that is waited for. */
  readonly onWait: (error: StoreUnavailable) => void
  /** Called if the database answers after a wait. */
  readonly onReached: (waitedMs: number) => void
}

const retryEveryMs = 500

export async function awaitStore<Opened>(
  open: () => Promise<Opened>,
  { clock, pause, waitMs, isDown, onWait, onReached }: AwaitStoreDeps,
): Promise<Opened> {
  const startedMs = clock.monotonicMs()
  const waitedMs = (): number => clock.monotonicMs() - startedMs
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      const opened = await open()
      if (isWaiting) onReached(waitedMs())
      return opened
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (!isDown(error) || waitedMs() >= waitMs) throw new StoreDown(error, isWaiting ? waitedMs() : 0)
      if (!isWaiting) onWait(error)
      await pause(retryEveryMs)
    }
  }
}

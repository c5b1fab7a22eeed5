/** Wraps a store to measure its calls on the verify path. */

import type { Clock } from '../ports/system.ts'
import type { Metrics, StoreOperation } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'

export function measuredStore(store: Store, metrics: Pick<Metrics, 'storeAnswered'>, clock: Clock): Store {
  const { ahead } = store
  const timed =
    <Command, Result>(operation: StoreOperation, call: (command: Command) => Promise<Result>) =>
    async (command: Command): Promise<Result> => {
      const startedMs = clock.monotonicMs()
      let isOk = false
      try {
        const result = await call(command)
        isOk = true
        return result
      } finally {
        metrics.storeAnswered(operation, (clock.monotonicMs() - startedMs) / 1000, isOk)
      }
    }
  return {
    ...store,
    look: timed('look', (command) => store.look(command)),
    commit: timed('commit', (command) => store.commit(command)),
    ahead: ahead && { ...ahead, commit: timed('commit', (command) => ahead.commit(command)) },
  }
}

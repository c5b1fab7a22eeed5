/** A store whose answers on the hot path are timed; all else is as it was. */

import type { Clock } from '../ports/system.ts'
import type { Metrics, StoreOperation } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'

export function measuredStore(store: Store, metrics: Pick<Metrics, 'storeAnswered'>, clock: Clock): Store {
  const timed =
    <Command, Result>(operation: StoreOperation, ask: (command: Command) => Promise<Result>) =>
    async (command: Command): Promise<Result> => {
      const askedMs = clock.monotonicMs()
      let isOk = false
      try {
        const result = await ask(command)
        isOk = true
        return result
      } finally {
        metrics.storeAnswered(operation, (clock.monotonicMs() - askedMs) / 1000, isOk)
      }
    }
  return {
    ...store,
    look: timed('look', (command) => store.look(command)),
    commit: timed('commit', (command) => store.commit(command)),
  }
}

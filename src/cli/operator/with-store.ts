/** Commands that work on the store: opened for the one command, and closed after it whatever happens. */

import type { Store } from '../../app/ports/store.ts'
import type { CliDeps } from '../deps.ts'

/** Runs work on the store and prints what it says. */
export type WithStore = (work: (store: Store) => Promise<string>) => Promise<void>

export function storeWork(parts: CliDeps): WithStore {
  return async (work) => {
    const store = await parts.openStore(parts.config())
    try {
      parts.process.stdout.write(`${await work(store)}\n`)
    } finally {
      await store.close()
    }
  }
}

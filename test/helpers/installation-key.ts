/** The key of an installation under test: made at its first use, and kept in its database. */

import { systemRandom as random } from '../../src/adapters/system.ts'
import { lazyInstallationKey } from '../../src/app/log/installation-key.ts'
import type { Store } from '../../src/app/ports/store.ts'
import type { Clock } from '../../src/app/ports/system.ts'

export const keyOf = (store: Store, clock: Clock) =>
  lazyInstallationKey({ store, clock, random, keys: [], file: null })

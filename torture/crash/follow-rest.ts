/** Follows and seals what a service that was ended has left, with few writes and without a server. */

import { openKeyFile } from '../../src/adapters/key-file.ts'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock as clock, systemRandom as random } from '../../src/adapters/system.ts'
import { followAll } from '../../src/app/followers/catch-up.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import { lazyInstallationKey } from '../../src/app/log/installation-key.ts'
import { createSeal } from '../../src/app/log/sealer.ts'
import { createFollowReviews } from '../../src/app/review/follow.ts'
import { createIds } from '../../src/app/verify/ids.ts'
import { readConfig } from '../../src/config.ts'
import { keyFileSetting } from '../../test/helpers/installation-key.ts'

export async function followRest(databaseUrl: string): Promise<void> {
  const onFault = (message: string): never => {
    throw new Error(message)
  }
  const environment = { DATABASE_URL: databaseUrl, ...keyFileSetting({ DATABASE_URL: databaseUrl }) }
  const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault })
  try {
    const file = openKeyFile(readConfig(environment).sealKeyFile)
    const key = lazyInstallationKey({ store, clock, random, keys: [], file })
    const ids = createIds({ clock, random })
    const { reviews: terms } = readConfig({})
    const followReviews = createFollowReviews({ store: store.reviews, ids, terms })
    // Twice: the first time opens reviews, which are entries, too.
    for (let turn = 0; turn < 2; turn += 1) await followReviews(await followAll(store.journal), () => false)
    await createSeal({ store, clock, random, key })()
  } finally {
    await store.close()
  }
}

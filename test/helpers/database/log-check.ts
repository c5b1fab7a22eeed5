/** The whole log of a store, checked against all that is recorded, with the keys that the store itself knows. */

import { verifiersOf } from '../../../src/app/log/checkpoint.ts'
import { verifyLog, type VerifiedLog } from '../../../src/app/log/verify-log.ts'
import type { Store } from '../../../src/app/ports/store.ts'

export async function checkedLog(store: Store): Promise<VerifiedLog> {
  const { origin } = await store.log.head()
  const verifiers = verifiersOf(origin ?? '', await store.log.keys())
  return verifyLog({
    store,
    verifiers,
    savedCheckpoints: [],
    isDetached: () => false,
    onProgress: () => undefined,
  })
}

/** The whole log of a store, checked against all that is recorded, with the keys that the store itself knows. */

import { verifyLog, type VerifiedLog } from '../../src/app/log/verify-log.ts'
import type { Store } from '../../src/app/ports.ts'

export async function checkedLog(store: Store): Promise<VerifiedLog> {
  const { origin } = await store.log.head()
  const verifiers = (await store.log.keys()).map((key) => ({
    origin: origin ?? '',
    publicKey: Buffer.from(key.publicKey, 'base64'),
  }))
  return verifyLog({ store, verifiers, kept: [], isAway: () => false, onProgress: () => undefined })
}

/** The store port, over either driver. */

import type { Claim, CommitCommand, Look, LookCommand, Random, Store } from '../../app/ports.ts'
import { StoreUnavailable } from '../../app/ports.ts'
import { createBatcher } from './batcher.ts'
import * as keys from './keys.ts'
import type { Driver } from './script.ts'
import * as verifications from './verifications.ts'

/** The most commands that share a statement or a commit: as many rows as the longest prepared run. */
const batchSizeMax = 64

export function createStore(driver: Driver, random: Random): Store {
  const { inFlightMax } = driver
  const isShared = (error: unknown): boolean => error instanceof StoreUnavailable
  // A batch picks a shard of the count at random, so that batches at once rarely meet on one row.
  const shard = (): number => (random.bytes(1)[0] ?? 0) % verifications.countShards

  // On SQLite too: a look-up of its own for each request costs more in locks than in looking.
  const look = createBatcher<LookCommand, Look>({
    run: (commands) => driver.read(() => verifications.look(commands)),
    sizeMax: batchSizeMax,
    inFlightMax,
    isShared,
  })

  const commit = createBatcher<CommitCommand, Claim>({
    run: (commands) => driver.transact(() => verifications.commit(commands, shard())),
    sizeMax: batchSizeMax,
    inFlightMax,
    isShared,
  })

  return {
    look,
    commit,
    forOwner: (ownerId) => ({
      find: (requestId) => driver.read(() => verifications.find(ownerId, requestId)),
      list: (asked) => driver.read(() => verifications.list(ownerId, asked)),
    }),
    keys: {
      findByHash: (hash) => driver.read(() => keys.findByHash(hash)),
      find: (keyId) => driver.read(() => keys.find(keyId)),
      list: () => driver.read(() => keys.list()),
      insert: (key, hash) => driver.transact(() => keys.insert(key, hash)),
      revoke: (keyId, atMs) => driver.transact(() => keys.revoke(keyId, atMs)),
      replace: (oldKeyId, end, key, hash) => driver.transact(() => keys.replace(oldKeyId, end, key, hash)),
    },
    countVerifications: () => driver.read(() => verifications.countAll()),
    close: () => driver.close(),
  }
}

/** The store port, over either driver. */

import type { Claim, CommitCommand, Look, LookCommand, Random, Store } from '../../app/ports.ts'
import { StoreUnavailable } from '../../app/ports.ts'
import { createBatcher } from './batcher.ts'
import * as keys from './keys.ts'
import type { Driver } from './script.ts'
import * as verifications from './verifications.ts'

export function createStore(driver: Driver, random: Random): Store {
  const { lookMax, commitMax, inFlightMax } = driver.batching
  const isShared = (error: unknown): boolean => error instanceof StoreUnavailable
  // A batch picks a shard of the count at random, so that batches at once rarely meet on one row.
  const shard = (): number => (random.bytes(1)[0] ?? 0) % verifications.countShards

  const look =
    lookMax === 1
      ? async (command: LookCommand): Promise<Look> => {
          const [found] = await driver.read(() => verifications.look([command]))
          return found as Look
        }
      : createBatcher<LookCommand, Look>({
          run: (commands) => driver.read(() => verifications.look(commands)),
          sizeMax: lookMax,
          inFlightMax,
          isShared,
        })

  const commit = createBatcher<CommitCommand, Claim>({
    run: (commands) => driver.transact(() => verifications.commit(commands, shard())),
    sizeMax: commitMax,
    inFlightMax,
    isShared,
  })

  return {
    engine: driver.engine,
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
      replace: (oldKeyId, oldEndsAtMs, key, hash) =>
        driver.transact(() => keys.replace(oldKeyId, oldEndsAtMs, key, hash)),
    },
    countVerifications: () => driver.read(() => verifications.countAll()),
    close: () => driver.close(),
  }
}

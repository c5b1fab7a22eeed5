/** Distributes owners with a heavy-tailed load to shards by a hash of their id. */

import { createHash } from 'node:crypto'

/** The load of each owner, largest first; the sum is `ratePerSecond`. */
export function ownerLoads(ratePerSecond: number, owners: number, skew: number): number[] {
  const weights = Array.from({ length: owners }, (_, rank) => (rank + 1) ** -skew)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => (weight / sum) * ratePerSecond)
}

/** The shard is independent of the owner's load. */
function shardOfOwner(owner: number, shards: number): number {
  return createHash('sha256').update(`own_${owner}`).digest().readUInt32BE(0) % shards
}

/**
 * The load of each shard. An owner above `pieceMax` is split into pieces of at most that load, each on its own shard.
 * With null, owners are never split.
 */
export function place(loads: readonly number[], shards: number, pieceMax: number | null): number[] {
  const shared = Array.from({ length: shards }, () => 0)
  const own: number[] = []
  for (const [owner, load] of loads.entries()) {
    const pieces = pieceMax === null ? 1 : Math.ceil(load / pieceMax)
    if (pieces > 1) {
      own.push(...Array.from({ length: pieces }, () => load / pieces))
    } else {
      const shard = shardOfOwner(owner, shards)
      shared[shard] = (shared[shard] ?? 0) + load
    }
  }
  return [...own, ...shared]
}

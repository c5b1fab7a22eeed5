/** Reads the IP addresses of this machine, which may change while the process runs. */

import { networkInterfaces } from 'node:os'
import type { Clock } from '../../app/ports/system.ts'

/** A system call takes a tenth of a millisecond, and interfaces rarely change. */
const cacheMs = 5_000

/** Throws if the first read fails; if a later one fails, the last result is used. */
export function createOwnAddresses(clock: Pick<Clock, 'monotonicMs'>): () => readonly string[] {
  let cached = readAddresses()
  let readAtMs = clock.monotonicMs()
  return () => {
    const nowMs = clock.monotonicMs()
    if (nowMs - readAtMs < cacheMs) return cached
    readAtMs = nowMs
    try {
      cached = readAddresses()
    } catch {
      // A failed read must not fail a send.
    }
    return cached
  }
}

function readAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((own) => (own ?? []).map(({ address }) => address))
}

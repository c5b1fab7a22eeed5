/** The addresses of this machine, which may change while it runs. */

import { networkInterfaces } from 'node:os'
import type { Clock } from '../../app/ports/system.ts'

/** Asking the system takes a tenth of a millisecond, and interfaces come and go rarely. */
const believedMs = 5_000

/** Throws where the system cannot tell at the start; later its last word counts. */
export function createOwnAddresses(clock: Pick<Clock, 'monotonicMs'>): () => readonly string[] {
  let known = ask()
  let askedMs = clock.monotonicMs()
  return () => {
    const nowMs = clock.monotonicMs()
    if (nowMs - askedMs < believedMs) return known
    askedMs = nowMs
    try {
      known = ask()
    } catch {
      // A send must not fail because of it.
    }
    return known
  }
}

function ask(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((own) => (own ?? []).map(({ address }) => address))
}

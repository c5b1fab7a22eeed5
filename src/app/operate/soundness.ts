/** Checks what every acknowledgement rests on: the database refuses to change records, and writes reach its disk. */

import { StoreRefusal, StoreUnsound, type Store } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'
import { singleFlight } from './single-flight.ts'

const unguarded =
  'the database lacks a trigger that keeps records from being changed: find out who removed it, and restore a backup beside it to compare'
const unwritable = 'the database does not accept writes: its disk may be full'

const refusing =
  'the database refuses what a decision needs: a right, a table or a column is missing, or its file cannot be written'

export interface SoundnessDeps {
  readonly store: Pick<Store, 'selfCheck' | 'probeWrite'>
  readonly clock: Clock
}

export async function assertSound({ store, clock }: SoundnessDeps): Promise<void> {
  const { isWriteOnce } = await store.selfCheck(clock.nowMs())
  if (!isWriteOnce) throw new StoreUnsound(unguarded)
  try {
    await store.probeWrite(clock.nowMs())
  } catch (error) {
    throw new StoreUnsound(error instanceof StoreRefusal ? refusing : unwritable, { cause: error })
  }
}

const believedMs = 1_000

/** For an endpoint that anybody may call: a check writes, so its result holds for a second. */
export function createSoundness(deps: SoundnessDeps): () => Promise<void> {
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let fault: unknown = null
  const check = singleFlight(async () => {
    fault = await assertSound(deps).then(
      () => null,
      (error: unknown) => error,
    )
    checkedAtMs = deps.clock.monotonicMs()
  })
  return async () => {
    if (deps.clock.monotonicMs() - checkedAtMs >= believedMs) await check()
    if (fault !== null) throw fault
  }
}

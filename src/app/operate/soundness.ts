/** Checks what every acknowledgement rests on: the database refuses to change records, and writes reach its disk. */

import { StoreRefusal, StoreUnsound, type Store } from '../ports/store.ts'
import type { Clock, Repeat } from '../ports/system.ts'
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

export interface Soundness {
  /** For an endpoint that anybody may call: a check writes, so its result holds for a second. */
  check(): Promise<void>
  /** Throws while the last check found that nothing may be acknowledged, whether or not the database takes it. */
  assertGuarded(): void
  /** Checks at intervals what needs no write. */
  start(repeat: Repeat): () => void
}

async function assertGuardedNow({ store, clock }: SoundnessDeps): Promise<void> {
  const { isWriteOnce } = await store.selfCheck(clock.nowMs())
  if (!isWriteOnce) throw new StoreUnsound(unguarded)
}

async function assertWritable({ store, clock }: SoundnessDeps): Promise<void> {
  try {
    await store.probeWrite(clock.nowMs())
  } catch (error) {
    throw new StoreUnsound(error instanceof StoreRefusal ? refusing : unwritable, { cause: error })
  }
}

export async function assertSound(deps: SoundnessDeps): Promise<void> {
  await assertGuardedNow(deps)
  await assertWritable(deps)
}

const believedMs = 1_000
const checkEveryMs = 5_000

export function createSoundness(deps: SoundnessDeps): Soundness {
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let fault: unknown = null
  let lasting: StoreUnsound | null = null
  const faultOf = (checked: Promise<void>): Promise<unknown> =>
    checked.then(
      () => null,
      (error: unknown) => error,
    )
  /** A database that does not answer says nothing of its guards. */
  async function checkGuards(): Promise<unknown> {
    const found = await faultOf(assertGuardedNow(deps))
    if (found === null || found instanceof StoreUnsound) lasting = found
    return found
  }
  const checkAll = singleFlight(async () => {
    fault = (await checkGuards()) ?? (await faultOf(assertWritable(deps)))
    checkedAtMs = deps.clock.monotonicMs()
  })
  return {
    async check() {
      if (deps.clock.monotonicMs() - checkedAtMs >= believedMs) await checkAll()
      if (fault !== null) throw fault
    },
    assertGuarded() {
      if (lasting !== null) throw lasting
    },
    start: (repeat) => repeat(async () => void (await checkGuards()), checkEveryMs),
  }
}

/** No decision is read, made or repeated while the database lacks what an acknowledgement rests on. */
export function guardedStore(store: Store, { assertGuarded }: Pick<Soundness, 'assertGuarded'>): Store {
  const guarded =
    <Command, Result>(call: (command: Command) => Promise<Result>) =>
    async (command: Command): Promise<Result> => {
      assertGuarded()
      return call(command)
    }
  const { ahead } = store
  return {
    ...store,
    look: guarded((command) => store.look(command)),
    commit: guarded((command) => store.commit(command)),
    ahead: ahead && { ...ahead, commit: guarded((command) => ahead.commit(command)) },
  }
}

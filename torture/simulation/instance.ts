/** One life of the service: the real use cases, wired to a simulated world instead of to the machine. */

import { createMemoryLimiter } from '../../src/adapters/store/limits/memory-limiter.ts'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import { createStore } from '../../src/adapters/store/engine/store.ts'
import { Dispatcher, type DeliveryObserver } from '../../src/app/events/delivery/dispatcher.ts'
import { createIds } from '../../src/app/verify/ids.ts'
import { createAuthenticate } from '../../src/app/access/keys.ts'
import { createLiveSignals } from '../../src/app/verify/live-signals.ts'
import { openSigning, Sealer } from '../../src/app/log/sealer.ts'
import { createRecordOverride, type RecordOverride } from '../../src/app/events/override.ts'
import { StoreUnavailable } from '../../src/app/ports/store.ts'
import type { Limiter } from '../../src/app/ports/limiter.ts'
import type { Random } from '../../src/app/ports/system.ts'
import type { SignalSource } from '../../src/app/ports/signals.ts'
import { shadowSignals } from '../../src/app/verify/shadow-signals.ts'
import { createVerify, type VerifyCommand, type VerifyOutcome } from '../../src/app/verify/verify.ts'
import { createWebhooks, type Webhooks } from '../../src/app/events/webhooks.ts'
import { standardPolicy } from '../../src/core/decision/policy.ts'
import { standardRetryDelaysMs } from '../../src/core/events/retry-schedule.ts'
import type { Admission, RateLimit } from '../../src/core/time/rolling-window.ts'
import type { Chance } from '../random.ts'
import { faultyDriver, type Made, type Weather } from './faulty-driver.ts'
import type { Ground } from './ground.ts'
import { simulatedFeeds, type Providers } from './feeds.ts'
import { simulatedSender, type Receivers } from './receivers.ts'
import type { Life, Schedule } from './schedule.ts'

/** Parts that a test puts in the place of the right ones, to see that the world finds out. */
export interface Planted {
  readonly driver?: (ground: Ground) => Driver
  readonly limiter?: (limiter: Limiter) => Limiter
  readonly live?: (source: SignalSource) => SignalSource
  readonly cooldownMs?: number
}

export const cooldownMs = 90_000
export const retryDelaysMs = standardRetryDelaysMs

/** Of a key that has none of its own. */
const usualLimit: RateLimit = { count: 1_000, windowMs: 60_000 }

export interface InstanceDeps {
  readonly driver: Driver
  readonly life: Life
  readonly schedule: Schedule
  readonly weather: Weather
  readonly providers: Providers
  readonly receivers: Receivers
  readonly chance: Chance
  readonly planted: Planted
  readonly onMade: (made: Made) => void
  readonly onAdmission: (admission: OneAdmission) => void
  /** Something that must never be. */
  readonly onFault: (sentence: string) => void
}

export interface OneAdmission {
  readonly life: Life
  readonly bucket: string
  readonly limit: RateLimit
  readonly atMs: number
  readonly admission: Admission
}

export type AskOutcome =
  | VerifyOutcome
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'limited' }
  | { readonly kind: 'unavailable' }

export interface Instance {
  readonly life: Life
  /** As a request comes in: the key, the limit, the decision. */
  readonly ask: (key: string, command: Omit<VerifyCommand, 'caller'>) => Promise<AskOutcome>
  readonly override: RecordOverride
  readonly webhooks: Webhooks
  readonly sweep: () => Promise<void>
  /** Seals what waits, unless it is at it already. */
  readonly seal: () => Promise<void>
}

/** Null where the store did not answer. */
export async function unlessUnavailable<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StoreUnavailable) return null
    throw error
  }
}

export function startInstance(deps: InstanceDeps): Instance {
  const { life, schedule, planted, chance, onFault } = deps
  const { clock } = schedule
  const random: Random = chance
  const driver = faultyDriver(deps.driver, deps)
  const store = createStore(driver, random)
  const ids = createIds({ clock, random })
  const source = createLiveSignals({ feeds: simulatedFeeds(deps), store, clock })
  const signals = { shadow: shadowSignals, live: planted.live?.(source) ?? source }
  const dispatcher = new Dispatcher({
    outbox: store.outbox,
    sender: simulatedSender(deps),
    clock,
    random,
    retryDelaysMs,
    observer: observerOf(onFault),
    defer: (work, when) => schedule.after(when === 'soon' ? 5 : 0, work, { life }),
  })
  let sealer: Sealer | null = null
  let isSealing = false
  return {
    life,
    ask: askOf(deps, {
      authenticate: createAuthenticate({ keys: store.keys, clock, noteUse: () => {} }),
      verify: createVerify({
        store,
        clock,
        ids,
        random,
        signals,
        policy: standardPolicy,
        cooldownMs: planted.cooldownMs ?? cooldownMs,
      }),
    }),
    override: createRecordOverride({ store, ids }),
    webhooks: createWebhooks({ store, guard: { check: () => Promise.resolve(null) }, ids, clock, random }),
    sweep: () => dispatcher.sweep(),
    async seal() {
      if (isSealing) return
      isSealing = true
      sealer ??= await openSealer()
      if (sealer !== null) await unlessUnavailable(sealer.turn())
      isSealing = false
    },
  }

  async function openSealer(): Promise<Sealer | null> {
    const signing = await unlessUnavailable(openSigning({ store, clock, random, seed: null }))
    return signing === null ? null : new Sealer({ store, clock, signing })
  }
}

interface AskParts {
  readonly authenticate: ReturnType<typeof createAuthenticate>
  readonly verify: ReturnType<typeof createVerify>
}

/** The steps of a request before and around the use case, in the order of the HTTP edge. */
function askOf({ life, schedule, planted, onAdmission }: InstanceDeps, parts: AskParts): Instance['ask'] {
  const memory = createMemoryLimiter(schedule.clock)
  const limiter = planted.limiter?.(memory) ?? memory
  return async (presented, command) => {
    const asked = async (): Promise<AskOutcome> => {
      const key = await parts.authenticate(presented)
      if (key === null) return { kind: 'unauthorised' }
      const limit = key.verifyLimit ?? usualLimit
      const bucket = `verify:${key.keyId}`
      const admission = await limiter.admit(bucket, limit)
      onAdmission({ life, bucket, limit, atMs: schedule.clock.monotonicMs(), admission })
      if (!admission.admitted) return { kind: 'limited' }
      return parts.verify({ ...command, caller: key })
    }
    return (await unlessUnavailable(asked())) ?? { kind: 'unavailable' }
  }
}

function observerOf(onFault: (sentence: string) => void): DeliveryObserver {
  return {
    attempted() {},
    dropped() {},
    interrupted(error) {
      if (!(error instanceof StoreUnavailable)) onFault(`deliveries were interrupted by ${String(error)}`)
    },
    resumed() {},
    abandoned: ({ eventId }) => onFault(`the event ${eventId} was given up: what it tells of is gone`),
    failed: ({ eventId }, error) => onFault(`the event ${eventId} could not be sent: ${String(error)}`),
  }
}

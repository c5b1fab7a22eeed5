/** One life of the service: composed as in production, on the ports of a simulated world. */

import type { FastifyBaseLogger } from 'fastify'
import { openCaptcha } from '../../src/adapters/captcha.ts'
import { createMetrics } from '../../src/adapters/metrics.ts'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import { createStore } from '../../src/adapters/store/engine/store.ts'
import { createMemoryLimiter } from '../../src/adapters/store/limits/memory-limiter.ts'
import type { RecordOverride } from '../../src/app/events/override.ts'
import type { Webhooks } from '../../src/app/events/webhooks.ts'
import type { LiveFeeds } from '../../src/app/ports/feeds.ts'
import type { Limiter } from '../../src/app/ports/limiter.ts'
import { StoreUnavailable } from '../../src/app/ports/store.ts'
import type { VerifyCommand, VerifyOutcome } from '../../src/app/verify/verify.ts'
import { compose } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import { standardRetryDelaysMs } from '../../src/core/events/retry-schedule.ts'
import type { Admission, RateLimit } from '../../src/core/time/rolling-window.ts'
import type { AppDeps } from '../../src/http/types.ts'
import type { Chance } from '../random.ts'
import { faultyDriver, type Made, type Weather } from './faulty-driver.ts'
import type { Ground } from './ground.ts'
import { simulatedFeeds, type Providers } from './feeds.ts'
import { simulatedSender, type Receivers } from './receivers.ts'
import type { Life, Schedule } from './schedule.ts'

/** Ports that a test puts in the place of the right ones, to see that the world finds out. */
export interface Planted {
  readonly driver?: (ground: Ground) => Driver
  readonly limiter?: (limiter: Limiter) => Limiter
  readonly feeds?: (feeds: LiveFeeds) => LiveFeeds
  readonly cooldownMs?: number
}

export const cooldownMs = 90_000
export const retryDelaysMs = standardRetryDelaysMs

const config = readConfig({})
/** Nobody reads them. */
const metrics = createMetrics()

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
  /** Seals what waits. */
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
  const { life, schedule, planted, chance: random, onFault } = deps
  const { clock } = schedule
  const feeds = simulatedFeeds(deps)
  const limiter = createMemoryLimiter(clock)
  const logger = faultLog(onFault)
  const settings = { ...config, cooldownMs: planted.cooldownMs ?? cooldownMs }
  const service = compose(settings, {
    store: createStore(faultyDriver(deps.driver, deps), random),
    limiter: planted.limiter?.(limiter) ?? limiter,
    clock,
    random,
    logger,
    metrics,
    egress: { guard: { check: () => Promise.resolve(null) }, sender: simulatedSender(deps) },
    captcha: openCaptcha({ settings: null, log: logger }),
    feeds: planted.feeds?.(feeds) ?? feeds,
    defer: (work, when) => schedule.after(when === 'soon' ? 5 : 0, work, { life }),
    console: null,
  })
  return {
    life,
    ask: askOf(deps, service.deps),
    override: service.deps.recordOverride,
    webhooks: service.deps.webhooks,
    sweep: () => service.dispatcher.sweep(),
    seal: service.sealing.now,
  }
}

/** The steps of a request before and around the use case, in the order of the HTTP edge. */
function askOf({ life, schedule, onAdmission }: InstanceDeps, parts: AppDeps): Instance['ask'] {
  return async (presented, command) => {
    const asked = async (): Promise<AskOutcome> => {
      const key = await parts.authenticate(presented)
      if (key === null) return { kind: 'unauthorised' }
      const limit = key.verifyLimit ?? parts.limits.verify
      const bucket = `verify:${key.keyId}`
      const admission = await parts.limiter.admit(bucket, limit)
      onAdmission({ life, bucket, limit, atMs: schedule.clock.monotonicMs(), admission })
      if (!admission.admitted) return { kind: 'limited' }
      return parts.verify({ ...command, caller: key })
    }
    return (await unlessUnavailable(asked())) ?? { kind: 'unavailable' }
  }
}

/** What the service tells its operator: anything that went wrong for another reason than the store's is a fault. */
function faultLog(onFault: (sentence: string) => void): FastifyBaseLogger {
  const ignore = (): void => {}
  const judge = (fields: { err?: Error; event_id?: string }, message: string): void => {
    // Of one event alone, there is no outage.
    const isOutage = fields.err instanceof StoreUnavailable && fields.event_id === undefined
    if (!isOutage) onFault(`${message} (${fields.err?.toString() ?? fields.event_id ?? ''})`)
  }
  const log = {
    level: 'warn',
    fatal: judge,
    error: judge,
    warn: (told: { err?: Error }, message: string) => told.err === undefined || judge(told, message),
    info: ignore,
    debug: ignore,
    trace: ignore,
    silent: ignore,
    child: () => log,
  }
  return log as unknown as FastifyBaseLogger
}

/** One run of the service, composed as in production on simulated ports. */

import type { FastifyBaseLogger } from 'fastify'
import { openCaptcha } from '../../src/adapters/captcha.ts'
import { createMetrics } from '../../src/adapters/metrics.ts'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import { createStore } from '../../src/adapters/store/engine/store.ts'
import { createMemoryLimiter } from '../../src/adapters/store/limits/memory-limiter.ts'
import type { ReportOutcomes } from '../../src/app/events/outcome.ts'
import type { RecordOverride } from '../../src/app/events/override.ts'
import type { Webhooks } from '../../src/app/events/webhooks.ts'
import { FollowerBehind } from '../../src/app/followers/journal.ts'
import type { PoliciesFor } from '../../src/app/policy/policies.ts'
import type { LiveFeeds } from '../../src/app/ports/feeds.ts'
import type { Limiter } from '../../src/app/ports/limiter.ts'
import { StoreUnavailable, type Store } from '../../src/app/ports/store.ts'
import type { Repeat } from '../../src/app/ports/system.ts'
import type { Reviews } from '../../src/app/review/reviews.ts'
import type { VerifyCommand, VerifyOutcome } from '../../src/app/verify/verify.ts'
import { compose } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import { standardRetryDelaysMs } from '../../src/core/events/retry-schedule.ts'
import type { ReviewTerms } from '../../src/core/review/terms.ts'
import type { Admission, RateLimit } from '../../src/core/time/rolling-window.ts'
import type { AppDeps } from '../../src/http/types.ts'
import { testKey } from '../../test/helpers/installation-key.ts'
import type { Rng } from '../random.ts'
import { faultyDriver, type AppliedChange, type Weather } from './faulty-driver.ts'
import type { WorldDatabase } from './world-database.ts'
import { simulatedFeeds, type Providers } from './feeds.ts'
import { simulatedSender, type Receivers } from './receivers.ts'
import type { WorldTerms } from './reviews/terms.ts'
import type { Life, Schedule } from './schedule.ts'

/** Ports with planted bugs, by which a test checks that the simulation finds them. */
export interface Planted {
  readonly driver?: (worldDatabase: WorldDatabase, schedule: Schedule) => Driver
  readonly limiter?: (limiter: Limiter) => Limiter
  readonly feeds?: (feeds: LiveFeeds) => LiveFeeds
  readonly cooldownMs?: number
  /** Terms of reviews other than those of the world. */
  readonly terms?: Partial<ReviewTerms>
  /** The store that readers use, from the one that waits for nothing. */
  readonly readers?: (store: Store) => Store
}

export const cooldownMs = 90_000
export const retryDelaysMs = standardRetryDelaysMs

const config = readConfig({ FAIRWAY_SEAL_KEY: testKey.keys[0] })
/** Required, but never read. */
const metrics = createMetrics()

export interface InstanceDeps {
  readonly driver: Driver
  readonly life: Life
  readonly schedule: Schedule
  readonly weather: Weather
  readonly providers: Providers
  readonly receivers: Receivers
  readonly rng: Rng
  readonly planted: Planted
  readonly terms: WorldTerms
  readonly onApplied: (change: AppliedChange) => void
  readonly onAdmission: (admission: OneAdmission) => void
  /** Called for a violated invariant. */
  readonly onFault: (sentence: string) => void
}

export interface OneAdmission {
  readonly life: Life
  readonly bucket: string
  readonly limit: RateLimit
  readonly atMs: number
  readonly admission: Admission
}

export type CallOutcome =
  | VerifyOutcome
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'limited' }
  | { readonly kind: 'unavailable' }

export interface Instance {
  readonly life: Life
  /** Processes a request: authentication, limit, decision. */
  readonly verify: (key: string, command: Omit<VerifyCommand, 'caller'>) => Promise<CallOutcome>
  readonly override: RecordOverride
  readonly reportOutcomes: ReportOutcomes
  readonly webhooks: Webhooks
  readonly policies: PoliciesFor
  readonly reviews: Reviews
  readonly expireReviews: () => Promise<void>
  readonly sweep: () => Promise<void>
  /** Renews or takes the lease of the journal. */
  readonly beat: () => Promise<void>
  /** Looks for entries to follow, as the service does periodically. */
  readonly poll: () => Promise<void>
  /** The store that readers use: it waits for the followers. */
  readonly store: Store
  /** Resolves when everything is sealed that was recorded before the call. */
  readonly sealNow: () => Promise<void>
}

/** Null if the store is unavailable, or too slow for a reader to wait. */
export async function unlessUnavailable<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work
  } catch (error) {
    // With a cause, a follower is broken and not just late.
    const isLate = error instanceof FollowerBehind && error.cause === undefined
    if (isLate || error instanceof StoreUnavailable) return null
    throw error
  }
}

export function startInstance(deps: InstanceDeps): Instance {
  const { life, schedule, planted, terms, rng: random, onFault } = deps
  const { clock } = schedule
  const feeds = simulatedFeeds(deps)
  const limiter = createMemoryLimiter(clock)
  const logger = faultLog(onFault)
  const settings = {
    ...config,
    cooldownMs: planted.cooldownMs ?? cooldownMs,
    reviews: { ...terms, ...planted.terms },
    overrideRequiresReview: terms.requiresReview,
  }
  const store = createStore(faultyDriver(deps.driver, deps))
  const service = compose(settings, {
    store,
    limiter: planted.limiter?.(limiter) ?? limiter,
    clock,
    random,
    logger,
    metrics,
    egress: { guard: { check: () => Promise.resolve(null) }, sender: simulatedSender(deps) },
    captcha: openCaptcha({ settings: null, log: logger }),
    identityProvider: null,
    keyFile: testKey.file,
    feeds: planted.feeds?.(feeds) ?? feeds,
    defer: (work, when) => void schedule.after(when === 'soon' ? 5 : 0, work, { life }),
    after: (ms, work) => schedule.after(ms, work, { life }),
    methodology: () => Promise.resolve(''),
    console: null,
  })
  // The world repeats it: a timer of its own would never let the world come to rest.
  const repeated: (() => Promise<void>)[] = []
  const repeat: Repeat = (work) => {
    repeated.push(work)
    return () => {}
  }
  service.journal.start(repeat)
  const [beat, poll] = repeated
  if (beat === undefined || poll === undefined) throw new Error('the journal does not beat and poll')
  return {
    life,
    verify: verifyOf(deps, service.deps),
    override: service.deps.recordOverride,
    reportOutcomes: service.deps.reportOutcomes,
    webhooks: service.deps.webhooks,
    policies: service.deps.policies,
    reviews: service.deps.reviews,
    expireReviews: service.expireReviews,
    sweep: () => service.dispatcher.sweep(),
    beat,
    poll,
    store: planted.readers?.(store) ?? service.deps.store,
    sealNow: () => service.deps.sealNow(),
  }
}

/** The steps of a request around the use case, in the order of the HTTP layer. */
function verifyOf({ life, schedule, onAdmission }: InstanceDeps, parts: AppDeps): Instance['verify'] {
  return async (presented, command) => {
    const handle = async (): Promise<CallOutcome> => {
      const key = await parts.authenticate(presented)
      if (key === null) return { kind: 'unauthorised' }
      const limit = key.verifyLimit ?? parts.limits.verify
      const bucket = `verify:${key.keyId}`
      const admission = await parts.limiter.admit(bucket, limit)
      onAdmission({ life, bucket, limit, atMs: schedule.clock.monotonicMs(), admission })
      if (!admission.admitted) return { kind: 'limited' }
      return parts.verify({ ...command, caller: key })
    }
    return (await unlessUnavailable(handle())) ?? { kind: 'unavailable' }
  }
}

/** A logger that reports every error as a fault unless the store's outage caused it. */
function faultLog(onFault: (sentence: string) => void): FastifyBaseLogger {
  const ignore = (): void => {}
  const judge = (fields: { err?: Error; event_id?: string }, message: string): void => {
    // An error about a single event is not an outage.
    const isOutage = fields.err instanceof StoreUnavailable && fields.event_id === undefined
    if (!isOutage) onFault(`${message} (${fields.err?.toString() ?? fields.event_id ?? ''})`)
  }
  const log = {
    level: 'warn',
    fatal: judge,
    error: judge,
    warn: (fields: { err?: Error }, message: string) => fields.err === undefined || judge(fields, message),
    info: ignore,
    debug: ignore,
    trace: ignore,
    silent: ignore,
    child: () => log,
  }
  return log as unknown as FastifyBaseLogger
}

/** Builds the service from its ports, for the server, the tests and the simulation. */

import type { FastifyBaseLogger } from 'fastify'
import { noFeeds } from './adapters/feeds/open.ts'
import { createMemoryLimiter } from './adapters/store/limits/memory-limiter.ts'
import { createRequestAccess } from './app/access/access.ts'
import { createKeyUses, startKeyUses, type KeyUses } from './app/access/key-use.ts'
import { createAuthenticate } from './app/access/keys.ts'
import { createLocalAccounts } from './app/people/local-accounts.ts'
import { createPasswords } from './app/people/passwords.ts'
import { createProviderAccounts } from './app/people/provider-accounts.ts'
import { createSessions } from './app/people/sessions.ts'
import { createObserveFeeds } from './app/cip/observe-feeds.ts'
import { createProbe, type Probe } from './app/cip/probe.ts'
import { startProbing } from './app/cip/probing.ts'
import { withTelemetry } from './app/cip/telemetry.ts'
import { Dispatcher, sweepEveryMs } from './app/events/delivery/dispatcher.ts'
import { createDeliveryObserver } from './app/events/delivery/observer.ts'
import { createReportOutcomes } from './app/events/outcome.ts'
import { createRecordOverride } from './app/events/override.ts'
import { createFollowStream } from './app/events/stream/follow.ts'
import { createReadEvents } from './app/events/stream/read-events.ts'
import { EventWaits } from './app/events/stream/waits.ts'
import { createWebhooks } from './app/events/webhooks.ts'
import { createCalibrate } from './app/calibration/calibration.ts'
import { createAssessBatch } from './app/assess/assess-batch.ts'
import { createKeepReport } from './app/assess/kept-reports.ts'
import { currentStore } from './app/followers/current-store.ts'
import { Journal } from './app/followers/journal.ts'
import { createReadCorridorHealth } from './app/inspect/corridor-health.ts'
import { createReplay } from './app/inspect/replay.ts'
import { lazyInstallationKey, type InstallationKey } from './app/log/installation-key.ts'
import { createSeal } from './app/log/sealer.ts'
import { actsBy } from './app/operate/acts.ts'
import { createActivePolicies } from './app/policy/active.ts'
import { Backtester, createRunPart, type BacktestRoom } from './app/policy/backtest.ts'
import { createFollowCandidates } from './app/policy/candidate.ts'
import { createPolicyLibrary, type PolicyLibrary } from './app/policy/library.ts'
import { createPolicies } from './app/policy/policies.ts'
import { Maintenance, type MaintenanceRoom } from './app/operate/maintenance/jobs.ts'
import { createRunWork } from './app/operate/maintenance/run.ts'
import { createMask, type Mask } from './app/operate/mask.ts'
import { measuredStore } from './app/operate/measured-store.ts'
import { createSoundness, guardedStore, type Soundness } from './app/operate/soundness.ts'
import { tracedStore } from './app/operate/traced-store.ts'
import { createServiceGauges } from './app/operate/service-gauges.ts'
import { Shedder } from './app/operate/shedding.ts'
import type { Captcha } from './app/ports/identity/access.ts'
import type { IdentityProvider } from './app/ports/identity/people.ts'
import type { LiveFeeds } from './app/ports/feeds.ts'
import type { EventPublisher } from './app/ports/events.ts'
import type { KeyFile } from './app/ports/log.ts'
import type { FollowerName } from './app/ports/journal.ts'
import type { Limiter } from './app/ports/limiter.ts'
import type { Metrics } from './app/ports/metrics.ts'
import type { Store } from './app/ports/store.ts'
import type { After, Clock, Defer, Random, Repeat } from './app/ports/system.ts'
import type { Tracing } from './app/ports/tracing.ts'
import type { EndpointGuard, WebhookSender } from './app/ports/webhooks.ts'
import { createFollowReviews, type FollowReviews } from './app/review/follow.ts'
import { createExpire, expireEveryMs } from './app/review/expire.ts'
import { createReviews } from './app/review/reviews.ts'
import { createDemo } from './app/verify/demo.ts'
import { createHolds, type Holds } from './app/verify/holds.ts'
import { createIds, prefixedId, type Ids } from './app/verify/ids.ts'
import { createLiveSignals } from './app/verify/live-signals.ts'
import { createShadowSignals } from './app/verify/shadow-signals.ts'
import { createVerify } from './app/verify/verify.ts'
import { setupOf, type Config } from './config.ts'
import { beatEveryMs } from './core/operate/shedding.ts'
import type { AppDeps, BuiltConsole } from './http/types.ts'

/** The service's external dependencies. The code that opens a port also closes it. */
export interface Ports {
  readonly store: Store
  readonly limiter: Limiter
  readonly clock: Clock
  readonly random: Random
  readonly logger: FastifyBaseLogger
  readonly metrics: Metrics
  readonly tracing?: Tracing | null
  /** That of the logger, if it has one. */
  readonly mask?: Mask
  readonly egress: { readonly guard: EndpointGuard; readonly sender: WebhookSender }
  readonly captcha: Captcha
  /** Null: people sign in with local accounts, if there are any. */
  readonly identityProvider: IdentityProvider | null
  /** The place of a key that is not in the settings. */
  readonly keyFile: KeyFile
  /** Null if no feeds are configured: live mode then answers hold. */
  readonly feeds: LiveFeeds | null
  /** Publishes events to a message system. Absent: nothing does. */
  readonly eventPublisher?: EventPublisher | null
  /** Opens a thread for a backtest. Absent: it runs in this one. */
  readonly openBacktestRoom?: () => BacktestRoom
  /** Opens a thread for maintenance. Absent: it is done in this one. */
  readonly openMaintenanceRoom?: () => MaintenanceRoom
  readonly defer: Defer
  readonly after: After
  /** Null if the console was not built. */
  readonly methodology: () => Promise<string>
  readonly console: BuiltConsole | null
}

/** The use cases behind the endpoints, and the background work. */
export interface Service extends BackgroundWork {
  readonly deps: AppDeps
  /** Starts the background work. The returned function stops it and waits for running tasks. */
  readonly start: (repeat: Repeat) => () => Promise<void>
}

interface BackgroundWork {
  readonly dispatcher: Dispatcher
  readonly probe: Probe
  readonly keyUses: KeyUses
  readonly journal: Journal
  readonly key: () => Promise<InstallationKey>
  readonly mask: AppDeps['mask']
  /** Seals numbered entries; returns how many. */
  readonly seal: ReturnType<typeof createSeal>
  readonly shedder: Shedder
  readonly soundness: Soundness
  readonly policyLibrary: PolicyLibrary
  readonly backtester: Backtester
  readonly maintenance: Maintenance
  readonly holds: Holds
  /** Never throws. */
  readonly expireReviews: () => Promise<void>
}

export function compose(config: Config, unmeasured: Ports): Service {
  const { metrics, clock, logger, tracing = null } = unmeasured
  const soundness = createSoundness({ store: unmeasured.store, clock })
  const guarded = guardedStore(unmeasured.store, soundness)
  const store = measuredStore(tracedStore(guarded, tracing, config.databaseUrl), metrics, clock)
  const ports = { ...unmeasured, store }
  const work = { ...backgroundWork(config, ports), soundness }
  const deps = appDeps(config, ports, work)
  const { cooldownMs, probeEveryMs } = config
  metrics.watch({
    service: createServiceGauges({ store, clock, cooldownMs, lags: () => work.journal.lags(), log: logger }),
    feeds: () => deps.live.current().states(),
  })
  const start = (repeat: Repeat) => startWork(work, repeat, logger, probeEveryMs)
  return { ...work, deps, start }
}

function backgroundWork(config: Config, ports: Ports): Omit<BackgroundWork, 'soundness'> {
  const { store, clock, random, metrics, tracing = null, logger: log, egress, defer, after } = ports
  const mask = ports.mask ?? createMask(config.logMask)
  const { webhooks, probeEveryMs: everyMs, sealKeys: keys, shedLagMs: lagMsMax } = config
  const open = lazyInstallationKey({ store, clock, random, keys, file: ports.keyFile })
  const key = async (): Promise<InstallationKey> => {
    const opened = await open()
    mask.use(opened.maskKey)
    return opened
  }
  const seal = createSeal({ store, clock, random, key })
  const onFailure = (name: FollowerName): void => metrics.followerFailed(name)
  const policyLibrary = createPolicyLibrary(store.policies)
  const candidates = { store: store.policies, library: policyLibrary, clock }
  const followCandidates = createFollowCandidates(candidates)
  const following = { clock, random, after, log, tracing, onFailure }
  const ids = createIds({ clock, random })
  const followReviews = createFollowReviews({ store: store.reviews, ids, terms: config.reviews })
  return {
    journal: new Journal({
      store: store.journal,
      ...following,
      seal,
      followCandidates,
      followReviews,
      followStream: followStream(ports, key),
    }),
    holds: createHolds({ store: store.holds, clock, log }),
    expireReviews: createExpire({ store: store.reviews, ids, clock, log }),
    policyLibrary,
    backtester: new Backtester({
      store: store.policies,
      clock,
      log,
      holder: prefixedId('ins', random),
      open:
        ports.openBacktestRoom ??
        (() => ({ run: createRunPart(candidates), close: () => Promise.resolve() })),
    }),
    maintenance: openMaintenance(config, ports, followReviews),
    key,
    mask: () => (mask.names.size === 0 ? Promise.resolve(mask) : key().then(() => mask)),
    seal,
    dispatcher: new Dispatcher({
      outbox: store.outbox,
      sender: egress.sender,
      clock,
      random,
      retryDelaysMs: webhooks.retryDelaysMs,
      observer: createDeliveryObserver({ metrics, log }),
      tracing,
      defer,
      key,
    }),
    probe: createProbe({ cip: store.cip, clock, random, observeFeeds: observeFeeds(ports), everyMs }),
    keyUses: createKeyUses({ keys: store.keys, log }),
    shedder: new Shedder({ clock, lagMsMax, metrics, log }),
  }
}

/** The jobs of maintenance; without a thread of their own they have no archives. */
function openMaintenance({ cooldownMs }: Config, ports: Ports, followReviews: FollowReviews): Maintenance {
  const { store, clock, random, logger: log, openMaintenanceRoom } = ports
  const run = createRunWork({ store, clock, random, cooldownMs, followReviews, openArchive: null })
  return new Maintenance({
    store: store.maintenance,
    clock,
    random,
    log,
    holder: prefixedId('ins', random),
    isShared: store.journal.lease !== null,
    open: openMaintenanceRoom ?? (() => ({ run, close: () => Promise.resolve() })),
  })
}

/** Undefined without a sink. */
function followStream(
  { store: { events }, eventPublisher: publisher = null }: Ports,
  key: () => Promise<InstallationKey>,
) {
  return publisher === null ? undefined : createFollowStream({ events, publisher, key })
}

/** Null without a feeds file: then the simulation is observed. */
function observeFeeds({ feeds, store, clock, random }: Ports) {
  if (feeds === null) return null
  return createObserveFeeds({ feeds, cip: store.cip, clock, describe: actsBy('server', { clock, random }) })
}

function appDeps(config: Config, ports: Ports, work: BackgroundWork): AppDeps {
  const { journal, shedder, soundness, key, policyLibrary } = work
  const { limiter, clock, random, metrics, logger, egress, captcha, methodology, console } = ports
  const { limits, policy, trustProxy, cooldownMs } = config
  const store = currentStore(ports.store, {
    sequenced: () => journal.sequenced(),
    passed: (name) => journal.passed(name),
  })
  const ids = createIds({ clock, random })
  const live = createLiveSignals({ feeds: ports.feeds ?? noFeeds, store, clock })
  const liveSignals = withTelemetry(live, { cip: store.cip, clock })
  const activePolicies = createActivePolicies({ store: store.policies, library: policyLibrary, clock })
  return {
    store,
    limiter,
    ownLimiter: createMemoryLimiter(clock),
    clock,
    random,
    ...identityDeps(config, { ...ports, store }, work),
    verify: createVerify({
      store,
      clock,
      ids,
      random,
      signals: { shadow: createShadowSignals(config.hasTestAmounts), live: liveSignals },
      policy,
      policies: activePolicies,
      cooldownMs,
      validMs: config.decisionValidMs,
      sandbox: { limiter, dailyMax: config.sandboxDailyMax },
      metrics,
    }),
    ...reviewDeps(config, { store, clock, random, ids }, work),
    reportOutcomes: createReportOutcomes({ store, ids, clock }),
    ...eventDeps({ store, clock, after: ports.after }, work),
    calibrate: createCalibrate({ store, library: policyLibrary, policy }),
    webhooks: createWebhooks({ store, guard: egress.guard, ids, clock, random, key }),
    requestAccess: createRequestAccess({ access: store.access, captcha, ids, clock, random }),
    policies: createPolicies({ store, clock, random, active: activePolicies, ...policyWork(work) }),
    activePolicies,
    policyLibrary,
    metrics,
    tracing: ports.tracing ?? null,
    shedder,
    soundness,
    live,
    liveSignals,
    demo: createDemo({ clock, policy, hasTestAmounts: config.hasTestAmounts }),
    replay: createReplay({ clock, policy }),
    ...assessDeps({ store, clock, random }, policy),
    readCorridorHealth: createReadCorridorHealth({ live, store, clock, policy, cooldownMs }),
    ...maintenanceDeps(config, work),
    policy,
    limits,
    trustProxy,
    logger,
    methodology,
    console,
  }
}

/** The event stream, and the journal's state. */
function eventDeps(
  { store, clock, after }: Pick<Ports, 'store' | 'clock' | 'after'>,
  { journal, key }: BackgroundWork,
) {
  const waits = new EventWaits({ events: store.events, after })
  const caughtUp = () => journal.passed('events')
  return {
    eventWaits: waits,
    readEvents: createReadEvents({ store, waits, clock, caughtUp, key }),
    sealNow: () => journal.passed('log'),
    followerLags: () => journal.lags(),
  }
}

/** The work of operators for admins, and the settings that they see. */
function maintenanceDeps(config: Config, { maintenance }: BackgroundWork) {
  const { retentionDays, archives } = config
  return { maintenance, retentionDays, hasArchives: archives !== null, setup: setupOf(config) }
}

/** Batches of past payments, and their reports. */
function assessDeps(
  { store, clock, random }: Pick<Ports, 'store' | 'clock' | 'random'>,
  policy: Config['policy'],
) {
  const assessBatch = createAssessBatch({ clock, random, policy })
  return { assessBatch, keepReport: createKeepReport({ store, clock, assessBatch }) }
}

/** Both ways to an override, directly and through a review; and requests without a decision. */
function reviewDeps(
  { reviews: terms, overrideRequiresReview: requiresReview }: Config,
  shared: Pick<Ports, 'store' | 'clock' | 'random'> & { readonly ids: Ids },
  { holds }: BackgroundWork,
) {
  return {
    holds,
    recordOverride: createRecordOverride({ ...shared, requiresReview }),
    reviews: createReviews({ ...shared, terms }),
    reviewTerms: terms,
  }
}

/** Keys, the installation's own among them; people, their sessions, and the two ways to start one. */
function identityDeps({ oidc, publicUrl }: Config, ports: Ports, { key, mask, keyUses }: BackgroundWork) {
  const { store, clock, random, limiter, identityProvider: provider, logger: log } = ports
  const { people, keys } = store
  const { record: recordUse } = keyUses
  const sessions = createSessions({ sessions: store.sessions, clock, random, recordUse })
  const passwords = createPasswords(random)
  const shared = { people, sessions, clock, random }
  return {
    authenticate: createAuthenticate({ keys, clock, recordUse }),
    sessions,
    authenticateSession: sessions.authenticate,
    localAccounts: createLocalAccounts({ ...shared, passwords, limiter }),
    providerAccounts:
      provider === null || oidc === null
        ? null
        : createProviderAccounts({ ...shared, provider, claims: oidc.claims, keys, key, log }),
    publicUrl,
    key,
    mask,
  }
}

/** Compiled policies, and the work beside requests that the use cases of policies wait for or start. */
function policyWork({ journal, backtester, policyLibrary: library }: BackgroundWork) {
  return {
    library,
    nudge: () => backtester.nudge(),
    followed: () => journal.passed('policies'),
  }
}

function startWork(work: BackgroundWork, repeat: Repeat, log: FastifyBaseLogger, everyMs: number) {
  const { dispatcher, probe, keyUses, journal, shedder, backtester, maintenance, holds, expireReviews } = work
  const stopBeats = repeat(async () => shedder.beat(), beatEveryMs)
  const stopChecks = work.soundness.start(repeat)
  const stopSweeps = repeat(() => dispatcher.sweep(), sweepEveryMs)
  const stopFollowing = journal.start(repeat)
  const stopBacktests = backtester.start(repeat)
  const stopMaintenance = maintenance.start(repeat)
  const stopExpiring = repeat(expireReviews, expireEveryMs)
  const stopCounting = holds.start(repeat)
  const probing = startProbing({ probe, log, repeat, everyMs })
  const keyUseWrites = startKeyUses({ uses: keyUses, repeat })
  return async (): Promise<void> => {
    stopBeats()
    stopChecks()
    stopSweeps()
    stopExpiring()
    await stopMaintenance()
    await probing.stop()
    await stopBacktests()
    await dispatcher.stop()
    await keyUseWrites.stop()
    await stopCounting()
    await stopFollowing()
  }
}

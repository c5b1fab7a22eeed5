/** The whole service in process, on a fresh database and a manual clock: real store, real routing, no socket. */

import { leafHashes } from '../../src/app/log/leaf.ts'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { openCaptcha } from '../../src/adapters/captcha/open.ts'
import { builtConsole } from '../../src/adapters/console-folder.ts'
import { noFeeds } from '../../src/adapters/feeds/none.ts'
import { openFileFeeds, type FileFeeds } from '../../src/adapters/feeds/open.ts'
import { createLogger } from '../../src/adapters/logger.ts'
import { createMetrics } from '../../src/adapters/metrics.ts'
import { openStore, type Opened } from '../../src/adapters/store/open.ts'
import { systemRandom } from '../../src/adapters/system.ts'
import { openWebhookEgress } from '../../src/adapters/webhook/open.ts'
import { createRequestAccess } from '../../src/app/access/access.ts'
import { createProbe, type Probe } from '../../src/app/cip/probe.ts'
import { withTelemetry } from '../../src/app/cip/telemetry.ts'
import { Dispatcher } from '../../src/app/events/delivery/dispatcher.ts'
import { createDeliveryObserver } from '../../src/app/events/delivery/observer.ts'
import { createServiceFigures } from '../../src/app/operate/service-figures.ts'
import { createIds } from '../../src/app/verify/ids.ts'
import { createKeyUses } from '../../src/app/access/key-use.ts'
import { openSigning, Sealer, type SigningDeps } from '../../src/app/log/sealer.ts'
import { createAuthenticate, issueKey, type IssuedKey } from '../../src/app/access/keys.ts'
import { measuredStore } from '../../src/app/operate/measured-store.ts'
import type { Limiter } from '../../src/app/ports/limiter.ts'
import type { LiveFeeds } from '../../src/app/ports/feeds.ts'
import type { Metrics } from '../../src/app/ports/metrics.ts'
import type { Random } from '../../src/app/ports/system.ts'
import type { Store } from '../../src/app/ports/store.ts'
import { createLiveSignals } from '../../src/app/verify/live-signals.ts'
import { createReportOutcome } from '../../src/app/events/outcome.ts'
import { createRecordOverride } from '../../src/app/events/override.ts'
import { Shedder } from '../../src/app/operate/shedding.ts'
import { shadowSignals } from '../../src/app/verify/shadow-signals.ts'
import { createVerify } from '../../src/app/verify/verify.ts'
import { createWebhooks } from '../../src/app/events/webhooks.ts'
import { readConfig, setupOf, type Config } from '../../src/config.ts'
import type { KeyPrefix, Scope } from '../../src/core/identity/api-key.ts'
import { createApp } from '../../src/http/app.ts'
import type { App, AppDeps } from '../../src/http/types.ts'
import { ManualClock } from './clock.ts'
import { checkAgainstContract } from './contract.ts'
import { freshDatabase, migratedDatabase, type Engine } from './database/databases.ts'

export interface Answer {
  readonly status: number
  readonly headers: LightMyRequestResponse['headers']
  readonly text: string
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into answers freely; the contract check types them
  readonly body: any
}

export interface Harness {
  readonly app: App
  /** Its beat is the test's to make. */
  readonly shedder: Shedder
  readonly store: Store
  readonly limiter: Limiter
  readonly clock: ManualClock
  readonly databaseUrl: string
  readonly log: string[]
  /** Sends what is due now, and what comes of it, until nothing is. */
  readonly deliver: () => Promise<void>
  /** One look of the corridor probe, where it is due. */
  readonly probe: Probe
  /** Those of the file, where one is set. */
  readonly feeds: FileFeeds | null
  /** Writes down when keys were used, as the running service does now and then. */
  readonly noteKeyUses: () => Promise<void>
  /** Seals what was recorded, as the running service does every second; how many leaves it added. */
  readonly seal: () => Promise<number>
  readonly send: (request: InjectOptions) => Promise<Answer>
  /** POST /api/v1/verify with this key. */
  readonly verify: (
    key: string,
    body: unknown,
    more?: { headers?: Record<string, string>; mode?: string },
  ) => Promise<Answer>
  readonly get: (key: string | null, url: string) => Promise<Answer>
  readonly issue: (options?: {
    prefix?: KeyPrefix
    scopes?: Scope[]
    limit?: { count: number; windowMs: number }
    ownerLabel?: string
  }) => Promise<IssuedKey>
  /** Another instance on the same database and clock. */
  readonly sibling: () => Promise<Harness>
  readonly close: () => Promise<void>
}

export interface HarnessOptions {
  readonly engine?: Engine
  /** Settings, as in the environment. */
  readonly settings?: Readonly<Record<string, string>>
  /** Name servers, as `address:port`, in place of the system's. */
  readonly dnsServers?: readonly string[]
  /** Live feeds, in place of those that FAIRWAY_LIVE_FEEDS names. */
  readonly feeds?: LiveFeeds
  /** What the headers of feeds are made of. */
  readonly environment?: Readonly<Record<string, string>>
  /** How long a receiver has; a test that looks at those that hang gives them longer than itself. */
  readonly receiverTimeoutMs?: number
  /** How long the captcha service has. */
  readonly captchaTimeoutMs?: number
  readonly clock?: ManualClock
  /** In place of the system's: where ids, keys and secrets must be the same each time. */
  readonly random?: Random
  /** What is asked for before it is sealed is sealed then, as in the running service. */
  readonly sealsOnDemand?: true
  /** The console is served, too: the one that was built, or this. */
  readonly console?: true | AppDeps['console']
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { engine = 'sqlite', clock } = options
  // When it was migrated can be seen: with a clock that starts at another time, that is to be its first moment, too.
  const database = await (clock === undefined ? migratedDatabase(engine) : freshDatabase(engine))
  const harness = await assemble(database.url, clock ?? new ManualClock(), options)
  return {
    ...harness,
    async close() {
      await harness.close()
      await database.drop()
    },
  }
}

interface Service extends Opened {
  readonly app: App
  readonly shedder: Shedder
  readonly log: string[]
  readonly dispatcher: Dispatcher
  readonly probe: Probe
  readonly feeds: FileFeeds | null
  readonly noteKeyUses: () => Promise<void>
  readonly seal: () => Promise<number>
  readonly close: () => Promise<void>
}

/** Wired as the real process is, but for the clock and the log. */
async function startService(
  databaseUrl: string,
  clock: ManualClock,
  options: HarnessOptions,
): Promise<Service> {
  const config = readConfig({ DATABASE_URL: databaseUrl, ...options.settings })
  const { policy, limits, trustProxy, cooldownMs } = config
  const { random = systemRandom } = options
  const { log, logger } = keptLog()
  const onFault = (message: string): void => void log.push(message)
  const opened = await openStore({ leafHashes, databaseUrl, clock, random, onFault })
  const metrics = createMetrics()
  const { limiter, store } = { ...opened, store: measuredStore(opened.store, metrics, clock) }
  const ids = createIds({ clock, random })
  const feeds = openLiveFeeds(config, { store, clock, log }, options)
  const live = createLiveSignals({ feeds: options.feeds ?? feeds ?? noFeeds, store, clock })
  const signals = { shadow: shadowSignals, live }
  const deciding = { ...signals, live: withTelemetry(live, { cip: store.cip, clock }) }
  const { probeEveryMs: everyMs } = config
  const probe = createProbe({ cip: store.cip, clock, random, signals: shadowSignals, everyMs })
  const { egress: egress, dispatcher } = sendingOf(config, { store, clock, logger, metrics }, options)
  const captcha = openCaptcha({ settings: config.captcha, log: logger, ...captchaTimeout(options) })
  const uses = createKeyUses({ keys: store.keys, log: logger })
  const seal = sealingOf({ store, clock, random, seed: config.sealSeed })
  const shedder = new Shedder({ clock, lagMsMax: config.shedLagMs, metrics, log: logger })
  const app = await createApp({
    store,
    limiter,
    clock,
    random,
    authenticate: createAuthenticate({ keys: store.keys, clock, noteUse: uses.note }),
    verify: createVerify({ store, clock, ids, random, signals: deciding, policy, cooldownMs, metrics }),
    recordOverride: createRecordOverride({ store, ids }),
    reportOutcome: createReportOutcome({ store, clock }),
    webhooks: createWebhooks({ store, guard: egress.guard, ids, clock, random }),
    requestAccess: createRequestAccess({ access: store.access, captcha, ids, clock, random }),
    metrics,
    sealNow: async () => void (options.sealsOnDemand === true && (await seal())),
    shedder,
    signals,
    setup: setupOf(config),
    policy,
    limits,
    trustProxy,
    logger,
    console: options.console === true ? builtConsole() : (options.console ?? null),
  })
  const service = createServiceFigures({ store, clock, cooldownMs })
  metrics.watch({ service, feeds: () => live.states() })
  await app.ready()
  async function close(): Promise<void> {
    await app.close()
    await dispatcher.stop()
    await egress.close()
    await captcha.close()
    await feeds?.close()
    await store.close()
  }
  return { store, limiter, app, shedder, log, dispatcher, probe, feeds, noteKeyUses: uses.write, seal, close }
}

function keptLog(): { log: string[]; logger: ReturnType<typeof createLogger> } {
  const log: string[] = []
  const sink = { write: (line: string) => log.push(line) } as unknown as NodeJS.WritableStream
  return { log, logger: createLogger('debug', sink) }
}

function sealingOf(deps: SigningDeps): () => Promise<number> {
  return async () => new Sealer({ ...deps, signing: await openSigning(deps) }).turn()
}

function openLiveFeeds(
  { liveFeedsFile }: Config,
  { store, clock, log }: { store: Store; clock: ManualClock; log: string[] },
  { environment = {} }: HarnessOptions,
): FileFeeds | null {
  const { countOutcomes } = store
  return liveFeedsFile === null
    ? null
    : openFileFeeds(liveFeedsFile, {
        clock,
        countOutcomes,
        environment,
        onTurn: (turn) => log.push(JSON.stringify(turn)),
      })
}

function captchaTimeout({ captchaTimeoutMs: timeoutMs }: HarnessOptions): { timeoutMs?: number } {
  return timeoutMs === undefined ? {} : { timeoutMs }
}

interface SendingDeps {
  readonly store: Store
  readonly clock: ManualClock
  readonly logger: ReturnType<typeof createLogger>
  readonly metrics: Metrics
}

function sendingOf(config: Config, { store, clock, logger, metrics }: SendingDeps, options: HarnessOptions) {
  const { allowPrivate, retryDelaysMs } = config.webhooks
  const { dnsServers, receiverTimeoutMs: timeoutMs, random = systemRandom } = options
  const egress = openWebhookEgress({
    clock,
    allowPrivate,
    ...(dnsServers === undefined ? {} : { dnsServers }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  const dispatcher = new Dispatcher({
    outbox: store.outbox,
    sender: egress.sender,
    clock,
    random,
    retryDelaysMs,
    observer: createDeliveryObserver({ metrics, log: logger }),
    defer: (work) => void setImmediate(work),
  })
  return { egress: egress, dispatcher }
}

/** On a database that exists already: a restart. */
export async function assemble(
  databaseUrl: string,
  clock: ManualClock,
  options: HarnessOptions,
): Promise<Harness> {
  const service = await startService(databaseUrl, clock, options)
  const { store, limiter, app, shedder, log, dispatcher, probe, feeds, noteKeyUses, seal, close } = service

  async function send(request: InjectOptions): Promise<Answer> {
    const response = await app.inject(request)
    const type = response.headers['content-type'] ?? ''
    const isJson = type.startsWith('application/json') && response.body !== ''
    const body: unknown = isJson ? JSON.parse(response.body) : undefined
    checkAgainstContract(app, request, response, body)
    return { status: response.statusCode, headers: response.headers, text: response.body, body }
  }

  return {
    app,
    shedder,
    store,
    limiter,
    clock,
    databaseUrl,
    log,
    probe,
    feeds,
    noteKeyUses,
    seal,
    async deliver() {
      await dispatcher.sweep()
      await dispatcher.settled()
    },
    send,
    verify: (key, body, more = {}) =>
      send({
        method: 'POST',
        url: `/api/v1/verify${more.mode === undefined ? '' : `?mode=${more.mode}`}`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more.headers },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    get: (key, url) =>
      send({ method: 'GET', url, headers: key === null ? {} : { authorization: `Bearer ${key}` } }),
    issue: ({ prefix = 'pk_test_', scopes = [], limit, ownerLabel = 'test' } = {}) =>
      issueKey(
        { keys: store.keys, clock, random: options.random ?? systemRandom },
        { prefix, ownerLabel, scopes, verifyLimit: limit ?? { count: 1_000_000, windowMs: 60_000 } },
      ),
    sibling: () => assemble(databaseUrl, clock, options),
    close,
  }
}

/** Runs a test against a service of its own, and always stops it. */
export async function withHarness(
  options: HarnessOptions,
  work: (harness: Harness) => Promise<void>,
): Promise<void> {
  const harness = await startHarness(options)
  try {
    await work(harness)
  } finally {
    await harness.close()
  }
}

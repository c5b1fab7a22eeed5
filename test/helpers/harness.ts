/** The whole service in process, on a fresh database and a manual clock: real store, real routing, no socket. */

import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { openCaptcha } from '../../src/adapters/captcha.ts'
import { builtConsole } from '../../src/adapters/console-folder.ts'
import { readMethodology } from '../../src/adapters/documents.ts'
import type { FileFeeds } from '../../src/adapters/feeds/open.ts'
import { openWatchedFeeds } from '../../src/adapters/feeds/watched.ts'
import { openKeyFile } from '../../src/adapters/key-file.ts'
import { createLogger } from '../../src/adapters/logger.ts'
import { openIdentityProvider } from '../../src/adapters/identity-provider.ts'
import { createMetrics } from '../../src/adapters/metrics.ts'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemAfter, systemRandom } from '../../src/adapters/system.ts'
import { openWebhookEgress } from '../../src/adapters/webhook/open.ts'
import { issueKey, type IssuedKey } from '../../src/app/access/keys.ts'
import type { Probe } from '../../src/app/cip/probe.ts'
import type { Journal } from '../../src/app/followers/journal.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import { createReportRefusal } from '../../src/app/operate/refusals.ts'
import type { Shedder } from '../../src/app/operate/shedding.ts'
import type { LiveFeeds } from '../../src/app/ports/feeds.ts'
import type { LeafHashes } from '../../src/app/ports/log.ts'
import type { Limiter } from '../../src/app/ports/limiter.ts'
import type { Store } from '../../src/app/ports/store.ts'
import type { After, Random } from '../../src/app/ports/system.ts'
import { compose, type Ports, type Service } from '../../src/compose.ts'
import { readConfig, type Config } from '../../src/config.ts'
import type { KeyPrefix, Scope } from '../../src/core/identity/api-key.ts'
import { createApp } from '../../src/http/app.ts'
import type { App, AppDeps } from '../../src/http/types.ts'
import { ManualClock } from './clock.ts'
import { checkAgainstContract } from './contract.ts'
import { freshDatabase, migratedDatabase, type Engine } from './database/databases.ts'
import { keyFileSetting, placeTestKey } from './installation-key.ts'

export interface Answer {
  readonly status: number
  readonly headers: LightMyRequestResponse['headers']
  readonly text: string
  readonly bytes: Buffer
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
  /** Follows what is asked for; nothing by itself, unless a test starts it. */
  readonly journal: Journal
  /** Sends what is due now, and what comes of it, until nothing is. */
  readonly deliver: () => Promise<void>
  /** Resolves when every backtest that was started has ended. */
  readonly backtested: () => Promise<void>
  /** Resolves when no job of maintenance runs. */
  readonly maintained: () => Promise<void>
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
    /** A further key of this owner. */
    ownerId?: string
    /** The person whom the key acts as. */
    actsAs?: string
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
  /** In place of the system's: the timer of what waits for a follower. */
  readonly after?: After
  /** The timer of the feeds' deadlines, in place of the system's. */
  readonly feedsAfter?: After
  /** What the headers of feeds are made of. */
  readonly environment?: Readonly<Record<string, string>>
  /** How long a receiver has; a test that looks at those that hang gives them longer than itself. */
  readonly receiverTimeoutMs?: number
  /** How long the captcha service has. */
  readonly captchaTimeoutMs?: number
  readonly clock?: ManualClock
  /** In place of today's: leaves as an earlier version made them. */
  readonly leafHashes?: LeafHashes
  /** In place of the system's: where ids, keys and secrets must be the same each time. */
  readonly random?: Random
  /** What is asked for before it is sealed stays so until the test seals it, as while sealing fails. */
  readonly sealsByHand?: true
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

/** A busy machine may take longer than a reader waits in production; a test of that wait brings its own timer. */
const patientAfter: After = (ms, work) => systemAfter(20 * ms, work)

/** The longest that a timer can be: maintenance of a shared database must not change it under a test. */
const never = 2 ** 31 - 1

interface Running {
  readonly service: Service
  readonly app: App
  readonly log: string[]
  readonly feeds: FileFeeds | null
  readonly close: () => Promise<void>
}

function configOf(databaseUrl: string, { settings }: HarnessOptions): Config {
  const environment = { DATABASE_URL: databaseUrl, ...settings }
  return readConfig({ ...keyFileSetting(environment), ...environment })
}

/** Composed as the server is, on a manual clock, and without timers: the work beside requests is the test's to do. */
async function startService(
  databaseUrl: string,
  clock: ManualClock,
  options: HarnessOptions,
): Promise<Running> {
  const config = configOf(databaseUrl, options)
  const { random = systemRandom } = options
  const { log, logger } = keptLog()
  const metrics = createMetrics()
  const onFault = (message: string): void => void log.push(message)
  const { store, limiter } = await openStore({
    leafHashes: options.leafHashes ?? leafHashes,
    databaseUrl,
    clock,
    onFault,
    onRefusal: createReportRefusal({ log: logger, metrics, clock }),
    firstMaintenanceAfterMs: never,
  })
  await placeTestKey(store, config.sealKeyFile)
  const { liveFeedsFile } = config
  const { countOutcomes } = store
  const { environment = {}, feedsAfter: after } = options
  const feeds =
    liveFeedsFile === null
      ? null
      : openWatchedFeeds(liveFeedsFile, { clock, after, countOutcomes, environment, log: logger })
  const { egress, captcha } = openWaysOut(config, { clock, logger }, options)
  const service = compose(config, {
    store,
    limiter,
    clock,
    random,
    logger,
    metrics,
    egress,
    captcha,
    identityProvider: openIdentityProvider(config.oidc),
    keyFile: openKeyFile(config.sealKeyFile),
    feeds: options.feeds ?? feeds,
    defer: (work) => void setImmediate(work),
    after: options.after ?? patientAfter,
    methodology: readMethodology,
    console: options.console === true ? builtConsole() : (options.console ?? null),
  })
  const app = await createApp({
    ...service.deps,
    ...(options.sealsByHand === true ? { sealNow: () => Promise.resolve() } : {}),
  })
  await app.ready()
  async function close(): Promise<void> {
    await app.close()
    await service.maintenance.settled()
    await service.dispatcher.stop()
    await egress.close()
    await captcha.close()
    await feeds?.close()
    await store.close()
  }
  return { service, app, log, feeds, close }
}

function keptLog(): { log: string[]; logger: ReturnType<typeof createLogger> } {
  const log: string[] = []
  const sink = { write: (line: string) => log.push(line) } as unknown as NodeJS.WritableStream
  return { log, logger: createLogger({ logLevel: 'debug', logFormat: 'json' }, sink) }
}

function openWaysOut(
  config: Config,
  { clock, logger }: Pick<Ports, 'clock' | 'logger'>,
  { dnsServers, receiverTimeoutMs, captchaTimeoutMs }: HarnessOptions,
) {
  return {
    egress: openWebhookEgress({
      clock,
      allowPrivate: config.webhooks.allowPrivate,
      ...(dnsServers === undefined ? {} : { dnsServers }),
      ...(receiverTimeoutMs === undefined ? {} : { timeoutMs: receiverTimeoutMs }),
    }),
    captcha: openCaptcha({
      settings: config.captcha,
      log: logger,
      ...(captchaTimeoutMs === undefined ? {} : { timeoutMs: captchaTimeoutMs }),
    }),
  }
}

async function sendTo(app: App, request: InjectOptions): Promise<Answer> {
  const response = await app.inject(request)
  const type = response.headers['content-type'] ?? ''
  const isPlain = response.headers['content-encoding'] === undefined
  const isJson = type.startsWith('application/json') && response.body !== '' && isPlain
  const body: unknown = isJson ? JSON.parse(response.body) : undefined
  checkAgainstContract(app, request, response, body)
  const { statusCode: status, headers, body: text, rawPayload: bytes } = response
  return { status, headers, text, bytes, body }
}

/** On a database that exists already: a restart. */
export async function assemble(
  databaseUrl: string,
  clock: ManualClock,
  options: HarnessOptions,
): Promise<Harness> {
  const { service, app, log, feeds, close } = await startService(databaseUrl, clock, options)
  const { dispatcher, probe, keyUses, journal, seal, shedder, backtester, maintenance } = service
  const { store, limiter } = service.deps

  const send = (request: InjectOptions): Promise<Answer> => sendTo(app, request)

  return {
    app,
    shedder,
    store,
    limiter,
    clock,
    databaseUrl,
    log,
    journal,
    probe,
    feeds,
    backtested: () => backtester.settled(),
    maintained: () => maintenance.settled(),
    noteKeyUses: keyUses.write,
    async seal() {
      await journal.sequenced()
      return seal()
    },
    async deliver() {
      await journal.passed('webhooks')
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
    issue: ({ prefix = 'pk_test_', scopes = [], limit, ownerLabel = 'test', ...owner } = {}) =>
      issueKey(
        { keys: store.keys, clock, random: options.random ?? systemRandom },
        {
          prefix,
          ownerLabel,
          scopes,
          verifyLimit: limit ?? { count: 1_000_000, windowMs: 60_000 },
          ...owner,
        },
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

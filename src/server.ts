/** The server's wiring: builds the parts of the service and runs them. A file of its own, since no other command needs them. */

import type { Logger } from 'pino'
import { openCaptcha } from './adapters/captcha/open.ts'
import { noFeeds } from './adapters/feeds/none.ts'
import { findingText, openFileFeeds, type FileFeeds } from './adapters/feeds/open.ts'
import { builtConsole } from './adapters/console-folder.ts'
import { joinPrimary } from './adapters/cluster/worker.ts'
import { boundHeap } from './adapters/heap.ts'
import { createLogger } from './adapters/logger.ts'
import { createMetrics } from './adapters/metrics.ts'
import { openStore, type Opened, type OpenOptions } from './adapters/store/open.ts'
import { defer, repeat, systemClock as clock, systemRandom as random } from './adapters/system.ts'
import { openWebhookEgress } from './adapters/webhook/open.ts'
import { createRequestAccess } from './app/access/access.ts'
import { createProbe } from './app/cip/probe.ts'
import { startProbing } from './app/cip/probing.ts'
import { withTelemetry } from './app/cip/telemetry.ts'
import { Dispatcher } from './app/events/delivery/dispatcher.ts'
import { createDeliveryObserver } from './app/events/delivery/observer.ts'
import { createServiceFigures } from './app/operate/service-figures.ts'
import { createIds } from './app/verify/ids.ts'
import { startKeyUses } from './app/access/key-use.ts'
import { createAuthenticate } from './app/access/keys.ts'
import { leafHashes } from './app/log/leaf.ts'
import { startSealing } from './app/log/sealing.ts'
import { measuredStore } from './app/operate/measured-store.ts'
import type { Metrics } from './app/ports/metrics.ts'
import type { Store } from './app/ports/store.ts'
import { createRecordOverride } from './app/events/override.ts'
import { createLiveSignals } from './app/verify/live-signals.ts'
import { createReportOutcome } from './app/events/outcome.ts'
import { shadowSignals } from './app/verify/shadow-signals.ts'
import { startShedding } from './app/operate/shedding.ts'
import { createVerify } from './app/verify/verify.ts'
import { createWebhooks } from './app/events/webhooks.ts'
import { supportedCorridors } from './core/reference/corridor.ts'
import { defaultCurrency } from './core/reference/currency.ts'
import { signalNames } from './core/decision/signals.ts'
import { createApp } from './http/app.ts'
import type { AppDeps } from './http/types.ts'
import { explain } from './cli/failure-line.ts'
import type { RunningServer } from './cli/deps.ts'
import { setupOf, type Config } from './config.ts'

/** Where secrets of the live feeds are named. */
type Environment = Readonly<Record<string, string | undefined>>

/** What a process has of its own, whether it serves alone or as one of several. */
interface ProcessContext {
  readonly logger: Logger
  readonly metrics: Metrics
  /** What is logged when it listens. */
  readonly listenText: (address: string) => string
  readonly writing: Writing
}

/** How records are written: with which hash, and on an embedded database by which thread. */
export type Writing = Required<Pick<OpenOptions, 'leafHashes' | 'writerEntry'>>

const sealed: Writing = { leafHashes, writerEntry: new URL('store-worker.ts', import.meta.url) }

const drainMsMax = 10_000

/** How often the outbox is looked through for what is due: retries, and what an instance that is gone has left. */
const sweepEveryMs = 500

/** Sends what the outbox holds, until it is stopped. */
function startDelivery({ webhooks }: Config, store: Store, { logger, metrics }: ProcessContext) {
  if (webhooks.allowPrivate) {
    logger.warn('FAIRWAY_WEBHOOK_ALLOW_PRIVATE is on: webhooks may call private addresses, over http too')
  }
  const egress = openWebhookEgress({ clock, allowPrivate: webhooks.allowPrivate })
  const dispatcher = new Dispatcher({
    outbox: store.outbox,
    sender: egress.sender,
    clock,
    random,
    retryDelaysMs: webhooks.retryDelaysMs,
    observer: createDeliveryObserver({ metrics, log: logger }),
    defer,
  })
  const stopSweeping = repeat(() => dispatcher.sweep(), sweepEveryMs)
  return {
    guard: egress.guard,
    async stop() {
      stopSweeping()
      await dispatcher.stop()
      await egress.close()
    },
  }
}

/** Whether a person sent an access request, as far as the settings let us know. */
function startCaptcha({ captcha: settings }: Config, logger: Logger) {
  if (settings === null) {
    logger.warn('FAIRWAY_RECAPTCHA_SECRET is not set: access requests are taken with any captcha token')
  }
  return openCaptcha({ settings, log: logger })
}

/** Reads the feeds file again; what is wrong with it is logged, and the feeds of before stay. */
function reloader(feeds: FileFeeds, logger: Logger): () => void {
  return () => {
    const findings = feeds.reload()
    for (const finding of findings) {
      logger.error(`the live feeds stay as they were: ${findingText(finding)}`)
    }
    if (findings.length > 0) return
    logger.info('the live feeds were read again')
    tellOf(feeds, logger)
    lookOnce(feeds)
  }
}

/** What an operator should know of the feeds before the first decision. */
function tellOf(feeds: FileFeeds, logger: Logger): void {
  const states = feeds.states()
  if (states.length < signalNames.length) {
    const lacking = signalNames.filter((signal) => !states.some((state) => state.signal === signal))
    logger.warn({ signals: lacking }, 'some signals have no live feed: live mode holds until all have one')
  }
  const constant = states.filter(({ kind }) => kind === 'constant').map(({ signal }) => signal)
  if (constant.length > 0) {
    logger.warn({ signals: constant }, 'some live signals are constants: nothing is observed of them')
  }
}

/** Asks every feed before anybody needs it, so that connections are open and what fails is known. It is not waited for. */
function lookOnce(feeds: FileFeeds): void {
  for (const corridor of supportedCorridors) {
    void feeds.read({ ownerId: null, corridor, amount: null, currency: defaultCurrency })
  }
}

/** Null where no file is set. */
function openLiveFeeds(
  { liveFeedsFile }: Config,
  environment: Environment,
  store: Store,
  logger: Logger,
): FileFeeds | null {
  if (liveFeedsFile === null) return null
  const feeds = openFileFeeds(liveFeedsFile, {
    clock,
    countOutcomes: store.countOutcomes,
    environment,
    onTurn({ signal, fault, detail, error }) {
      if (fault === null) logger.info({ signal }, 'a live feed works again')
      else
        logger.warn(
          { signal, fault, detail, err: error },
          'a live feed fails: decisions that need it are on hold',
        )
    },
  })
  tellOf(feeds, logger)
  lookOnce(feeds)
  return feeds
}

/** What goes on beside the requests. The feeds come first: a file that cannot be used stops the start. */
function startWork(config: Config, environment: Environment, store: Store, context: ProcessContext) {
  const { logger, metrics } = context
  const feeds = openLiveFeeds(config, environment, store, logger)
  const delivery = startDelivery(config, store, context)
  const { probeEveryMs: everyMs } = config
  const probe = createProbe({ cip: store.cip, clock, random, signals: shadowSignals, everyMs })
  const probing = startProbing({ probe, log: logger, repeat, everyMs })
  const captcha = startCaptcha(config, logger)
  const uses = startKeyUses({ keys: store.keys, log: logger, repeat })
  const sealing = startSealing({ store, clock, random, seed: config.sealSeed, log: logger, repeat })
  const { shedLagMs: lagMsMax, cooldownMs } = config
  const { shedder, stop: stopBeating } = startShedding({ clock, lagMsMax, metrics, log: logger, repeat })
  metrics.watch({
    service: createServiceFigures({ store, clock, cooldownMs }),
    feeds: () => feeds?.states() ?? [],
  })
  return {
    feeds,
    delivery,
    captcha,
    uses,
    sealNow: () => sealing.now(),
    shedder,
    async stop() {
      stopBeating()
      await probing.stop()
      await delivery.stop()
      await captcha.close()
      await feeds?.close()
      await uses.stop()
      await sealing.stop()
    },
  }
}

/** What the routes are made of. */
function appDeps(
  config: Config,
  { store, limiter }: Opened,
  { feeds, delivery, captcha, uses, sealNow, shedder }: ReturnType<typeof startWork>,
  { logger, metrics }: ProcessContext,
): AppDeps {
  const ids = createIds({ clock, random })
  const live = createLiveSignals({ feeds: feeds ?? noFeeds, store, clock })
  const signals = { shadow: shadowSignals, live }
  const deciding = { ...signals, live: withTelemetry(live, { cip: store.cip, clock }) }
  const { limits, policy, trustProxy, cooldownMs } = config
  const { guard } = delivery
  return {
    store,
    limiter,
    clock,
    random,
    authenticate: createAuthenticate({ keys: store.keys, clock, noteUse: uses.note }),
    verify: createVerify({ store, clock, ids, random, signals: deciding, policy, cooldownMs, metrics }),
    recordOverride: createRecordOverride({ store, ids }),
    reportOutcome: createReportOutcome({ store, clock }),
    webhooks: createWebhooks({ store, guard, ids, clock, random }),
    requestAccess: createRequestAccess({ access: store.access, captcha, ids, clock, random }),
    metrics,
    sealNow,
    shedder,
    signals,
    setup: setupOf(config),
    policy,
    limits,
    trustProxy,
    logger,
    console: builtConsole(),
  }
}

/** One process that serves alone. Only the bench, which shows what the log costs, writes in another way. */
export function serve(config: Config, environment: Environment, writing = sealed): Promise<RunningServer> {
  const logger = createLogger(config.logLevel)
  const listenText = (address: string): string => `Server listening at ${address}`
  return startServer(config, environment, { logger, metrics: createMetrics(), listenText, writing })
}

/** One of several processes on the port, until the primary, which started it, says that it is to stop. */
export async function serveAsWorker(readSettings: () => Config, environment: Environment): Promise<void> {
  const primary = joinPrimary()
  const metrics = createMetrics(primary.gather)
  await primary.obey({
    start() {
      const config = readSettings()
      const logger = createLogger(config.logLevel).child({ pid: process.pid })
      // That the service is up is for the primary to say.
      const listenText = (): string => 'ready for requests'
      return startServer(config, environment, { logger, metrics, listenText, writing: sealed })
    },
    own: metrics.own,
    explain,
  })
}

/** `EX_IOERR` of sysexits.h. */
const diskExitCode = 74

/** Without a goodbye: whoever waits for an answer must not get one that the disk may not keep. */
function endAtOnce(logger: Logger, reason: string): never {
  logger.fatal(
    `the disk did not confirm a write (${reason}): what it holds is unknown, so nothing more is acknowledged and the process ends`,
  )
  process.exit(diskExitCode)
}

async function startServer(
  config: Config,
  environment: Environment,
  context: ProcessContext,
): Promise<RunningServer> {
  const { logger, listenText, writing } = context
  const { databaseUrl, host, port } = config
  const { store, limiter } = await openStore({
    databaseUrl,
    clock,
    random,
    onFault: (message) => logger.warn(message),
    onLost: (message) => endAtOnce(logger, message),
    ...writing,
  })
  const opened = { store: measuredStore(store, context.metrics, clock), limiter }
  // After the store has its thread: what is compiled under other settings of V8 is kept apart, and it would not be found.
  boundHeap()
  let work: ReturnType<typeof startWork> | null = null
  const close = async (): Promise<void> => {
    await work?.stop()
    await opened.store.close()
  }
  try {
    work = startWork(config, environment, opened.store, context)
    const { feeds } = work
    const app = await createApp(appDeps(config, opened, work, context))
    const url = await app.listen({ host, port, listenTextResolver: listenText })
    return {
      url,
      logger,
      reload: feeds === null ? null : reloader(feeds, logger),
      async stop() {
        // Whoever does not finish in time is cut off, so that a stop always ends.
        const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMsMax)
        await app.close()
        clearTimeout(cutOff)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

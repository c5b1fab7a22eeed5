/** Runs the server process: opens the ports, listens, drains on stop, and exits if the disk fails. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { openCaptcha } from './adapters/captcha.ts'
import { joinPrimary } from './adapters/cluster/worker.ts'
import { builtConsole } from './adapters/console-folder.ts'
import { readMethodology } from './adapters/documents.ts'
import type { FileFeeds } from './adapters/feeds/open.ts'
import { openWatchedFeeds, warmUp } from './adapters/feeds/watched.ts'
import { boundHeap } from './adapters/heap.ts'
import { openIdentityProvider } from './adapters/identity-provider.ts'
import { entryFile } from './adapters/threads/installation.ts'
import { openKeyFile } from './adapters/key-file.ts'
import { createLogger } from './adapters/logger.ts'
import { requireDatabaseFolder, requireFreePort } from './adapters/machine.ts'
import { createMetrics, type ProcessMetrics } from './adapters/metrics.ts'
import { checkNatsPackages } from './adapters/nats.ts'
import { isServerDown } from './adapters/store/engine/postgres/connections.ts'
import { openStore, type Opened } from './adapters/store/open.ts'
import { openTelemetry, type Telemetry } from './adapters/telemetry/open.ts'
import { openStreamThread } from './adapters/threads/stream-thread.ts'
import { createWorkerPool } from './adapters/threads/worker-pool.ts'
import type { MaintenanceRoom } from './app/operate/maintenance/jobs.ts'
import type { MaintenanceInput, Work, Worked } from './app/operate/maintenance/work.ts'
import type { BacktestRoom, PartJob, PartResult } from './app/policy/backtest.ts'
import {
  defer,
  repeat,
  systemAfter as after,
  systemClock as clock,
  systemRandom as random,
} from './adapters/system.ts'
import { openWebhookEgress } from './adapters/webhook/open.ts'
import { encryptStored } from './app/events/stored-secrets.ts'
import { verifierKey } from './app/log/checkpoint.ts'
import { leafHashes } from './app/log/leaf.ts'
import { releaseVersion } from './core/operate/release.ts'
import { actsBy } from './app/operate/acts.ts'
import { createMask, type Mask } from './app/operate/mask.ts'
import { createReportRefusal } from './app/operate/refusals.ts'
import { awaitStore } from './app/operate/await-store.ts'
import { assertSound } from './app/operate/soundness.ts'
import type { RunningServer } from './cli/deps.ts'
import { failureCode, failureLine } from './cli/failure-line.ts'
import { compose } from './compose.ts'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'
import type { AppDeps } from './http/types.ts'

/** Environment variables, which hold the secrets of the live feeds. */
type Environment = Readonly<Record<string, string | undefined>>

/** The context of one serving process, alone or in a cluster. */
interface ProcessContext {
  readonly logger: Logger
  readonly mask: Mask
  readonly metrics: ProcessMetrics
  /** Null: nothing is exported by OTLP. */
  readonly telemetry: Telemetry | null
  /** The log line written once the server listens. */
  readonly listenText: (address: string) => string
  /** False if the process runs other code, too: the server then must not limit its heap. */
  readonly ownsProcess: boolean
}

const writerEntry = entryFile('store-worker')
const readerEntry = entryFile('read-worker')

const drainMsMax = 10_000

/** Null if no feeds file is configured. */
function openFeeds(
  { liveFeedsFile }: Config,
  environment: Environment,
  { store }: Opened,
  { logger: log, telemetry }: ProcessContext,
) {
  if (liveFeedsFile === null) return null
  const { countOutcomes } = store
  const tracing = telemetry?.tracing ?? null
  const feeds = openWatchedFeeds(liveFeedsFile, { clock, countOutcomes, environment, log, tracing })
  void warmUp(feeds)
  return feeds
}

/** A reload is an act of whoever sent the signal, and so an entry of the log. */
function reloadFeeds(feeds: FileFeeds, { store }: Opened, log: Logger): void {
  if (feeds.reload().length > 0) return
  void warmUp(feeds)
  const act = actsBy('server', { clock, random })({ kind: 'feeds.reloaded', subject: '', detail: {} })
  store.acts
    .record(act)
    .catch((error: unknown) => log.warn({ err: error }, 'feeds: the reload could not be recorded in the log'))
}

/** Warns about settings that are not meant for production. */
function warnAboutSettings({ webhooks, captcha, unknownSettings }: Config, logger: Logger): void {
  if (unknownSettings.length > 0) {
    logger.warn(
      `config: not settings of this version, and ignored: ${unknownSettings.join(', ')}; docs/settings.md has all`,
    )
  }
  if (webhooks.allowPrivate) {
    logger.warn('config: FAIRWAY_WEBHOOK_ALLOW_PRIVATE is true: webhooks may use http and private addresses')
  }
  if (captcha === null) {
    logger.warn(
      'config: FAIRWAY_RECAPTCHA_SECRET is not set: access requests are accepted with any captcha token',
    )
  }
}

/** Opens the key, encrypts stored secrets that are not, and reports where the key lies and which secrets it does not open. */
async function checkSecrets({ key, store }: AppDeps, logger: Logger, isShared: boolean): Promise<void> {
  const { isStored, changedFrom, madeIn, signing, box } = await key()
  if (madeIn !== null) {
    logger[isShared ? 'warn' : 'info'](
      `log: created the key of this installation in ${madeIn}: keep a copy elsewhere; every other instance needs it`,
    )
  }
  if (isStored) {
    logger.warn(
      'log: a signing key is in the database, so whoever reads the database can sign: move it out with fairway audit move-key',
    )
  }
  if (changedFrom !== null) {
    const to = verifierKey(signing.origin, signing.signer.publicKey)
    logger.warn({ from: changedFrom, to }, 'log: another key signs from now on, as recorded in the log')
  }
  const lost = await encryptStored(store.endpoints, box)
  if (lost.length === 0) return
  const ids = lost.map(({ webhookId }) => webhookId)
  logger.warn(
    { webhook_ids: ids.slice(0, 100), count: ids.length },
    'webhooks: no key opens the secrets of some endpoints: their owners must rotate them before anything is sent',
  )
}

/** A thread with its own connection, so that decisions do not wait for a backtest. */
function openBacktestRoom({ databaseUrl }: Config): BacktestRoom {
  return createWorkerPool<PartJob, PartResult>(entryFile('backtest-worker'), { databaseUrl })
}

/** The check of a long log holds every act at once. */
const maintenanceHeap = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }

/** A thread with its own connection, so that decisions do not wait for the check of a log, or for a file to be rewritten. */
function openMaintenanceRoom({ databaseUrl, archives, reviews, cooldownMs }: Config): MaintenanceRoom {
  const input: MaintenanceInput = { databaseUrl, archives, reviews, cooldownMs }
  return createWorkerPool<Work, Worked>(entryFile('maintenance-worker'), input, maintenanceHeap)
}

/** Null if events are not published. */
async function openPublisher({ databaseUrl, nats }: Config) {
  if (nats === null) return null
  await checkNatsPackages()
  return openStreamThread(entryFile('stream-worker'), { databaseUrl, nats })
}

/** Builds the service on the machine's ports. */
async function startService(
  config: Config,
  environment: Environment,
  opened: Opened,
  context: ProcessContext,
) {
  const { logger, mask, metrics, telemetry } = context
  const eventPublisher = await openPublisher(config)
  // First, because an invalid feeds file must stop the start.
  const feeds = openFeeds(config, environment, opened, context)
  warnAboutSettings(config, logger)
  const egress = openWebhookEgress({ clock, allowPrivate: config.webhooks.allowPrivate })
  const captcha = openCaptcha({ settings: config.captcha, log: logger })
  const { deps, start } = compose(config, {
    ...opened,
    clock,
    random,
    logger,
    mask,
    metrics,
    tracing: telemetry?.tracing ?? null,
    egress,
    captcha,
    identityProvider: openIdentityProvider(config.oidc),
    keyFile: openKeyFile(config.sealKeyFile),
    feeds,
    eventPublisher,
    openBacktestRoom: () => openBacktestRoom(config),
    openMaintenanceRoom: () => openMaintenanceRoom(config),
    defer,
    after,
    methodology: readMethodology,
    console: builtConsole(),
  })
  let stopWork = (): Promise<void> => Promise.resolve()
  return {
    deps,
    feeds,
    startWork(): void {
      stopWork = start(repeat)
    },
    async stop() {
      // First, so that a stop does not wait for a message system.
      await eventPublisher?.close()
      await stopWork()
      await egress.close()
      await captcha.close()
      await feeds?.close()
    },
  }
}

interface ServeOptions extends Partial<Pick<ProcessContext, 'ownsProcess'>> {
  /** The log's destination; standard output by default. */
  readonly output?: NodeJS.WritableStream
}

/** The log and the measures of one process. */
function openContext(
  config: Config,
  environment: Environment,
  metrics: ProcessMetrics,
  output?: NodeJS.WritableStream,
) {
  const mask = createMask(config.logMask)
  let logger: Logger | null = null
  const early: string[] = []
  const warn = (message: string): void => {
    if (logger === null) early.push(message)
    else logger.warn(message)
  }
  const telemetry =
    config.telemetry === null
      ? null
      : openTelemetry({
          settings: config.telemetry,
          environment,
          version: releaseVersion,
          readMetrics: metrics.all,
          mask,
          warn,
        })
  logger = createLogger(config, output, mask, telemetry?.tap)
  early.forEach(warn)
  return { logger, mask, metrics, telemetry }
}

/** Comes before anything is created. The default folder is made by the database itself. */
async function checkStart({ host, port, databaseUrl, settings }: Config): Promise<void> {
  const database = settings.find(({ name }) => name === 'DATABASE_URL')
  if (database?.source !== 'default') requireDatabaseFolder(databaseUrl)
  if (port !== 0) await requireFreePort(host, port)
}

/** Serves from a single process. */
export async function serve(
  config: Config,
  environment: Environment,
  { ownsProcess = true, output }: ServeOptions = {},
): Promise<RunningServer> {
  await checkStart(config)
  const context = openContext(config, environment, createMetrics(), output)
  const listenText = (address: string): string => `http: listening at ${address}`
  return startServer(config, environment, { ...context, listenText, ownsProcess })
}

/** Serves as one worker of a cluster until the primary stops it. */
export async function serveAsWorker(readSettings: () => Config, environment: Environment): Promise<void> {
  const primary = joinPrimary()
  const metrics = createMetrics(primary.gather)
  await primary.serve({
    async start() {
      const config = readSettings()
      const context = openContext(config, environment, metrics)
      const logger = context.logger.child({ pid: process.pid })
      // The primary logs that the service is up.
      const listenText = (): string => 'worker: ready for requests'
      return startServer(config, environment, { ...context, logger, listenText, ownsProcess: true })
    },
    own: metrics.own,
    explain: (error) => ({ reason: failureLine(error), exitCode: failureCode(error) }),
  })
}

/** `EX_IOERR` of sysexits.h. */
const diskExitCode = 74

/** Exits at once: no caller may get an answer that the disk may have lost. */
function exitOnDiskFailure(logger: Logger, reason: string): never {
  logger.fatal(
    `store: the disk did not confirm a write (${reason}). Its contents are unknown, so the process exits without answering.`,
  )
  process.exit(diskExitCode)
}

/** Exports that are still repeated must not keep the process. */
function exitSoon({ ownsProcess, telemetry }: ProcessContext, code = 0): void {
  if (ownsProcess && telemetry !== null) setTimeout(() => process.exit(process.exitCode ?? code), 500).unref()
}

/** Waits for a PostgreSQL that is down: after a reboot it may come up later than this process. */
function openWhenUp(
  { databaseUrl, databaseWaitMs: waitMs }: Config,
  { logger, metrics }: ProcessContext,
): Promise<Opened> {
  const open = (): Promise<Opened> =>
    openStore({
      databaseUrl,
      clock,
      onFault: (message) => logger.warn(message),
      onRefusal: createReportRefusal({ log: logger, metrics, clock }),
      onMigrate: (from, to) => logger.info(`database: migrating the schema from ${from} to ${to}`),
      onSyncFailed: (message) => exitOnDiskFailure(logger, message),
      leafHashes,
      writerEntry,
      readerEntry,
    })
  return awaitStore(open, {
    clock,
    pause,
    waitMs,
    isDown: ({ cause }) => isServerDown(cause),
    onWait: (error) => logger.warn(`${failureLine(error)}. Waiting for it for up to ${waitMs / 1000} s`),
    onReached: (waitedMs) => logger.warn(`database: reached after ${Math.round(waitedMs / 1000)} s`),
  })
}

async function startServer(
  config: Config,
  environment: Environment,
  context: ProcessContext,
): Promise<RunningServer> {
  const { logger, listenText } = context
  const { host, port } = config
  const opened = await openWhenUp(config, context)
  // After the writer thread has started: V8 ignores cached code that was compiled under other flags.
  if (context.ownsProcess) boundHeap()
  let service: Awaited<ReturnType<typeof startService>> | null = null
  const close = async (): Promise<void> => {
    await service?.stop()
    await opened.store.close()
    await context.telemetry?.close()
  }
  try {
    await assertSound({ store: opened.store, clock })
    service = await startService(config, environment, opened, context)
    const { deps, feeds } = service
    await checkSecrets(deps, logger, config.databaseUrl.startsWith('postgres'))
    const app = await createApp(deps)
    const url = await app.listen({ host, port, listenTextResolver: listenText })
    // Not before: a start that fails at its port must have signed and sent nothing.
    service.startWork()
    return {
      url,
      logger,
      reload: feeds === null ? null : () => reloadFeeds(feeds, opened, logger),
      async stop() {
        // Connections that do not finish in time are closed, so a stop always completes.
        const drainTimer = setTimeout(() => app.server.closeAllConnections(), drainMsMax)
        await app.close()
        clearTimeout(drainTimer)
        await close()
        exitSoon(context)
      },
    }
  } catch (error) {
    await close()
    exitSoon(context, 1)
    throw error
  }
}

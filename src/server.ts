/** The server as a process: opens the ports that the machine has, listens, drains, and ends where the disk fails. */

import type { Logger } from 'pino'
import { openCaptcha } from './adapters/captcha.ts'
import { joinPrimary } from './adapters/cluster/worker.ts'
import { builtConsole } from './adapters/console-folder.ts'
import type { FileFeeds } from './adapters/feeds/open.ts'
import { openWatchedFeeds, warmUp } from './adapters/feeds/watched.ts'
import { boundHeap } from './adapters/heap.ts'
import { createLogger } from './adapters/logger.ts'
import { createMetrics } from './adapters/metrics.ts'
import { openStore, type Opened, type OpenOptions } from './adapters/store/open.ts'
import { defer, repeat, systemClock as clock, systemRandom as random } from './adapters/system.ts'
import { openWebhookEgress } from './adapters/webhook/open.ts'
import { leafHashes } from './app/log/leaf.ts'
import type { Metrics } from './app/ports/metrics.ts'
import type { RunningServer } from './cli/deps.ts'
import { explain } from './cli/failure-line.ts'
import { compose } from './compose.ts'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'

/** Where secrets of the live feeds are named. */
type Environment = Readonly<Record<string, string | undefined>>

/** What a process has of its own, whether it serves alone or as one of several. */
interface ProcessContext {
  readonly logger: Logger
  readonly metrics: Metrics
  /** What is logged when it listens. */
  readonly listenText: (address: string) => string
  readonly writing: Writing
  /** False where others run in the process, too: then its heap is not the server's to bound. */
  readonly ownsProcess: boolean
}

/** How records are written: with which hash, and on an embedded database by which thread. */
type Writing = Required<Pick<OpenOptions, 'leafHashes' | 'writerEntry'>>

const sealed: Writing = { leafHashes, writerEntry: new URL('store-worker.ts', import.meta.url) }

const drainMsMax = 10_000

/** Null where no file is set. */
function openFeeds({ liveFeedsFile }: Config, environment: Environment, { store }: Opened, log: Logger) {
  if (liveFeedsFile === null) return null
  const { countOutcomes } = store
  const feeds = openWatchedFeeds(liveFeedsFile, { clock, countOutcomes, environment, log })
  warmUp(feeds)
  return feeds
}

function reloadFeeds(feeds: FileFeeds): void {
  if (feeds.reload().length === 0) warmUp(feeds)
}

/** Settings that are for a trial only. */
function warnOfSettings({ webhooks, captcha }: Config, logger: Logger): void {
  if (webhooks.allowPrivate) {
    logger.warn('FAIRWAY_WEBHOOK_ALLOW_PRIVATE is on: webhooks may call private addresses, over http too')
  }
  if (captcha === null) {
    logger.warn('FAIRWAY_RECAPTCHA_SECRET is not set: access requests are taken with any captcha token')
  }
}

/** The service on the ports of this machine, with the work beside its requests going on. */
function startService(config: Config, environment: Environment, opened: Opened, context: ProcessContext) {
  const { logger, metrics } = context
  // First: a file that cannot be used stops the start.
  const feeds = openFeeds(config, environment, opened, logger)
  warnOfSettings(config, logger)
  const egress = openWebhookEgress({ clock, allowPrivate: config.webhooks.allowPrivate })
  const captcha = openCaptcha({ settings: config.captcha, log: logger })
  const { deps, start } = compose(config, {
    ...opened,
    clock,
    random,
    logger,
    metrics,
    egress,
    captcha,
    feeds,
    defer,
    console: builtConsole(),
  })
  const stopWork = start(repeat)
  return {
    deps,
    feeds,
    async stop() {
      await stopWork()
      await egress.close()
      await captcha.close()
      await feeds?.close()
    },
  }
}

interface ServeOptions extends Partial<Pick<ProcessContext, 'writing' | 'ownsProcess'>> {
  /** Where the log goes. */
  readonly output?: NodeJS.WritableStream
}

/** One process that serves alone. Only the bench, which shows what the log costs, writes in another way. */
export function serve(
  config: Config,
  environment: Environment,
  { writing = sealed, ownsProcess = true, output }: ServeOptions = {},
): Promise<RunningServer> {
  const logger = createLogger(config.logLevel, output)
  const metrics = createMetrics()
  const listenText = (address: string): string => `Server listening at ${address}`
  return startServer(config, environment, { logger, metrics, listenText, writing, ownsProcess })
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
      return startServer(config, environment, {
        logger,
        metrics,
        listenText,
        writing: sealed,
        ownsProcess: true,
      })
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
  const opened = await openStore({
    databaseUrl,
    clock,
    random,
    onFault: (message) => logger.warn(message),
    onLost: (message) => endAtOnce(logger, message),
    ...writing,
  })
  // After the store has its thread: what is compiled under other settings of V8 is kept apart, and it would not be found.
  if (context.ownsProcess) boundHeap()
  let service: ReturnType<typeof startService> | null = null
  const close = async (): Promise<void> => {
    await service?.stop()
    await opened.store.close()
  }
  try {
    service = startService(config, environment, opened, context)
    const { deps, feeds } = service
    const app = await createApp(deps)
    const url = await app.listen({ host, port, listenTextResolver: listenText })
    return {
      url,
      logger,
      reload: feeds === null ? null : () => reloadFeeds(feeds),
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

/** The entry: hands the command line what it needs, lazily, so that a command loads only what it uses. */

import cluster from 'node:cluster'
import type { IncomingHttpHeaders } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { openSettingsFile, settingsPath } from './adapters/settings-file.ts'
import { operatorName, systemClock as clock, systemRandom as random } from './adapters/system.ts'
import { openTerminal } from './adapters/terminal.ts'
import type { OutcomeCount } from './core/live/outcome.ts'
import { runCli } from './cli/run.ts'
import type { CliDeps, RunningServer } from './cli/deps.ts'
import type { UserDeps } from './cli/user/session/deps.ts'
import { readConfig, type Config } from './config.ts'

/** Where there is no store there is no owner, and so nobody asks. */
const noOutcomes = (): Promise<OutcomeCount> => Promise.resolve({ ended: 0, failed: 0, newestAtMs: null })

function single(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
  )
}

/** As every setting: one that is empty is not set. */
function setting(name: string): string | null {
  const text = process.env[name]?.trim() ?? ''
  return text === '' ? null : text
}

/** The folder of the program: what `npm start` serves from. */
const root = resolve(import.meta.dirname, '..')

/** Where `npm start` keeps its data, unless the settings say otherwise: from whatever folder it is started. */
function dataPlace(): { readonly databaseUrl: string; readonly folder: string } {
  const folder = join(root, 'data')
  const databaseUrl = setting('DATABASE_URL') ?? `sqlite:${join(folder, 'fairway.db')}`
  return {
    databaseUrl,
    folder: databaseUrl.startsWith('sqlite:') ? dirname(resolve(databaseUrl.slice(7))) : folder,
  }
}

const user: UserDeps = {
  environment: { url: setting('FAIRWAY_URL'), apiKey: setting('FAIRWAY_API_KEY') },
  terminal: openTerminal(process.env),
  settingsFile: openSettingsFile(settingsPath(process.env)),
  async writeFile(path, text, overwrite) {
    const { writeWhole } = await import('./adapters/files.ts')
    await writeWhole(path, text, overwrite)
  },
  async startServer({ host, port }) {
    const { startInBackground } = await import('./adapters/background-server.ts')
    const { databaseUrl, folder } = dataPlace()
    // The key is the user's, not the server's.
    const { FAIRWAY_API_KEY: _key, ...environment } = process.env
    return startInBackground({
      command: [join(root, 'bin', 'fairway.js'), 'serve'],
      environment: { ...environment, HOST: host, PORT: String(port), DATABASE_URL: databaseUrl },
      logFile: join(folder, 'fairway.log'),
    })
  },
}

/** What the command line sees is one server; the workers come through this file as well, and serve. */
async function serveByWorkers(config: Config): Promise<RunningServer> {
  const { startWorkers } = await import('./adapters/cluster/primary.ts')
  const { createLogger } = await import('./adapters/logger.ts')
  const logger = createLogger(config.logLevel)
  const { workers: count, port } = config
  const workers = await startWorkers({ count, port, clock, log: logger })
  const reload = config.liveFeedsFile === null ? null : () => workers.reload()
  return { url: workers.url, logger, reload, stop: () => workers.stop() }
}

const parts: CliDeps = {
  user,
  clock,
  random,
  operator: operatorName,
  config: () => readConfig(process.env),
  async openStore({ databaseUrl }) {
    const { openStore } = await import('./adapters/store/open.ts')
    const { leafHashes } = await import('./app/log/leaf.ts')
    // Standard output is the command's answer.
    const onFault = (message: string): void => void process.stderr.write(`fairway: ${message}\n`)
    const { store } = await openStore({ databaseUrl, clock, random, leafHashes, onFault })
    return store
  },
  async openBackups({ databaseUrl }) {
    const { openBackups } = await import('./adapters/backup/open.ts')
    return openBackups(databaseUrl, { clock, random })
  },
  async serve(config) {
    if (config.workers > 1) return serveByWorkers(config)
    const { serve } = await import('./server.ts')
    return serve(config, process.env)
  },
  async feedsSchema() {
    const { feedsJsonSchema } = await import('./adapters/feeds/schema.ts')
    return feedsJsonSchema
  },
  async openFeeds(path, store) {
    const { findingText, openFeedsOnce } = await import('./adapters/feeds/open.ts')
    const countOutcomes = store?.countOutcomes ?? noOutcomes
    const opened = openFeedsOnce(path, {
      clock,
      countOutcomes,
      environment: process.env,
      onTurn: () => undefined,
    })
    return opened.kind === 'open' ? opened : { ...opened, findings: opened.findings.map(findingText) }
  },
  async openInput(path, signal) {
    const { openInput } = await import('./adapters/files.ts')
    return openInput(path, signal)
  },
  async openOutput(path, names, inputId) {
    const { openOutput } = await import('./adapters/files.ts')
    return openOutput(path, names, inputId)
  },
  async openReceiver({ onRequest, ...options }) {
    const { openReceiver } = await import('./adapters/webhook/receiver.ts')
    return openReceiver({
      ...options,
      // Of a header that came twice, neither is believed.
      onRequest: ({ headers, ...rest }) => onRequest({ ...rest, headers: single(headers) }),
    })
  },
  async openWorkerPool(policy) {
    const { createWorkerPool: createCrew } = await import('./adapters/worker-pool.ts')
    return createCrew(new URL('assess-worker.ts', import.meta.url), { policy })
  },
}

if (cluster.isWorker) {
  const { serveAsWorker } = await import('./server.ts')
  await serveAsWorker(() => readConfig(process.env), process.env)
} else {
  process.exitCode = await runCli(process.argv, parts)
}

/** What the commands are made of, for one process: lazy, so that a command loads only what it uses. */

import type { IncomingHttpHeaders } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { openSettingsFile, settingsPath } from './adapters/settings-file.ts'
import { operatorName, systemClock as clock, systemRandom as random } from './adapters/system.ts'
import { openTerminal } from './adapters/terminal.ts'
import type { OutcomeCount } from './core/live/outcome.ts'
import type { CliDeps, CommandProcess, RunningServer } from './cli/deps.ts'
import type { UserDeps } from './cli/user/session/deps.ts'
import { readConfig, type Config } from './config.ts'

/** The process of a command, and its settings. */
export interface Host extends CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where there is no store there is no owner, and so nobody asks. */
const noOutcomes = (): Promise<OutcomeCount> => Promise.resolve({ ended: 0, failed: 0, newestAtMs: null })

function single(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
  )
}

/** As every setting: one that is empty is not set. */
function setting({ env }: Host, name: string): string | null {
  const text = env[name]?.trim() ?? ''
  return text === '' ? null : text
}

/** The folder of the program: what `npm start` serves from. */
const root = resolve(import.meta.dirname, '..')

/** Where `npm start` keeps its data, unless the settings say otherwise: from whatever folder it is started. */
function dataPlace(host: Host): { readonly databaseUrl: string; readonly folder: string } {
  const folder = join(root, 'data')
  const databaseUrl = setting(host, 'DATABASE_URL') ?? `sqlite:${join(folder, 'fairway.db')}`
  return {
    databaseUrl,
    folder: databaseUrl.startsWith('sqlite:') ? dirname(resolve(databaseUrl.slice(7))) : folder,
  }
}

const userDeps = (host: Host): UserDeps => ({
  environment: { url: setting(host, 'FAIRWAY_URL'), apiKey: setting(host, 'FAIRWAY_API_KEY') },
  terminal: openTerminal(host),
  settingsFile: openSettingsFile(settingsPath(host.env)),
  async writeFile(path, text, overwrite) {
    const { writeWhole } = await import('./adapters/files.ts')
    await writeWhole(path, text, overwrite)
  },
  async startServer({ host: address, port }) {
    const { startInBackground } = await import('./adapters/background-server.ts')
    const { databaseUrl, folder } = dataPlace(host)
    // The key is the user's, not the server's.
    const { FAIRWAY_API_KEY: _key, ...environment } = host.env
    return startInBackground({
      command: [join(root, 'bin', 'fairway.js'), 'serve'],
      environment: { ...environment, HOST: address, PORT: String(port), DATABASE_URL: databaseUrl },
      logFile: join(folder, 'fairway.log'),
    })
  },
})

/** What the command line sees is one server; the workers come through the entry as well, and serve. */
async function serveByWorkers(config: Config, { stdout }: Host): Promise<RunningServer> {
  const { startWorkers } = await import('./adapters/cluster/primary.ts')
  const { createLogger } = await import('./adapters/logger.ts')
  const logger = createLogger(config.logLevel, stdout)
  const { workers: count, port } = config
  const workers = await startWorkers({ count, port, clock, log: logger })
  const reload = config.liveFeedsFile === null ? null : () => workers.reload()
  return { url: workers.url, logger, reload, stop: () => workers.stop() }
}

export const cliDeps = (host: Host): CliDeps => ({
  process: host,
  user: userDeps(host),
  clock,
  random,
  operator: operatorName,
  config: () => readConfig(host.env),
  async openStore({ databaseUrl }) {
    const { openStore } = await import('./adapters/store/open.ts')
    const { leafHashes } = await import('./app/log/leaf.ts')
    // Standard output is the command's answer.
    const onFault = (message: string): void => void host.stderr.write(`fairway: ${message}\n`)
    const { store } = await openStore({ databaseUrl, clock, random, leafHashes, onFault })
    return store
  },
  async openBackups({ databaseUrl }) {
    const { openBackups } = await import('./adapters/backup/open.ts')
    return openBackups(databaseUrl, { clock, random })
  },
  async serve(config) {
    if (config.workers > 1) return serveByWorkers(config, host)
    const { serve } = await import('./server.ts')
    return serve(config, host.env, { output: host.stdout, ownsProcess: host === process })
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
      environment: host.env,
      onTurn: () => undefined,
    })
    return opened.kind === 'open' ? opened : { ...opened, findings: opened.findings.map(findingText) }
  },
  async openInput(path, signal) {
    const { openInput } = await import('./adapters/files.ts')
    return openInput(path, signal, host.stdin)
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
    const { createWorkerPool } = await import('./adapters/worker-pool.ts')
    return createWorkerPool(new URL('assess-worker.ts', import.meta.url), { policy })
  },
})

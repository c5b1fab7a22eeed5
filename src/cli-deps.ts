/** Builds the dependencies of the CLI commands. Modules load lazily, so a command loads only what it uses. */

import { statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { entryFile, isPackage, programFolder } from './adapters/threads/installation.ts'
import { openKeyFile } from './adapters/key-file.ts'
import { readSecretFile } from './adapters/secret-file.ts'
import { openSettingsFile, settingsPath } from './adapters/settings-file.ts'
import {
  operatorName,
  systemAfter as after,
  systemClock as clock,
  systemRandom as random,
} from './adapters/system.ts'
import { openTerminal } from './adapters/terminal.ts'
import type { OutcomeCount } from './core/live/outcome.ts'
import { CommandFailure, type CliDeps, type CommandProcess, type RunningServer } from './cli/deps.ts'
import type { UserDeps } from './cli/user/session/deps.ts'
import { readSettings } from './cli/settings-faults.ts'
import { readConfig, type Config } from './config.ts'

/** The process a command runs in, with its environment. */
export interface Host extends CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Without a store there is no owner, so this is never called. */
const noOutcomes = (): Promise<OutcomeCount> => Promise.resolve({ ended: 0, failed: 0, newestAtMs: null })

function singleValues(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
  )
}

/** An empty setting counts as unset. */
function setting({ env }: Host, name: string): string | null {
  const text = env[name]?.trim() ?? ''
  return text === '' ? null : text
}

/**
 * The data of `serve`: `npm start` runs in the checkout's folder, and a package is started in the folder that uses
 * it. `settings` are those that the server needs besides its environment.
 */
function dataLocation(host: Host): { readonly settings: object; readonly folder: string } {
  const folder = resolve(isPackage ? '.' : programFolder, 'data')
  const given = setting(host, 'DATABASE_URL')
  if (given === null) {
    const isInFile = setting(host, 'DATABASE_URL_FILE') !== null
    return { settings: isInFile ? {} : { DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}` }, folder }
  }
  return { settings: {}, folder: given.startsWith('sqlite:') ? dirname(resolve(given.slice(7))) : folder }
}

const userDeps = (host: Host): UserDeps => ({
  environment: { url: setting(host, 'FAIRWAY_URL'), apiKey: setting(host, 'FAIRWAY_API_KEY') },
  terminal: openTerminal(host),
  settingsFile: openSettingsFile(settingsPath(host.env)),
  async writeFile(path, text, overwrite) {
    const { writeFileAtomically } = await import('./adapters/files.ts')
    await writeFileAtomically(path, text, overwrite)
  },
  async startServer({ host: address, port }) {
    const { startInBackground } = await import('./adapters/background-server.ts')
    const { settings, folder } = dataLocation(host)
    // The API key belongs to the user; the server must not see it.
    const { FAIRWAY_API_KEY: _key, ...environment } = host.env
    return startInBackground({
      command: [join(programFolder, 'bin', 'fairway.js'), 'serve'],
      environment: {
        ...environment,
        ...settings,
        HOST: address,
        PORT: String(port),
        // A log file is for programs, whatever the person prefers at the terminal.
        FAIRWAY_LOG_FORMAT: 'json',
      },
      logFile: join(folder, 'fairway.log'),
    })
  },
})

/** Presents the cluster to the command line as one server. Its workers start through `main.ts`, too. */
async function serveWithWorkers(config: Config, { stdout }: Host): Promise<RunningServer> {
  const { requireFreePort } = await import('./adapters/machine.ts')
  if (config.port !== 0) await requireFreePort(config.host, config.port)
  const { startWorkers } = await import('./adapters/cluster/primary.ts')
  const { createLogger } = await import('./adapters/logger.ts')
  const { createMask } = await import('./app/operate/mask.ts')
  const logger = createLogger(config, stdout, createMask(config.logMask))
  const { workers: count, port } = config
  const workers = await startWorkers({ count, port, clock, log: logger })
  const reload = config.liveFeedsFile === null ? null : () => workers.reload()
  return { url: workers.url, logger, reload, stop: () => workers.stop() }
}

const openReceiver: CliDeps['openReceiver'] = async ({ onRequest, ...options }) => {
  const receiver = await import('./adapters/webhook/receiver.ts')
  return receiver.openReceiver({
    ...options,
    // A repeated header is dropped: no value of it can be trusted.
    onRequest: ({ headers, ...rest }) => onRequest({ ...rest, headers: singleValues(headers) }),
  })
}

/** Loaded by the few commands that need them. */
const rarePorts: Pick<
  CliDeps,
  'openArchive' | 'openParquet' | 'openEventSink' | 'feedsSchema' | 'methodology'
> = {
  async methodology() {
    const { readMethodology } = await import('./adapters/documents.ts')
    return readMethodology()
  },
  async openEventSink(settings) {
    const { openNats } = await import('./adapters/nats.ts')
    return openNats(settings)
  },
  async feedsSchema() {
    const { feedsJsonSchema } = await import('./adapters/feeds/schema.ts')
    return feedsJsonSchema
  },
  async openArchive(path, access) {
    const { openArchiveFolder } = await import('./adapters/archive/folder.ts')
    return openArchiveFolder(path, access)
  },
  async openParquet() {
    const { openParquet } = await import('./adapters/archive/parquet.ts')
    return openParquet()
  },
}

/** For `fairway doctor`, which looks and changes nothing. */
const lookingPorts: Pick<CliDeps, 'lookAtDatabase' | 'machine' | 'openCaptcha' | 'checkPackages' | 'after'> =
  {
    after,
    async lookAtDatabase(databaseUrl) {
      const { lookAtDatabase } = await import('./adapters/store/look.ts')
      const { leafHashes } = await import('./app/log/leaf.ts')
      return lookAtDatabase({ databaseUrl, leafHashes })
    },
    async machine() {
      const { machine } = await import('./adapters/machine.ts')
      return machine
    },
    async checkPackages(of) {
      const { checkNatsPackages } = await import('./adapters/nats.ts')
      const { loadPackages } = await import('./adapters/telemetry/packages.ts')
      await { nats: checkNatsPackages, telemetry: loadPackages }[of]()
    },
    async openCaptcha(settings, onFailure) {
      const { openCaptcha } = await import('./adapters/captcha.ts')
      const warn = ({ cause }: { readonly cause?: string }): void => onFailure(cause ?? 'unknown')
      return openCaptcha({ settings, log: { warn } })
    },
  }

/** How a person would call it again. npm names the script that it runs. */
function commandName(npmScript: string | undefined): string {
  if (npmScript === 'npx') return 'npx fairway'
  return npmScript === undefined || isPackage ? 'fairway' : 'npm run -s fairway --'
}

/** Refuses only a missing file. One that may not be read exists, and opening it says what is wrong. */
function requireFile(path: string): void {
  try {
    statSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return
    const place = resolve(path)
    throw new CommandFailure(`there is no database ${place}: correct DATABASE_URL, or start the service once`)
  }
}

export const cliDeps = (host: Host): CliDeps => ({
  process: host,
  user: userDeps(host),
  clock,
  random,
  operator: operatorName,
  command: commandName(host.env['npm_lifecycle_event']),
  config: () => readConfig(host.env, { isTerminal: host.stdout.isTTY === true, readFile: readSecretFile }),
  settings: () => readSettings(host.env, readSecretFile),
  ...lookingPorts,
  async openStore({ databaseUrl }, { mayCreate = false } = {}) {
    const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null
    if (path !== null && !mayCreate) requireFile(path)
    const { openStore } = await import('./adapters/store/open.ts')
    const { leafHashes } = await import('./app/log/leaf.ts')
    // Standard output is reserved for the command's result.
    const onFault = (message: string): void => void host.stderr.write(`fairway: ${message}\n`)
    const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault })
    return store
  },
  openKeyFile,
  ...rarePorts,
  async openBackups({ databaseUrl }) {
    const { openBackups } = await import('./adapters/backup/open.ts')
    return openBackups(databaseUrl, { clock })
  },
  async serve(config) {
    if (config.workers > 1) return serveWithWorkers(config, host)
    const { serve } = await import('./server.ts')
    return serve(config, host.env, { output: host.stdout, ownsProcess: host === process })
  },
  async openFeeds(path, store) {
    const { findingText, openFeedsOnce } = await import('./adapters/feeds/open.ts')
    const countOutcomes = store?.countOutcomes ?? noOutcomes
    const opened = openFeedsOnce(path, {
      clock,
      countOutcomes,
      environment: host.env,
      onStateChange: () => undefined,
    })
    return opened.kind === 'open' ? opened : { ...opened, findings: opened.findings.map(findingText) }
  },
  async observedCorridors(path) {
    const { observedCorridors } = await import('./adapters/feeds/open.ts')
    return observedCorridors(path, clock)
  },
  async openInput(path, signal) {
    const { openInput } = await import('./adapters/files.ts')
    return openInput(path, signal, host.stdin)
  },
  async openOutput(path, names, inputId) {
    const { openOutput } = await import('./adapters/files.ts')
    return openOutput(path, names, inputId)
  },
  openReceiver,
  async openWorkerPool(policy) {
    const { createWorkerPool } = await import('./adapters/threads/worker-pool.ts')
    return createWorkerPool(entryFile('assess-worker'), { policy })
  },
})

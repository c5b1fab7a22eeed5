/** `fairway serve`: runs the service until a signal stops it. */

import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import type { CliDeps, RunningServer } from '../deps.ts'
import { Screen } from '../user/session/screen.ts'
import { bannerLines } from './banner.ts'

export function registerServe(program: Command, deps: CliDeps): void {
  program
    .command('serve')
    .description('Run the service')
    .addHelpText(
      'after',
      '\nSettings come from environment variables. Docs: docs/settings.md\n\nExample:\n  PORT=9000 fairway serve',
    )
    .action(async () => {
      const config = deps.config()
      let server: RunningServer | null = null
      // Handled from the beginning: a SIGHUP during start-up must not end the process, which reads the feeds anyway.
      const hasFeeds = config.liveFeedsFile !== null
      if (hasFeeds) deps.process.on('SIGHUP', () => server?.reload?.())
      server = await deps.serve(config)
      // Before the log line below: a reader of that line may send a stop signal at once.
      const stopped = stopSignal(deps, server, hasFeeds ? stopSignals : [...stopSignals, 'SIGHUP'])
      server.logger.info({ url: server.url, pid: deps.process.pid }, `server: listening at ${server.url}`)
      // Also notify a parent process that waits for this; errors are ignored, since it may have ended.
      deps.process.send?.({ url: server.url }, undefined, undefined, () => undefined)
      const screen = screenOf(deps, config)
      if (screen !== null) await printBanner(screen, deps, config, server)
      await stopped
      screen?.lines(['Stopping: running requests finish first.'])
      await server.stop()
      server.logger.info('server: stopped')
    })
}

/** Null if a program reads the output: it has the log. */
function screenOf({ user }: CliDeps, { logFormat, logLevel }: Config): Screen | null {
  return logFormat === 'text' && logLevel !== 'silent' ? new Screen(user.terminal, { json: false }) : null
}

async function printBanner(
  screen: Screen,
  deps: CliDeps,
  config: Config,
  { url }: RunningServer,
): Promise<void> {
  // The server runs whether or not this second connection can be opened.
  const hasKeys = await storedKeys(deps, config).catch(() => true)
  screen.lines(bannerLines(screen, config, { url, hasKeys, command: deps.command }))
}

/** In a cluster this process has no store of its own. */
async function storedKeys(deps: CliDeps, config: Config): Promise<boolean> {
  const store = await deps.openStore(config)
  const keys = await store.keys.list().finally(() => store.close())
  return keys.length > 0
}

const stopSignals = ['SIGTERM', 'SIGINT'] as const

/**
 * Resolves on the first signal; a second signal exits at once. The listeners stay: a signal that arrives while one is being
 * replaced would be lost.
 */
function stopSignal(
  { process }: CliDeps,
  server: RunningServer,
  names: readonly NodeJS.Signals[],
): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const stop = (signal: NodeJS.Signals): void => {
      if (isStopping) process.exit(1)
      isStopping = true
      server.logger.info({ signal }, 'server: stopping: no new requests, running ones finish')
      resolve()
    }
    for (const name of names) process.on(name, stop)
  })
}

/** `fairway serve`: runs the service until it is told to stop. */

import type { Command } from 'commander'
import type { CliDeps, RunningServer } from '../deps.ts'

export function registerServe(program: Command, parts: CliDeps): void {
  program
    .command('serve', { isDefault: true })
    .description('run the service (settings come from the environment)')
    .addHelpText('after', '\nWithout a command this is what happens.\n\nExample:\n  PORT=9000 fairway serve')
    .action(async () => {
      const config = parts.config()
      let server: RunningServer | null = null
      // From the beginning: one that comes while we start must not end us. What is read then is what it asks for.
      const hasFeeds = config.liveFeedsFile !== null
      if (hasFeeds) parts.process.on('SIGHUP', () => server?.reload?.())
      server = await parts.serve(config)
      // Whoever reads that it is up may stop it at once.
      const stopped = stopSignal(parts, server, hasFeeds ? endings : [...endings, 'SIGHUP'])
      server.logger.info({ url: server.url, pid: parts.process.pid }, `Fairway is up at ${server.url}`)
      // Likewise whoever has started us and waits for that. One who has gone meanwhile has nothing to hear.
      parts.process.send?.({ url: server.url }, undefined, undefined, () => undefined)
      await stopped
      await server.stop()
      server.logger.info('stopped')
    })
}

const endings = ['SIGTERM', 'SIGINT'] as const

/** The second signal is not waited for: whoever asks twice means it. */
function stopSignal(
  { process }: CliDeps,
  server: RunningServer,
  names: readonly NodeJS.Signals[],
): Promise<void> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      server.logger.info({ signal }, 'stopping: no new requests, running ones finish')
      for (const name of names) {
        process.removeListener(name, stop)
        process.once(name, () => process.exit(1))
      }
      resolve()
    }
    for (const name of names) process.on(name, stop)
  })
}

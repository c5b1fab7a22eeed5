/** `fairway serve`: runs the service until it is told to stop. */

import type { Command } from 'commander'
import type { CliParts, RunningServer } from './parts.ts'

export function registerServe(program: Command, parts: CliParts): void {
  program
    .command('serve', { isDefault: true })
    .description('run the service (settings come from the environment)')
    .action(async () => {
      const server = await parts.serve(parts.config())
      server.logger.info({ url: server.url }, `Fairway is up at ${server.url}`)
      // Only where it does something: a terminal that closes ends a server that has nothing to read again.
      if (server.reload !== null) process.on('SIGHUP', server.reload)
      await stopSignal(server)
      await server.stop()
      server.logger.info('stopped')
    })
}

/** The second signal is not waited for: whoever asks twice means it. */
function stopSignal(server: RunningServer): Promise<void> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      server.logger.info({ signal }, 'stopping: no new requests, running ones finish')
      for (const name of ['SIGTERM', 'SIGINT'] as const) {
        process.removeListener(name, stop)
        process.once(name, () => process.exit(1))
      }
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}

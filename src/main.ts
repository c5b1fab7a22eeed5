/** Entry point: runs the command line, or serves as one worker of a cluster. */

import cluster from 'node:cluster'
import { cliDeps } from './cli-deps.ts'
import { runCli } from './cli/run.ts'
import { readConfig } from './config.ts'

if (cluster.isWorker) {
  const { serveAsWorker } = await import('./server.ts')
  await serveAsWorker(() => readConfig(process.env, { isTerminal: process.stdout.isTTY }), process.env)
} else {
  process.exitCode = await runCli(process.argv, cliDeps(process))
}

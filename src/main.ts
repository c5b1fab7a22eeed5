/** Entry point: runs the command line, or serves as one worker of a cluster. */

import cluster from 'node:cluster'
import { readSecretFile } from './adapters/secret-file.ts'
import { cliDeps } from './cli-deps.ts'
import { runCli } from './cli/run.ts'
import { readConfig } from './config.ts'

if (cluster.isWorker) {
  const { serveAsWorker } = await import('./server.ts')
  const { isTTY: isTerminal } = process.stdout
  await serveAsWorker(() => readConfig(process.env, { isTerminal, readFile: readSecretFile }), process.env)
} else {
  process.exitCode = await runCli(process.argv, cliDeps(process))
}

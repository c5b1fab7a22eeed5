/** The only wiring: builds the parts and hands the command line what it needs to run them. */

import { createCrew } from './adapters/crew.ts'
import { noLiveFeeds } from './adapters/feeds/none.ts'
import { openInput, openOutput } from './adapters/files.ts'
import { boundYoungGeneration } from './adapters/heap.ts'
import { createLogger } from './adapters/log.ts'
import { openStore } from './adapters/store/open.ts'
import { systemClock as clock, systemRandom as random } from './adapters/system.ts'
import { createIds } from './app/ids.ts'
import { createAuthenticate } from './app/keys.ts'
import { shadowSignals } from './app/shadow-signals.ts'
import { createVerify } from './app/verify.ts'
import { runCli } from './cli/run.ts'
import type { CliParts, RunningServer } from './cli/parts.ts'
import { readConfig, type Config } from './config.ts'

const drainMsMax = 10_000

async function open(config: Config, onFault: (message: string) => void) {
  return openStore({ databaseUrl: config.databaseUrl, clock, random, onFault })
}

async function serve(config: Config): Promise<RunningServer> {
  boundYoungGeneration()
  const { createApp } = await import('./http/app.ts')
  const logger = createLogger(config.logLevel)
  const { store, limiter } = await open(config, (message) => logger.warn(message))
  try {
    const verify = createVerify({
      store,
      clock,
      ids: createIds({ clock, random }),
      signals: { shadow: shadowSignals, live: noLiveFeeds },
      policy: config.policy,
      cooldownMs: config.cooldownMs,
    })
    const authenticate = createAuthenticate({ keys: store.keys, clock })
    const { limits, policy, trustProxy } = config
    const app = await createApp({
      store,
      limiter,
      clock,
      random,
      authenticate,
      verify,
      policy,
      limits,
      trustProxy,
      logger,
    })
    const url = await app.listen({ host: config.host, port: config.port })
    return {
      url,
      logger,
      async stop() {
        // Whoever does not finish in time is cut off, so that a stop always ends.
        const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMsMax)
        await app.close()
        clearTimeout(cutOff)
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

const parts: CliParts = {
  clock,
  random,
  config: () => readConfig(process.env),
  openStore: async (config) => {
    // Standard output is the command's answer.
    const { store } = await open(config, (message) => process.stderr.write(`fairway: ${message}\n`))
    return store
  },
  serve,
  openInput,
  openOutput,
  openCrew: (policy) => createCrew(new URL('assess-worker.ts', import.meta.url), { policy }),
}

process.exitCode = await runCli(process.argv, parts)

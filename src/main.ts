/** The entry: hands the command line what it needs, lazily, so that a command loads only what it uses. */

import type { IncomingHttpHeaders } from 'node:http'
import { operatorName, systemClock as clock, systemRandom as random } from './adapters/system.ts'
import type { OutcomeCount } from './core/outcome.ts'
import { runCli } from './cli/run.ts'
import type { CliParts } from './cli/parts.ts'
import { readConfig } from './config.ts'

/** Where there is no store there is no owner, and so nobody asks. */
const noOutcomes = (): Promise<OutcomeCount> => Promise.resolve({ ended: 0, failed: 0, newestAtMs: null })

function single(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
  )
}

const parts: CliParts = {
  clock,
  random,
  operator: operatorName,
  config: () => readConfig(process.env),
  async openStore({ databaseUrl }) {
    const { openStore } = await import('./adapters/store/open.ts')
    // Standard output is the command's answer.
    const onFault = (message: string): void => void process.stderr.write(`fairway: ${message}\n`)
    const { store } = await openStore({ databaseUrl, clock, random, onFault })
    return store
  },
  async serve(config) {
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
  async openCrew(policy) {
    const { createCrew } = await import('./adapters/crew.ts')
    return createCrew(new URL('assess-worker.ts', import.meta.url), { policy })
  },
}

process.exitCode = await runCli(process.argv, parts)

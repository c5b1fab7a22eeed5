/** `fairway mcp`: the tools of an MCP host, over standard input and output. */

import type { Command } from 'commander'
import { FairwayError, UnexpectedAnswerError } from '../../../client/src/index.ts'
import { Calls } from '../../../client/src/calls.ts'
import { systemRuntime } from '../../../client/src/runtime.ts'
import { jsonOf, type Answer } from '../../../client/src/transport.ts'
import type { McpDeps } from '../../mcp/server.ts'
import { localFailure, type Api, type ApiAnswer, type ApiCall } from '../../mcp/api.ts'
import { CommandFailure } from '../deps.ts'
import { clean } from '../redact.ts'
import { stopSignals } from '../stop-signals.ts'
import { failureOf, isTemporary, messageOf } from './session/failure.ts'
import { withRetries } from './session/retry.ts'
import { Screen } from './session/screen.ts'
import { warnIfExposed, type UserCli } from './session/session.ts'
import { connectionOf, type Connection } from './session/settings.ts'

/** For one attempt, as of the other commands. */
const limits = { maxRetries: 0, timeoutMs: 10_000, totalTimeoutMs: 10_000 } as const

interface McpOptions {
  readonly url?: string
}

export function registerMcp(program: Command, cli: UserCli): void {
  program
    .command('mcp')
    .description('Serve the tools of an MCP host (stdio)')
    .option('--url <url>', 'Server address; default: FAIRWAY_URL, then the settings file')
    .addHelpText(
      'after',
      `
For the configuration of a host such as an assistant or an editor, which starts this command itself. Standard input and
output carry the protocol. No tool overrides, approves, promotes or manages keys. Docs: docs/mcp.md

Example:
  fairway mcp`,
    )
    .action(async ({ url }: McpOptions) => {
      const { serveMcp } = await import('../../mcp/stdio.ts')
      const { process, user } = cli.deps
      const screen = new Screen(user.terminal, {})
      if (user.terminal.isInputTerminal)
        screen.note('Waiting for an MCP host on standard input; Ctrl+C ends. See docs/mcp.md.')
      const stopped = new AbortController()
      const stop = (): void => stopped.abort()
      for (const name of stopSignals) process.on(name, stop)
      try {
        await serveMcp(depsOf(cli, screen, url ?? null), {
          input: process.stdin,
          output: process.stdout,
          signal: stopped.signal,
          onError: (message) => screen.warn(`mcp: ${message}`),
        })
      } finally {
        for (const name of stopSignals) process.removeListener(name, stop)
      }
    })
}

const depsOf = (cli: UserCli, screen: Screen, flagUrl: string | null): McpDeps => ({
  api: apiOf(cli, screen, flagUrl),
  methodology: () => cli.deps.methodology(),
  onUnexpected: (error) => screen.warn(`mcp: unexpected error: ${String(error)}`),
})

/** Settings are read for each call: a host may start before anybody has run `fairway login`. */
function apiOf({ deps }: UserCli, screen: Screen, flagUrl: string | null): Api {
  let warnedOf: string | null = null
  return {
    newIdempotencyKey: () => crypto.randomUUID(),
    async send(call, signal) {
      let connection: Connection
      try {
        connection = await connectionOf(deps.user, flagUrl)
        if (connection.key === null) throw new CommandFailure(connection.missingKey)
      } catch (error) {
        return { kind: 'failed', failure: localFailure(sentence((error as Error).message)) }
      }
      if (warnedOf !== connection.url) warnIfExposed(screen, connection.url)
      warnedOf = connection.url
      const retries = {
        clock: deps.clock,
        // A pause must not keep the process once its host is gone.
        sleep: (ms: number) => systemRuntime.sleep(ms, signal),
        note: (text: string) => screen.note(text),
      }
      return answerFrom(connection, (request) => withRetries(request, retries), { ...call, signal })
    },
  }
}

/** The messages of commands follow the name of the program. */
const sentence = (text: string): string =>
  clean(`${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`)

async function answerFrom(
  { key, ...connection }: Connection,
  patiently: (request: () => Promise<Answer>) => Promise<Answer>,
  { method, path, body, signal }: ApiCall & { readonly signal: AbortSignal },
): Promise<ApiAnswer> {
  const calls = new Calls({ baseUrl: connection.url, apiKey: key ?? '', ...limits })
  try {
    const sent = body === null ? {} : { body: JSON.stringify(body) }
    const answer = await patiently(() => calls.keyed(method, path, { signal }, sent))
    return { kind: 'answered', body: jsonOf(answer), link: answer.headers.get('link') }
  } catch (error) {
    if (!(error instanceof FairwayError)) throw error
    return { kind: 'failed', failure: failureIn(error, { key, ...connection }) }
  }
}

function failureIn(error: FairwayError, connection: Connection) {
  const { status, code, requestId, retryAfterSeconds, errors, unavailableSignals } = error
  // Without a response the message is the client's own.
  const isOwnMessage = status === null
  const message = errors.length > 0 ? messageOf(error) : failureOf(error, connection).message
  return {
    isHold: isTemporary(error) || error instanceof UnexpectedAnswerError,
    code,
    message: sentence(message),
    isOwnMessage,
    requestId,
    retryAfterSeconds,
    errors,
    unavailableSignals,
  }
}

/** The common part of all user commands: options, connection, output and exit code. */

import type { Command } from 'commander'
import { FairwayClient, FairwayError } from '../../../../client/src/index.ts'
import { CommandFailure, type CliDeps } from '../../deps.ts'
import { errorJson, failureOf } from './failure.ts'
import { commandText } from './hints.ts'
import { withRetries } from './retry.ts'
import { Screen } from './screen.ts'
import { connectionOf, isExposed, type Connection } from './settings.ts'

/** The exit code of a command that has not failed. */
export interface ExitStatus {
  exitCode: number
}

export interface UserCli {
  readonly deps: CliDeps
  readonly exitStatus: ExitStatus
}

export interface SharedOptions {
  readonly url?: string
  readonly json?: boolean
  readonly color?: boolean
}

/** For one attempt: enough for a slow network, short enough for an interactive command. */
const timeoutMs = 10_000

export interface Session {
  readonly screen: Screen
  readonly connection: Connection
  /** The connection for error messages: without the key if it was not sent. */
  readonly used: () => Connection
  /** Formats a suggested command for the same server. */
  readonly hint: (...words: readonly string[]) => string
  /** Client without a key, for public endpoints. */
  readonly open: FairwayClient
  /** Client with the key; fails without one. */
  readonly keyed: () => FairwayClient
  /** Calls the API with brief retries. `rateLimitBudgetMs` allows longer waits for a rate limit. */
  readonly call: <Result>(request: () => Promise<Result>, rateLimitBudgetMs?: number) => Promise<Result>
  /** Like `call`, but error messages name the other connection. */
  readonly callOver: <Result>(other: Connection, request: () => Promise<Result>) => Promise<Result>
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export function withSharedOptions(command: Command): Command {
  return withJsonOptions(
    command.option('--url <url>', 'Server address; default: FAIRWAY_URL, then the settings file'),
  )
}

export function withJsonOptions(command: Command): Command {
  return command
    .option('--json', 'Print one JSON value (default if standard output is not a terminal)')
    .option('--no-json', 'Print text even if standard output is not a terminal')
    .option('--no-color', 'Print without colour (default if NO_COLOR is set)')
}

/** The client does not retry: `withRetries` decides which failures are retried. */
export function clientOf(url: string, key: string | null): FairwayClient {
  const limits = { maxRetries: 0, timeoutMs, totalTimeoutMs: timeoutMs }
  return new FairwayClient({ baseUrl: url, ...limits, ...(key === null ? {} : { apiKey: key }) })
}

/** Warns in text and JSON mode alike: a key sent unencrypted is compromised. */
export function warnIfExposed(screen: Screen, url: string): void {
  if (isExposed(url)) screen.warn(`warning: the key is sent to ${url} unencrypted; use https`)
}

function sessionOf(
  { deps }: UserCli,
  screen: Screen,
  connection: Connection,
  flagUrl: string | null,
): Session {
  const { url, key, missingKey } = connection
  let keyedClient: FairwayClient | null = null
  const call: Session['call'] = (request, rateLimitBudgetMs) =>
    withRetries(request, {
      clock: deps.clock,
      sleep,
      note: (text) => screen.note(text),
      ...(rateLimitBudgetMs === undefined ? {} : { rateLimitBudgetMs }),
    })
  return {
    screen,
    connection,
    used: () => (keyedClient === null ? { ...connection, key: null, keySource: null } : connection),
    hint: (...words) => commandText(words, flagUrl),
    open: clientOf(url, null),
    keyed() {
      if (key === null) throw new CommandFailure(missingKey)
      if (keyedClient === null) warnIfExposed(screen, url)
      keyedClient ??= clientOf(url, key)
      return keyedClient
    },
    call,
    callOver: (other, request) =>
      call(request).catch((error: unknown) => {
        throw error instanceof FairwayError ? failureOf(error, other) : error
      }),
  }
}

/** Runs one command and sets its exit code. */
export async function runUser(
  cli: UserCli,
  options: SharedOptions,
  work: (session: Session) => Promise<number>,
): Promise<void> {
  const { user } = cli.deps
  const screen = new Screen(user.terminal, options)
  const flagUrl = options.url ?? null
  await reporting(screen, async () => {
    const session = sessionOf(cli, screen, await connectionOf(user, flagUrl), flagUrl)
    try {
      cli.exitStatus.exitCode = await work(session)
    } catch (error) {
      throw error instanceof FairwayError ? failureOf(error, session.used()) : error
    }
  })
}

/** In JSON mode standard output has exactly one JSON value, even if the command fails. */
export async function reporting(screen: Screen, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (screen.isJson) screen.json(errorJson(error))
    throw error
  }
}

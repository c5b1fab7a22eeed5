/** What every user command shares: its options, the connection, how the answer is shown, and how it ends. */

import type { Command } from 'commander'
import { FairwayClient, FairwayError } from '../../../../client/src/index.ts'
import { CommandFailure, type CliDeps } from '../../deps.ts'
import { errorJson, failureOf } from './failure.ts'
import { commandText } from './hints.ts'
import { patiently } from './retry.ts'
import { Screen } from './screen.ts'
import { connectionOf, isExposed, type Connection } from './settings.ts'

/** How the process ends when nothing has failed. */
export interface Ending {
  exitCode: number
}

export interface UserCli {
  readonly parts: CliDeps
  readonly ending: Ending
}

export interface SharedOptions {
  readonly url?: string
  readonly json?: boolean
  readonly color?: boolean
}

/** For one try: long enough for a slow network, short enough for whoever waits. */
const timeoutMs = 10_000

export interface Session {
  readonly screen: Screen
  readonly connection: Connection
  /** As far as it was used: without its key where that was not sent. A failure speaks of this. */
  readonly used: () => Connection
  /** A command to type next, for the same server. */
  readonly hint: (...words: readonly string[]) => string
  /** Without a key, for what is public. */
  readonly open: FairwayClient
  /** With the key; ends the command where there is none. */
  readonly keyed: () => FairwayClient
  /** Tries again for a moment where that does no harm; for a rate limit longer, where that is said. */
  readonly ask: <Result>(call: () => Promise<Result>, limitBudgetMs?: number) => Promise<Result>
  /** The same over another connection, of which a failure then speaks. */
  readonly as: <Result>(other: Connection, call: () => Promise<Result>) => Promise<Result>
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export function withSharedOptions(command: Command): Command {
  return withJsonOptions(
    command.option('--url <url>', 'where Fairway is; FAIRWAY_URL or the settings file unless given'),
  )
}

export function withJsonOptions(command: Command): Command {
  return command
    .option('--json', 'print one JSON value, as is done where standard output is not a terminal')
    .option('--no-json', 'print text, also where standard output is not a terminal')
    .option('--no-color', 'print without colour, as is done where NO_COLOR is set')
}

/** No retries of its own: `patiently` knows which faults are waited for. */
export function clientOf(url: string, key: string | null): FairwayClient {
  const limits = { maxRetries: 0, timeoutMs, totalTimeoutMs: timeoutMs }
  return new FairwayClient({ baseUrl: url, ...limits, ...(key === null ? {} : { apiKey: key }) })
}

/** Whatever reads the answer: a key that others may have read is no key any more. */
export function warnIfExposed(screen: Screen, url: string): void {
  if (isExposed(url)) screen.warn(`warning: the key is sent to ${url} unencrypted; use https`)
}

function sessionOf(
  { parts }: UserCli,
  screen: Screen,
  connection: Connection,
  flagUrl: string | null,
): Session {
  const { url, key, keyless } = connection
  let keyedClient: FairwayClient | null = null
  const ask: Session['ask'] = (call, limitBudgetMs) =>
    patiently(call, {
      clock: parts.clock,
      sleep,
      note: (text) => screen.note(text),
      ...(limitBudgetMs === undefined ? {} : { limitBudgetMs }),
    })
  return {
    screen,
    connection,
    used: () => (keyedClient === null ? { ...connection, key: null, keySource: null } : connection),
    hint: (...words) => commandText(words, flagUrl),
    open: clientOf(url, null),
    keyed() {
      if (key === null) throw new CommandFailure(keyless)
      if (keyedClient === null) warnIfExposed(screen, url)
      keyedClient ??= clientOf(url, key)
      return keyedClient
    },
    ask,
    as: (other, call) =>
      ask(call).catch((error: unknown) => {
        throw error instanceof FairwayError ? failureOf(error, other) : error
      }),
  }
}

/** Runs one command to its exit code. */
export async function runUser(
  cli: UserCli,
  options: SharedOptions,
  work: (session: Session) => Promise<number>,
): Promise<void> {
  const { user } = cli.parts
  const screen = new Screen(user.terminal, options)
  const flagUrl = options.url ?? null
  await reporting(screen, async () => {
    const session = sessionOf(cli, screen, await connectionOf(user, flagUrl), flagUrl)
    try {
      cli.ending.exitCode = await work(session)
    } catch (error) {
      throw error instanceof FairwayError ? failureOf(error, session.used()) : error
    }
  })
}

/** Where programs read, standard output has exactly one JSON value, whatever happens. */
export async function reporting(screen: Screen, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (screen.isJson) screen.json(errorJson(error))
    throw error
  }
}

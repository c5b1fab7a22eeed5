/** `fairway quickstart`: from nothing to a first decision, and what to do next. A second run uses what the first has made. */

import type { Command } from 'commander'
import {
  AuthenticationError,
  type OrganisationSettings,
  type VerifyResponse,
} from '../../../../client/src/index.ts'
import { CommandFailure } from '../../deps.ts'
import { show } from '../session/answer-checks.ts'
import { holdExitCode } from '../session/exit-codes.ts'
import { laterText } from '../session/failure.ts'
import { checkedSettings } from '../login.ts'
import type { UserDeps } from '../session/deps.ts'
import { serverAt, stopping } from './server.ts'
import { firstPayment, quickstartLines, type Quickstarted } from './summary-lines.ts'
import { sandboxKey } from './sandbox-key.ts'
import {
  clientOf,
  runUser,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from '../session/session.ts'
import { isLoopback, keptSettings, readKept, settingsText, type Connection } from '../session/settings.ts'
import { asSent, verdictOf } from '../verify.ts'

interface QuickstartOptions extends SharedOptions {
  readonly name?: string
  readonly email?: string
  readonly reason: string
}

export function registerQuickstart(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('quickstart')
      .description('start a server if none runs, get a sandbox key, make a first verification')
      .option('--name <name>', 'who asks for the key; the name of your login unless given')
      .option('--email <email>', 'your address; one of three keys at most')
      .option('--reason <text>', 'what for', 'Trying Fairway out with fairway quickstart.'),
  )
    .addHelpText(
      'after',
      `
The server is started on this machine only, with the data of npm start, and goes on until you stop it. The key is kept in
${cli.parts.user.settingsFile.path}, which only you may read. Run it again as often as you like.

Example:
  fairway quickstart`,
    )
    .action((options: QuickstartOptions) =>
      runUser(cli, options, async (session) => {
        await refuseOtherKey(cli, session.connection)
        const server = await serverAt(cli, session)
        const done = await stopping(cli, session.screen, server, async () => {
          const { connection, keyFrom } = await keyFor(cli, session, options)
          const answer = await firstVerification(session, connection)
          return { connection, server, keyFrom, answer }
        })
        show(session.screen, quickstartJson(cli, session, done), () =>
          quickstartLines(session, done, cli.parts.user.settingsFile.path),
        )
        return 0
      }),
    )
}

/** The settings file has room for one key: that of another server is not thrown away for a trial. */
async function refuseOtherKey({ parts }: UserCli, { url, key }: Connection): Promise<void> {
  if (key !== null) return
  const kept = await keptSettings(parts.user)
  if (kept.apiKey === null || kept.url === url) return
  throw new CommandFailure(
    `${parts.user.settingsFile.path} holds a key for ${kept.url}, which would be lost: run fairway logout first, or set FAIRWAY_API_KEY`,
  )
}

/** The key that is there, if it works; else a new one, which is stored. */
async function keyFor(cli: UserCli, session: Session, options: QuickstartOptions) {
  const { connection, screen } = session
  if (connection.key !== null && (await settingsOf(session)) !== null) {
    screen.note(`Using the key from ${connection.keySource}.`)
    return { connection, keyFrom: 'kept' as const }
  }
  const { settingsFile } = cli.parts.user
  const { url } = connection
  await proveWritable(cli.parts.user)
  screen.note('Asking for a sandbox key …')
  const key = await sandboxKey(cli, session, options)
  await settingsFile.write(settingsText({ url, apiKey: key }))
  return {
    connection: { url, key, keySource: settingsFile.path, keyless: '' },
    keyFrom: 'requested' as const,
  }
}

/** A key that cannot be kept is lost, and there are only three: so the file is written before one is asked for, as it was. */
async function proveWritable(user: UserDeps): Promise<void> {
  const { settingsFile } = user
  const found = await settingsFile.read()
  await settingsFile.write(settingsText(readKept(found, settingsFile.path)))
  if (found.kind === 'absent') await settingsFile.remove()
}

/** Null where a stored key is not accepted any more: a server on this machine may have begun anew. */
async function settingsOf({ keyed, ask, connection }: Session): Promise<OrganisationSettings | null> {
  const client = keyed()
  const { url, keySource } = connection
  try {
    return checkedSettings(await ask(() => client.organisationSettings()))
  } catch (error) {
    const isRefused = error instanceof AuthenticationError && error.code !== null
    // What the environment says would go on being used, whatever is stored.
    if (!isRefused || keySource === 'FAIRWAY_API_KEY') throw error
    if (isLoopback(url)) return null
    // Elsewhere somebody issued it, and it may be one that a trial must not replace.
    const told = `the key from ${keySource} was not accepted by ${url}, and is not replaced by a sandbox key: fairway logout first, if that is meant`
    throw Object.assign(new CommandFailure(told), { cause: error })
  }
}

async function firstVerification(session: Session, { url, key }: Connection): Promise<VerifyResponse> {
  session.screen.note('Making a first verification …')
  const options = { idempotencyKey: crypto.randomUUID(), mode: 'shadow' as const }
  const result = await verdictOf(session, clientOf(url, key), firstPayment, options)
  if (!result.held) return asSent(result)
  const later = laterText(result.retryAfterSeconds)
  throw new CommandFailure(`hold: ${result.message} Run fairway quickstart again ${later}.`, holdExitCode)
}

function quickstartJson(
  { parts }: UserCli,
  { hint }: Session,
  { connection, server, keyFrom, answer }: Quickstarted,
) {
  const started = server.kind === 'started' ? server.server : null
  return {
    url: connection.url,
    server: { started: started !== null, pid: started?.pid ?? null, log_file: started?.logFile ?? null },
    key: {
      requested: keyFrom === 'requested',
      source: connection.keySource,
      file: parts.user.settingsFile.path,
    },
    verification: answer,
    next: [hint('explain', answer.request_id), hint('history'), 'fairway --help'],
  }
}

/** `fairway quickstart`: starts a server, gets a sandbox key and verifies a payment. A second run reuses both. */

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
import { serverAt, stoppingOnFailure } from './server.ts'
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
import { isLoopback, storedSettings, settingsIn, settingsText, type Connection } from '../session/settings.ts'
import { responseOf, requestDecision } from '../verify.ts'

interface QuickstartOptions extends SharedOptions {
  readonly name?: string
  readonly email?: string
  readonly reason: string
}

export function registerQuickstart(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('quickstart')
      .description('Start a server, get a sandbox key, verify a payment')
      .option('--name <name>', 'Name in the access request; default: your login name')
      .option('--email <email>', 'Email address in the access request; at most three keys each')
      .option('--reason <text>', 'Reason in the access request', 'Trying Fairway with fairway quickstart.'),
  )
    .addHelpText(
      'after',
      `
Starts a server on this machine if none is running, with the data of npm start; the server runs until you stop it. The
key is stored in ${cli.deps.user.settingsFile.path}, readable only by you. You can run this command again at any time.

Example:
  fairway quickstart`,
    )
    .action((options: QuickstartOptions) =>
      runUser(cli, options, async (session) => {
        await refuseOtherKey(cli, session.connection)
        const server = await serverAt(cli, session)
        const done = await stoppingOnFailure(cli, session.screen, server, async () => {
          const { connection, keyFrom } = await keyFor(cli, session, options)
          const answer = await firstVerification(session, connection)
          return { connection, server, keyFrom, answer }
        })
        show(session.screen, quickstartJson(cli, session, done), () =>
          quickstartLines(session, done, cli.deps.user.settingsFile.path),
        )
        return 0
      }),
    )
}

/** The settings file holds one key: the key of another server must not be overwritten. */
async function refuseOtherKey({ deps }: UserCli, { url, key }: Connection): Promise<void> {
  if (key !== null) return
  const stored = await storedSettings(deps.user)
  if (stored.apiKey === null || stored.url === url) return
  throw new CommandFailure(
    `${deps.user.settingsFile.path} contains a key for ${stored.url} that would be overwritten: run fairway logout first, or set FAIRWAY_API_KEY`,
  )
}

/** The configured key if the server accepts it; else a new key, which is stored. */
async function keyFor(cli: UserCli, session: Session, options: QuickstartOptions) {
  const { connection, screen } = session
  if (connection.key !== null && (await settingsOf(session)) !== null) {
    screen.note(`Using the key from ${connection.keySource}.`)
    return { connection, keyFrom: 'stored' as const }
  }
  const { settingsFile } = cli.deps.user
  const { url } = connection
  await checkWritable(cli.deps.user)
  screen.note('Requesting a sandbox key …')
  const key = await sandboxKey(cli, session, options)
  await settingsFile.write(settingsText({ url, apiKey: key }))
  return {
    connection: { url, key, keySource: settingsFile.path, missingKey: '' },
    keyFrom: 'requested' as const,
  }
}

/** Rewrites the file unchanged before a key is requested: a key that cannot be stored is lost, and only three exist. */
async function checkWritable(user: UserDeps): Promise<void> {
  const { settingsFile } = user
  const file = await settingsFile.read()
  await settingsFile.write(settingsText(settingsIn(file, settingsFile.path)))
  if (file.kind === 'absent') await settingsFile.remove()
}

/** Null if a local server rejects the stored key: its database may have been replaced. */
async function settingsOf({ keyed, call, connection }: Session): Promise<OrganisationSettings | null> {
  const client = keyed()
  const { url, keySource } = connection
  try {
    return checkedSettings(await call(() => client.organisationSettings()))
  } catch (error) {
    const isRefused = error instanceof AuthenticationError && error.code !== null
    // The environment variable takes precedence, so storing another key would not help.
    if (!isRefused || keySource === 'FAIRWAY_API_KEY') throw error
    if (isLoopback(url)) return null
    // On a remote server the key may be a real one, which a trial must not replace.
    const message = `the key from ${keySource} was not accepted by ${url} and is not replaced by a sandbox key: to replace it, run fairway logout first`
    throw Object.assign(new CommandFailure(message), { cause: error })
  }
}

async function firstVerification(session: Session, { url, key }: Connection): Promise<VerifyResponse> {
  session.screen.note('Verifying a first payment …')
  const options = { idempotencyKey: crypto.randomUUID(), mode: 'shadow' as const }
  const result = await requestDecision(session, clientOf(url, key), firstPayment, options)
  if (!result.held) return responseOf(result)
  const later = laterText(result.retryAfterSeconds)
  throw new CommandFailure(`hold: ${result.message} Run fairway quickstart again ${later}.`, holdExitCode)
}

function quickstartJson(
  { deps }: UserCli,
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
      file: deps.user.settingsFile.path,
    },
    verification: answer,
    next: [hint('explain', answer.request_id), hint('history'), 'fairway --help'],
  }
}

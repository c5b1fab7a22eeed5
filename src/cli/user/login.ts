/** `fairway login`: stores a server address and its key, after checking the key with the server; prints it on request. */

import type { Command } from 'commander'
import type { OrganisationSettings } from '../../../client/src/index.ts'
import { CommandFailure } from '../deps.ts'
import { checked, shaped, show } from './session/answer-checks.ts'
import type { UserDeps } from './session/deps.ts'
import { timeText, type Screen } from './session/screen.ts'
import {
  clientOf,
  runUser,
  warnIfExposed,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from './session/session.ts'
import { connectionOf, isKeyText, normalUrl, settingsText, type Connection } from './session/settings.ts'

export function registerLogin(program: Command, cli: UserCli): void {
  const { user } = cli.deps
  withSharedOptions(
    program
      .command('login')
      .description('Store a server address and its API key')
      .option('--print-key', 'Print the key in use, for other programs, and store nothing'),
  )
    .addHelpText(
      'after',
      `
Prompts for the address and the key; the key is not shown as you type. If standard input is not a terminal, its first
line is the key. There is no option for the key: other users could see it in the process list. Both are stored in
${user.settingsFile.path}, readable only by you.

Example:
  fairway login
  fairway login --url https://fairway.example.com < key.txt
  export FAIRWAY_API_KEY=$(fairway login --print-key)`,
    )
    .action((options: SharedOptions & { readonly printKey?: true }) =>
      options.printKey ? printKey(user, options) : store(cli, options),
    )
}

function store(cli: UserCli, options: SharedOptions): Promise<void> {
  const { user } = cli.deps
  return runUser(cli, options, async (session) => {
    const url = await promptUrl(user, session, options)
    const key = await promptKey(user, url)
    warnIfExposed(session.screen, url)
    // Error messages name this login as the source of the key.
    const connection: Connection = { url, key, keySource: 'this login', missingKey: '' }
    const permissions = await session.callOver(connection, async () =>
      permissionsJson(await clientOf(url, key).organisationSettings()),
    )
    await user.settingsFile.write(settingsText({ url, apiKey: key }))
    const { path } = user.settingsFile
    show(session.screen, { url, file: path, ...permissions }, () =>
      loginLines(session.screen, url, path, permissions),
    )
    for (const name of overridingVariables(user, url)) {
      session.screen.warn(
        `${name} is set and takes precedence over the stored settings: unset it to use this login`,
      )
    }
    return 0
  })
}

/** Without a key nothing is written to standard output, which a shell may take for the key. */
async function printKey(user: UserDeps, { url }: SharedOptions): Promise<void> {
  const { key, missingKey } = await connectionOf(user, url ?? null)
  if (key === null) throw new CommandFailure(missingKey)
  user.terminal.write(`${key}\n`)
}

async function promptUrl({ terminal }: UserDeps, session: Session, options: SharedOptions): Promise<string> {
  const { url } = session.connection
  if (options.url !== undefined || !terminal.isInputTerminal) return url
  const answer = (await terminal.promptLine(`Address of Fairway [${url}]: `))?.trim()
  if (answer === undefined) throw new CommandFailure('nothing was stored')
  const entered = answer === '' ? url : normalUrl(answer)
  if (entered === null)
    throw new CommandFailure('invalid address: enter a complete URL such as https://fairway.example.com')
  return entered
}

async function promptKey({ terminal }: UserDeps, url: string): Promise<string> {
  const key = terminal.isInputTerminal
    ? await terminal.askHidden(`API key for ${url} (not shown): `)
    : await terminal.readLine()
  const trimmed = key?.trim() ?? ''
  if (trimmed === '') throw new CommandFailure('no key was entered; nothing was stored')
  if (!isKeyText(trimmed))
    throw new CommandFailure('invalid key: it contains spaces; enter it exactly as issued')
  return trimmed
}

/** Environment variables that take precedence over the stored settings. */
function overridingVariables({ environment }: UserDeps, url: string): string[] {
  const isOtherUrl = environment.url !== null && normalUrl(environment.url) !== url
  return [...(environment.apiKey === null ? [] : ['FAIRWAY_API_KEY']), ...(isOtherUrl ? ['FAIRWAY_URL'] : [])]
}

/** The permissions of the key, without the key. */
function permissionsJson(settings: OrganisationSettings) {
  const { organisation, key, corridors, audit_users: roles } = checkedSettings(settings)
  return shaped(() => ({
    organisation,
    key_id: key.key_id,
    type: key.type,
    environment: key.environment,
    expires_at: key.expires_at,
    scopes: roles.filter(({ granted }) => granted).map(({ scope }) => scope),
    corridors: corridors.permitted,
  }))
}

/** A response of another form does not prove that the key was checked. */
export function checkedSettings(settings: OrganisationSettings): OrganisationSettings {
  return checked(settings, {
    organisation: 'text',
    key: 'members',
    corridors: 'members',
    audit_users: 'list',
  })
}

export function loginLines(
  screen: Screen,
  url: string,
  path: string,
  permissions: ReturnType<typeof permissionsJson>,
): string[] {
  const {
    organisation,
    key_id: id,
    type,
    environment,
    scopes,
    corridors,
    expires_at: expiresAt,
  } = permissions
  return [
    `Stored in ${screen.cell(path)}, readable only by you.`,
    '',
    ...screen.facts([
      ['Address', url],
      ['Key', `${id} of ${organisation}: ${type}, ${environment}`],
      ['Scopes', scopes.join(', ')],
      ['Corridors', corridors.join(', ')],
      ['Expires', expiresAt === null ? 'never' : timeText(expiresAt)],
    ]),
    '',
    `Try it: ${screen.paint('bold', 'fairway verify GB-NG 1000 --currency GBP')}`,
  ]
}

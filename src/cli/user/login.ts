/** `fairway login`: keeps an address and its key between commands, after asking the server what the key may do. */

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
import { isKeyText, normalUrl, settingsText, type Connection } from './session/settings.ts'

export function registerLogin(program: Command, cli: UserCli): void {
  const { user } = cli.parts
  withSharedOptions(
    program.command('login').description('keep an address and its key for the commands to come'),
  )
    .addHelpText(
      'after',
      `
Asks for the address and the key; the key is not shown as you type. Where standard input is not a terminal, its first line
is the key. There is no option for the key, since others would see it among the processes. Both are kept in
${user.settingsFile.path}, which only you may read.

Example:
  fairway login
  fairway login --url https://fairway.example.com < key.txt`,
    )
    .action((options: SharedOptions) =>
      runUser(cli, options, async (session) => {
        const url = await askedUrl(user, session, options)
        const key = await askedKey(user, url)
        warnIfExposed(session.screen, url)
        // Told as the key of this login, should it be refused.
        const connection: Connection = { url, key, keySource: 'this login', keyless: '' }
        const may = await session.as(connection, async () =>
          mayJson(await clientOf(url, key).organisationSettings()),
        )
        await user.settingsFile.write(settingsText({ url, apiKey: key }))
        const { path } = user.settingsFile
        show(session.screen, { url, file: path, ...may }, () => loginLines(session.screen, url, path, may))
        for (const name of overruled(user, url)) {
          session.screen.warn(`${name} is set and comes before what was stored: unset it to use this login`)
        }
        return 0
      }),
    )
}

async function askedUrl({ terminal }: UserDeps, session: Session, options: SharedOptions): Promise<string> {
  const { url } = session.connection
  if (options.url !== undefined || !terminal.isInputTerminal) return url
  const answer = (await terminal.askLine(`Address of Fairway [${url}]: `))?.trim()
  if (answer === undefined) throw new CommandFailure('nothing was stored')
  const given = answer === '' ? url : normalUrl(answer)
  if (given === null)
    throw new CommandFailure('that is not a whole address, like https://fairway.example.com')
  return given
}

async function askedKey({ terminal }: UserDeps, url: string): Promise<string> {
  const key = terminal.isInputTerminal
    ? await terminal.askHidden(`API key for ${url} (not shown): `)
    : await terminal.readLine()
  const trimmed = key?.trim() ?? ''
  if (trimmed === '') throw new CommandFailure('no key was given, and nothing was stored')
  if (!isKeyText(trimmed)) throw new CommandFailure('that is not a key as it was issued: it has spaces in it')
  return trimmed
}

/** What would be used in place of what was stored. */
function overruled({ environment }: UserDeps, url: string): string[] {
  const isOtherUrl = environment.url !== null && normalUrl(environment.url) !== url
  return [...(environment.apiKey === null ? [] : ['FAIRWAY_API_KEY']), ...(isOtherUrl ? ['FAIRWAY_URL'] : [])]
}

/** What the key may do, without the key. */
function mayJson(settings: OrganisationSettings) {
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

/** Whoever answers otherwise has not checked the key. */
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
  may: ReturnType<typeof mayJson>,
): string[] {
  const { organisation, key_id: id, type, environment, scopes, corridors, expires_at: ends } = may
  return [
    `Stored in ${screen.cell(path)}, which only you may read.`,
    '',
    ...screen.facts([
      ['Address', url],
      ['Key', `${id} of ${organisation}: ${type}, ${environment}`],
      ['May', scopes.join(', ')],
      ['Corridors', corridors.join(', ')],
      ['Ends', ends === null ? 'never' : timeText(ends)],
    ]),
    '',
    `Try it: ${screen.paint('bold', 'fairway verify GB-NG 1000 --currency GBP')}`,
  ]
}

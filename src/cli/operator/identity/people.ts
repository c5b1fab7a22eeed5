/** `fairway people`: invites people, lists them, changes roles, ends sessions and removes. For operators. */

import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { actsBy } from '../../../app/operate/acts.ts'
import {
  createPeople,
  type ChangeOutcome,
  type Invited,
  type InviteOutcome,
  type People,
} from '../../../app/people/people.ts'
import { personView, standingOf } from '../../../app/people/view.ts'
import type { ListedPerson } from '../../../app/ports/identity/people.ts'
import type { Store } from '../../../app/ports/store.ts'
import { isEmail } from '../../../core/identity/access.ts'
import { knownRoles, roles, type Role } from '../../../core/identity/roles.ts'
import { iso } from '../../../core/time/durations.ts'
import { parseList } from '../../arguments.ts'
import { CommandFailure, plain, storeWork, type CliDeps, type WithStore } from '../../deps.ts'
import { table } from '../../table.ts'

export function registerPeople(program: Command, deps: CliDeps): void {
  const people = program
    .command('people')
    .description('Invite people to the console, and manage them')
    .addHelpText(
      'after',
      '\nExample:\n  fairway people invite ada@example.com --role reviewer --for-owner own_0123456789abcdef',
    )
  const withStore = storeWork(deps)
  registerInvite(people, deps, storeWork(deps, { mayCreate: true }))
  registerList(people, deps, withStore)
  registerRole(people, deps, withStore)
  registerEndSessions(people, deps, withStore)
  registerRemove(people, deps, withStore)
  registerRestore(people, deps, withStore)
}

const casesOf = ({ clock, random, operator }: CliDeps, store: Store): People =>
  createPeople({ ...store, clock, random, describe: actsBy(operator(), { clock, random }) })

interface InviteOptions {
  readonly role?: readonly Role[]
  readonly forOwner?: string
  readonly reset?: true
  readonly json?: true
  readonly quiet?: true
}

function registerInvite(people: Command, deps: CliDeps, withStore: WithStore): void {
  people
    .command('invite <email>')
    .description('Invite a person; prints a link that works once')
    .option('--role <role>', `One or more of ${roles.join(', ')}; comma-separated`, parseRoles)
    .option('--for-owner <owner-id>', 'Owner of the person, from keys list --json; an admin may have none')
    .option('--reset', 'Print a new link for a known person; ends password and sessions')
    .option('--json', 'Print one JSON value')
    .option('--quiet', 'Print the link alone')
    .addHelpText(
      'after',
      '\nExample:\n  fairway people invite ada@example.com --role reviewer --for-owner own_0123456789abcdef',
    )
    .action((email: string, options: InviteOptions) =>
      withStore(async (store) => {
        if (options.reset && (options.role !== undefined || options.forOwner !== undefined))
          throw new CommandFailure('--reset keeps roles and owner: change roles with fairway people role')
        const cases = casesOf(deps, store)
        const invited = options.reset ? await reset(cases, email) : await invite(cases, email, options)
        const link = linkOf(deps, invited)
        if (options.quiet) return link.url
        return options.json ? JSON.stringify(invitedJson(invited, link.url)) : invitedText(invited, link)
      }),
    )
}

async function invite(cases: People, email: string, { role, forOwner }: InviteOptions): Promise<Invited> {
  if (!isEmail(email)) throw new CommandFailure(`${JSON.stringify(email)} is not an email address`)
  if (role === undefined) throw new CommandFailure(`name the role: --role ${roles.join('|')}`)
  const outcome = await cases.invite({ email, roles: role, ownerId: forOwner ?? null })
  if (outcome.kind !== 'invited') throw new CommandFailure(inviteFaults[outcome.kind])
  return outcome
}

const inviteFaults: Readonly<Record<Exclude<InviteOutcome['kind'], 'invited'>, string>> = {
  exists: 'this email address has an account already: --reset prints a new link for it',
  at_provider:
    'somebody with this email address signs in at the identity provider: a second account would be a second principal',
  unknown_owner: 'there is no such owner: fairway keys list --json shows every owner_id',
  owner_needed: 'name the owner: --for-owner OWNER_ID; only an admin of the installation has none',
}

async function reset(cases: People, email: string): Promise<Invited> {
  const person = await one(cases, email)
  const invited = await cases.reset(person.personId)
  if (invited === null) throw new CommandFailure(`${email} signs in at the identity provider, or was removed`)
  return invited
}

/** A person by id or email address. */
async function one(cases: People, nameOrId: string): Promise<ListedPerson> {
  const [person, ...others] = await cases.find(nameOrId)
  if (person === undefined)
    throw new CommandFailure(`unknown person ${JSON.stringify(nameOrId)}: run fairway people list`)
  if (others.length === 0) return person
  const ids = [person, ...others].map(({ personId }) => personId)
  throw new CommandFailure(`several people have this email address; give one of their ids: ${ids.join(', ')}`)
}

interface Link {
  readonly url: string
  /** Whether the address is the one that people use. */
  readonly isPublic: boolean
}

/** The token is behind a #, so that it reaches no log on its way. */
function linkOf(deps: CliDeps, { token }: Invited): Link {
  const { publicUrl, port } = deps.config()
  const origin = publicUrl ?? `http://localhost:${port}`
  return { url: `${origin}/invitation#${token}`, isPublic: publicUrl !== null }
}

function invitedText({ person, expiresAtMs }: Invited, { url, isPublic }: Link): string {
  return [
    `Link     ${url}`,
    `Person   ${plain(person.email)} (${person.personId})`,
    `Roles    ${person.roles.join(', ')}`,
    `Owner    ${person.ownerId ?? 'all: serves the installation'}`,
    `Expires  ${iso(expiresAtMs)}`,
    'Hand the link over by a way that you trust: it works once, and is not shown again.',
    ...(isPublic ? [] : ['The link works on this machine. Set FAIRWAY_PUBLIC_URL for people on others.']),
  ].join('\n')
}

function invitedJson({ person, expiresAtMs }: Invited, url: string) {
  return {
    person_id: person.personId,
    email: person.email,
    roles: person.roles,
    owner_id: person.ownerId,
    link: url,
    expires_at: iso(expiresAtMs),
  }
}

function registerList(people: Command, deps: CliDeps, withStore: WithStore): void {
  people
    .command('list')
    .description('List people with roles, owner, sessions and last sign-in')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway people list')
    .action((options: { json?: true }) =>
      withStore(async (store) => {
        const listed = await casesOf(deps, store).list()
        if (options.json) return JSON.stringify(listed.map(personView))
        if (listed.length === 0)
          return 'No people yet: fairway people invite EMAIL --role ROLE --for-owner OWNER_ID'
        return table(columns, listed.map(rowOf)).join('\n')
      }),
    )
}

const columns = [
  { title: 'PERSON', fixed: true },
  'EMAIL',
  'NAME',
  'ROLES',
  { title: 'OWNER', fixed: true },
  'STATUS',
  { title: 'SESSIONS', align: 'right' },
  'LAST SIGN-IN',
] as const

const rowOf = (person: ListedPerson): string[] => [
  person.personId,
  person.email,
  person.name,
  person.roles.join(', '),
  person.ownerId ?? 'all',
  standingOf(person),
  String(person.sessions),
  iso(person.lastSignInAtMs) ?? 'never',
]

const changeFaults: Readonly<Record<Exclude<ChangeOutcome, 'changed'>, string>> = {
  not_admin: 'you are no longer an admin',
  unknown: 'this person was removed: fairway people restore brings a person back',
  at_provider: 'the identity provider gives this person the roles: change them there',
  owner_needed: 'only an admin has no owner: remove the person and invite again with --for-owner',
}

function registerRole(people: Command, deps: CliDeps, withStore: WithStore): void {
  people
    .command('role')
    .argument('<email-or-id>')
    .argument('<role>', `One or more of ${roles.join(', ')}; comma-separated`, parseRoles)
    .description('Replace the roles of a person; takes effect at once')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway people role ada@example.com reviewer,policy_author')
    .action((nameOrId: string, wanted: Role[], options: { json?: true }) =>
      withStore(async (store) => {
        const cases = casesOf(deps, store)
        const person = await one(cases, nameOrId)
        const outcome = await cases.setRoles(person, wanted)
        if (outcome !== 'changed') throw new CommandFailure(changeFaults[outcome])
        if (options.json) return JSON.stringify({ person_id: person.personId, roles: wanted })
        return `${plain(person.email)} has the roles ${wanted.join(', ')}.`
      }),
    )
}

function registerEndSessions(people: Command, deps: CliDeps, withStore: WithStore): void {
  people
    .command('end-sessions <email-or-id>')
    .description('End all sessions of a person at once')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway people end-sessions ada@example.com')
    .action((nameOrId: string, options: { json?: true }) =>
      withStore(async (store) => {
        const cases = casesOf(deps, store)
        const { personId, email } = await one(cases, nameOrId)
        const ended = await cases.endSessions(personId)
        if (options.json) return JSON.stringify({ person_id: personId, ended })
        return `Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${plain(email)}.`
      }),
    )
}

function registerRemove(people: Command, deps: CliDeps, withStore: WithStore): void {
  people
    .command('remove <email-or-id>')
    .description('Remove a person; ends sessions, password and invitations')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway people remove ada@example.com')
    .action((nameOrId: string, options: { json?: true }) =>
      withStore(async (store) => {
        const cases = casesOf(deps, store)
        const { personId, email } = await one(cases, nameOrId)
        if (!(await cases.remove(personId))) throw new CommandFailure(`${personId} was removed before`)
        if (options.json) return JSON.stringify({ person_id: personId })
        return `Removed ${plain(email)}. What they did stays recorded.`
      }),
    )
}

function registerRestore(people: Command, deps: CliDeps, withStore: WithStore): void {
  people
    .command('restore <person-id>')
    .description('Bring a removed person back, with owner and roles')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway people restore prs_0123456789abcdef')
    .action((id: string, options: { json?: true }) =>
      withStore(async (store) => {
        const cases = casesOf(deps, store)
        const { personId, email, account } = await one(cases, id)
        if (!(await cases.restore(personId)))
          throw new CommandFailure(
            `${personId} is not removed, or the email address has another account by now`,
          )
        if (options.json) return JSON.stringify({ person_id: personId })
        const next = account === null ? ' A link for a new password: fairway people invite EMAIL --reset' : ''
        return `Restored ${plain(email)}.${next}`
      }),
    )
}

function parseRoles(text: string): Role[] {
  const names = parseList(text)
  if (names.some((name) => !roles.some((role) => role === name)))
    throw new InvalidArgumentError(`Expected one or more of ${roles.join(', ')}.`)
  return knownRoles(names)
}

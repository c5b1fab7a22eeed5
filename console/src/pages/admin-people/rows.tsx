/** The rows of the list of people, and the details of one. */

import type { AdminPerson } from '@fairway/client'
import { roleLabels, roleList } from '../../people/roles.ts'
import { Pairs } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { RoleList } from '../../people/role-list.tsx'
import { RowMenu, type RowAction } from '../../ui/row-menu.tsx'
import type { StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { ageOf, Ago, Time } from '../../ui/time.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'

export const standings: Readonly<
  Record<AdminPerson['status'], { readonly label: string; readonly tone?: Tone; readonly meaning: string }>
> = {
  local: { label: 'Local account', tone: 'go', meaning: 'Signs in here with a password.' },
  provider: { label: 'Identity provider', tone: 'go', meaning: 'Signs in at the identity provider.' },
  invited: { label: 'Invited', tone: 'info', meaning: 'Has not accepted the invitation yet.' },
  removed: { label: 'Removed', meaning: 'Cannot sign in. What the person did stays recorded.' },
}

export type PersonAct = 'roles' | 'reset' | 'sessions' | 'remove' | 'restore'

interface RowActs {
  /** Nobody changes their own roles or removes themselves. */
  readonly callerId: string | null
  readonly isOpen: (person: AdminPerson) => boolean
  readonly onDetails: (person: AdminPerson) => void
  readonly onAct: (kind: PersonAct, person: AdminPerson) => void
}

function actionsOn(person: AdminPerson, { callerId, onAct }: RowActs): readonly RowAction[] {
  const { status, person_id: id, sessions } = person
  const isSelf = id === callerId
  const act = (kind: PersonAct, name: string, danger = false): RowAction => ({
    name,
    danger,
    onSelect: () => onAct(kind, person),
  })
  if (status === 'removed') return [act('restore', 'Restore…')]
  return [
    ...(isSelf || status === 'provider' ? [] : [act('roles', 'Change roles…')]),
    ...(status === 'provider' ? [] : [act('reset', 'New link…')]),
    ...(sessions > 0 ? [act('sessions', 'End sessions…')] : []),
    ...(isSelf ? [] : [act('remove', 'Remove…', true)]),
  ]
}

/** A person who has not joined has only an address. */
const nameOf = ({ name, email, person_id: id }: AdminPerson): string =>
  name === '' ? (email === '' ? id : email) : name

function Name({ of: person, acts }: { readonly of: AdminPerson; readonly acts: RowActs }) {
  return (
    <>
      <button
        {...rowLink}
        type="button"
        className="link-button"
        title={nameOf(person)}
        aria-expanded={acts.isOpen(person)}
        onClick={() => acts.onDetails(person)}
      >
        {nameOf(person)}
      </button>
      {person.person_id === acts.callerId && ' '}
      {person.person_id === acts.callerId && <Chip>You</Chip>}
    </>
  )
}

function Standing({ of }: { readonly of: AdminPerson['status'] }) {
  const { label, tone } = standings[of]
  return <Chip {...(tone !== undefined && { tone })}>{label}</Chip>
}

/** The first role and the number of others, all of which the title has. */
function Roles({ of: roles }: { readonly of: AdminPerson['roles'] }) {
  const [first = null, ...more] = roles
  return (
    <span className="nowrap" title={roleList(roles)}>
      {first !== null && roleLabels[first]}
      {more.length > 0 && <span className="list-more"> +{more.length}</span>}
    </span>
  )
}

export function columnsAt(
  nowMs: number,
  owners: ReadonlyMap<string, string>,
  acts: RowActs,
): readonly StackColumn<AdminPerson>[] {
  return [
    { name: 'Name', fluid: 2, sort: nameOf, cell: (person) => <Name of={person} acts={acts} /> },
    {
      name: 'Email',
      place: 'plain',
      fluid: 2,
      sort: ({ email }) => email,
      cell: ({ email, name }) => (email === name ? '' : email),
    },
    {
      name: 'Roles',
      place: 'plain',
      sort: ({ roles }) => roleList(roles),
      cell: ({ roles }) => <Roles of={roles} />,
    },
    {
      name: 'Owner',
      fluid: 1,
      sort: ({ owner_id: id }) => (id === null ? '' : (owners.get(id) ?? id)),
      cell: ({ owner_id: id }) =>
        id === null ? <strong>Installation</strong> : <span title={id}>{owners.get(id) ?? id}</span>,
    },
    {
      name: 'Status',
      place: 'plain',
      sort: ({ status }) => standings[status].label,
      cell: ({ status }) => <Standing of={status} />,
    },
    { name: 'Sessions', number: true, sort: ({ sessions }) => sessions, cell: ({ sessions }) => sessions },
    {
      name: 'Last sign-in',
      number: true,
      sort: ({ last_sign_in_at: at }) => ageOf(at),
      cell: ({ last_sign_in_at: at }) => <Ago at={at} nowMs={nowMs} />,
    },
    {
      name: 'Actions',
      place: 'corner',
      isHidden: true,
      cell: (person) => (
        <RowMenu
          of={nameOf(person)}
          actions={[
            ...actionsOn(person, acts),
            { name: 'Activity', href: `/admin/activity?by=${person.person_id}` },
          ]}
        />
      ),
    },
  ]
}

export function PersonDetails({ of: person }: { readonly of: AdminPerson }) {
  const { person_id: id, issuer, removed_at: removedAt, owner_id: ownerId } = person
  return (
    <div className="details-of-row">
      <Pairs
        of={[
          ['Status', standings[person.status].meaning],
          ['Roles', <RoleList key="roles" of={person.roles} />],
          ...(ownerId === null ? [] : [['Owner id', <code key="owner">{ownerId}</code>] as const]),
          ...(issuer === null ? [] : [['Identity provider', issuer] as const]),
          ['Invited', <Time key="created" at={person.created_at} />],
          ...(removedAt === null ? [] : [['Removed', <Time key="removed" at={removedAt} />] as const]),
          [
            'Person id',
            <span key="id" className="row">
              <code>{id}</code>
              <CopyButton text={id} />
            </span>,
          ],
        ]}
      />
    </div>
  )
}

/** The rows of the list of keys, and the details of one. */

import type { AdminKey } from '@fairway/client'
import { Link } from 'wouter'
import { scopeMeanings } from '../../people/roles.ts'
import { Pairs } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RowMenu, type RowAction } from '../../ui/row-menu.tsx'
import type { StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { ageOf, Ago, Time } from '../../ui/time.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { limitText, scopeCount } from '../../admin/key-terms.tsx'

const types: Readonly<Record<AdminKey['type'], string>> = { test: 'Test', live: 'Live', sandbox: 'Sandbox' }

const statuses: Readonly<Record<AdminKey['status'], readonly [Tone | undefined, string]>> = {
  active: ['go', 'Active'],
  expired: [undefined, 'Expired'],
  revoked: ['nogo', 'Revoked'],
}

function Status({ of: { status, expires_soon: isSoon } }: { readonly of: AdminKey }) {
  if (isSoon) {
    return (
      <Chip tone="degraded">
        <Icon name="clock" size={15} />
        Expires soon
      </Chip>
    )
  }
  const [tone, label] = statuses[status]
  return <Chip {...(tone !== undefined && { tone })}>{label}</Chip>
}

interface RowActs {
  readonly isOpen: (key: AdminKey) => boolean
  readonly onDetails: (key: AdminKey) => void
  readonly onAct: (kind: 'rotate' | 'revoke', key: AdminKey) => void
}

function Menu({ of: key, acts }: { readonly of: AdminKey; readonly acts: RowActs }) {
  const { key_id: id, owner, status } = key
  const changes: readonly RowAction[] = [
    { name: 'Rotate…', onSelect: () => acts.onAct('rotate', key) },
    { name: 'Revoke…', onSelect: () => acts.onAct('revoke', key), danger: true },
  ]
  return (
    <RowMenu
      of={`the key ${id} of ${owner}`}
      actions={[
        { name: acts.isOpen(key) ? 'Hide details' : 'Details', onSelect: () => acts.onDetails(key) },
        ...(status === 'active' ? changes : []),
        { name: 'Activity', href: `/admin/activity?subject=${id}` },
      ]}
    />
  )
}

export function columnsAt(nowMs: number, acts: RowActs): readonly StackColumn<AdminKey>[] {
  return [
    {
      name: 'Owner',
      fluid: 1,
      sort: ({ owner }) => owner,
      cell: (key) => (
        <button
          {...rowLink}
          type="button"
          className="link-button"
          aria-expanded={acts.isOpen(key)}
          onClick={() => acts.onDetails(key)}
        >
          {key.owner}
        </button>
      ),
    },
    { name: 'Type', place: 'plain', sort: ({ type }) => type, cell: ({ type }) => types[type] },
    {
      name: 'Status',
      place: 'plain',
      sort: ({ status, expires_soon: isSoon }) => (isSoon ? '' : status),
      cell: (key) => <Status of={key} />,
    },
    { name: 'Scopes', sort: ({ scopes }) => scopes.length, cell: ({ scopes }) => scopeCount(scopes) },
    {
      name: 'Limit',
      number: true,
      cell: ({ limit_verify: limit }) =>
        limit === null ? <span className="soft">service</span> : limitText(limit),
    },
    {
      name: 'Last use',
      number: true,
      sort: ({ last_used_at: at }) => ageOf(at),
      cell: ({ last_used_at: at }) => <Ago at={at} nowMs={nowMs} />,
    },
    {
      name: 'Created',
      number: true,
      sort: ({ created_at: at }) => ageOf(at),
      cell: ({ created_at: at }) => <Ago at={at} nowMs={nowMs} />,
    },
    {
      name: 'Expires',
      number: true,
      sort: ({ expires_at: at }) => (at === null ? null : Date.parse(at)),
      cell: ({ expires_at: at }) => <Ago at={at} nowMs={nowMs} />,
    },
    { name: 'Id', place: 'plain', cell: ({ key_id: id }) => <code className="small soft">{id}</code> },
    { name: 'Actions', place: 'corner', isHidden: true, cell: (key) => <Menu of={key} acts={acts} /> },
  ]
}

export function KeyDetails({ of: key }: { readonly of: AdminKey }) {
  const { key_id: id, owner_id: ownerId, principal_id: principal, scopes, limit_verify: limit } = key
  return (
    <div className="details-of-row">
      <Pairs
        of={[
          [
            'Scopes',
            scopes.length === 0 ? (
              'All that the type may have.'
            ) : (
              <ul key="scopes">
                {scopes.map((scope) => (
                  <li key={scope}>
                    {scopeMeanings[scope]} <code className="small soft">{scope}</code>
                  </li>
                ))}
              </ul>
            ),
          ],
          ['Limit on verify', limit === null ? 'That of the service.' : limitText(limit)],
          ['Created', <Time key="created" at={key.created_at} />],
          ['Last use', key.last_used_at === null ? 'never' : <Time key="used" at={key.last_used_at} />],
          ['Expires', key.expires_at === null ? 'never' : <Time key="expires" at={key.expires_at} />],
          ...(key.revoked_at === null
            ? []
            : [['Revoked', <Time key="revoked" at={key.revoked_at} />] as const]),
          [
            'Acts as',
            principal.startsWith('prs_') ? (
              <Link key="as" href={`/admin/people?q=${principal}`}>
                {principal}
              </Link>
            ) : (
              <code key="as">{principal}</code>
            ),
          ],
          ['Owner id', <code key="owner">{ownerId}</code>],
          [
            'Key id',
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

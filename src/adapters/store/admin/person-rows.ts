/** Rows of people, and of what names the principal who did it. */

import type { Person } from '../../../app/ports/identity/people.ts'
import type { Role } from '../../../core/identity/roles.ts'
import type { Attributed } from '../../../app/ports/records.ts'
import type { Row } from '../engine/script.ts'

export const personNames = [
  'person_id',
  'owner_id',
  'email',
  'name',
  'roles',
  'issuer',
  'subject',
  'created_at_ms',
  'changed_at_ms',
  'removed_at_ms',
] as const

/** For a read as `p`, prefixed because column names repeat. */
export const personColumns = personNames.map((name) => `p.${name} AS p_${name}`).join(', ')

export function personOf(row: Row): Person {
  const text = (name: (typeof personNames)[number]): string | null => {
    const value = row[`p_${name}`]
    return value === null || value === undefined ? null : String(value)
  }
  const issuer = text('issuer')
  const removedAtMs = text('removed_at_ms')
  return {
    personId: text('person_id') ?? '',
    ownerId: text('owner_id'),
    email: text('email') ?? '',
    name: text('name') ?? '',
    roles: (text('roles') ?? '').split(' ').filter(Boolean) as Role[],
    account: issuer === null ? null : { issuer, subject: text('subject') ?? '' },
    createdAtMs: Number(text('created_at_ms')),
    changedAtMs: Number(text('changed_at_ms')),
    removedAtMs: removedAtMs === null ? null : Number(removedAtMs),
  }
}

/** The name of the person or, for a key, of its owner. */
export const actorNameSql = (table: string): string =>
  `COALESCE((SELECT p.name FROM people p WHERE p.person_id = ${table}.person_id),
    (SELECT k.owner_label FROM api_keys k WHERE k.key_id = ${table}.key_id), '')`

/** Reads the columns of a table that were prefixed with its name. */
export function attributedOf(row: Row, table: string): Attributed {
  const text = (name: string): string | null => {
    const value = row[`${table}_${name}`]
    return value === null || value === undefined ? null : String(value)
  }
  return {
    keyId: text('key_id') ?? '',
    personId: text('person_id'),
    principalId: text('principal_id'),
    actorName: text('actor_name') ?? '',
  }
}

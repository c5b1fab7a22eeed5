/** Rows of people, and of what names the principal who did it. */

import type { Person } from '../../../app/ports/identity/people.ts'
import type { Role } from '../../../core/identity/roles.ts'
import type { Attributed } from '../../../app/ports/records.ts'
import { query, type Row, type Script } from '../engine/script.ts'

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

/**
 * Every change takes the person's row first, so that none waits for another in a circle. Returns the hash of the
 * password, empty without one; null for a person who is removed.
 */
export function* lockPerson(personId: string): Script<string | null> {
  const [row] = yield* query(
    'SELECT password_hash FROM people WHERE person_id = $1 AND removed_at_ms IS NULL FOR UPDATE',
    [personId],
  )
  if (row === undefined) return null
  return row['password_hash'] === null ? '' : String(row['password_hash'])
}

/** The name of the person or, for a key, of its owner; of the columns that begin with the prefix. */
export const actorNameSql = (table: string, prefix = ''): string =>
  `COALESCE((SELECT p.name FROM people p WHERE p.person_id = ${table}.${prefix}person_id),
    (SELECT k.owner_label FROM api_keys k WHERE k.key_id = ${table}.${prefix}key_id), '')`

/** Reads the columns of a table that were prefixed with its name, and their own prefix. */
export function attributedOf(row: Row, table: string, prefix = ''): Attributed {
  const text = (name: string): string | null => {
    const value = row[`${table}_${prefix}${name}`]
    return value === null || value === undefined ? null : String(value)
  }
  return {
    keyId: text('key_id') ?? '',
    personId: text('person_id'),
    principalId: text('principal_id'),
    actorName: text('actor_name') ?? '',
  }
}

/** Roles: what each may do, written down a second time. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes, type Scope } from '../../../src/core/identity/api-key.ts'
import { allowsRole, knownRoles, roles, roleSummaries, type Role } from '../../../src/core/identity/roles.ts'
import { check } from '../../helpers/check.ts'

const reads = ['decision:read', 'audit:read', 'policy:read', 'review:read']

const expected: Readonly<Record<Role, readonly string[]>> = {
  viewer: reads,
  reviewer: [...reads, 'outcome:write', 'review:write'],
  approver: [...reads, 'outcome:write', 'review:write', 'review:approve', 'policy:approve'],
  policy_author: [...reads, 'policy:write'],
  admin: [...reads, 'webhook:manage'],
}

const allowed = (held: readonly Role[]): Set<Scope> =>
  new Set(scopes.filter((scope) => allowsRole(held, scope)))

test('each role has exactly the scopes of the table', () => {
  assert.deepEqual([...roles].toSorted(), Object.keys(expected).toSorted())
  for (const role of roles) assert.deepEqual(allowed([role]), new Set(expected[role]), role)
})

test('several roles have the scopes of each, and no role has none', () => {
  assert.deepEqual(allowed([]), new Set())
  for (const one of roles)
    for (const other of roles)
      assert.deepEqual(allowed([one, other]), new Set([...expected[one], ...expected[other]]))
})

test('no role alone both writes policies and approves them', () => {
  for (const role of roles)
    assert.ok(!(allowsRole([role], 'policy:write') && allowsRole([role], 'policy:approve')), role)
})

test('every scope but a direct override is held by some role, and every role says what it may do', () => {
  assert.deepEqual(allowed(roles), new Set(scopes.filter((scope) => scope !== 'override:create')))
  for (const role of roles) assert.match(roleSummaries[role], /^[A-Z].+\.$/)
})

test('of any names those of roles are kept, each once, in the order of the table', () => {
  check<unknown[], Role[]>(
    [
      [[], []],
      [['viewer'], ['viewer']],
      [
        ['admin', 'viewer', 'admin'],
        ['viewer', 'admin'],
      ],
      [['Viewer', 'ADMIN', ' admin', 'owner', 'constructor', '__proto__', ''], []],
      [[null, 7, { admin: true }, ['admin'], undefined, 'approver'], ['approver']],
    ],
    knownRoles,
  )
})

/** People: passwords that are refused, the address to return to, claims by name and path, and how long things last. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  claimOf,
  invitationMs,
  passwordFault,
  returnPath,
  sessionMs,
  signInMs,
} from '../../../src/core/identity/person.ts'
import { check } from '../../helpers/check.ts'

test('a session lasts 12 hours, an invitation 3 days, a sign-in at the provider 10 minutes', () => {
  assert.deepEqual([sessionMs, invitationMs, signInMs], [43_200_000, 259_200_000, 600_000])
})

const home = '/overview'

test('after a sign-in a path of this site is opened, and anything that could lead elsewhere is the overview', () => {
  const kept = [
    '/',
    '/verifications',
    '/verifications/req_1?tab=audit&x=%2F%2Fevil.example#top',
    '/policies/new',
    '/a//b',
    '/@evil.example',
    '/.evil.example',
    '/:80',
  ]
  const refused = [
    '',
    'overview',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ok\r\nSet-Cookie: a=b',
    '/back\\slash',
    '/ünicode',
    '/with space',
    '/\u0000',
    '/\u007f',
  ]
  check<string | undefined, string>(
    [
      [undefined, home],
      ...kept.map((path) => [path, path] as const),
      ...refused.map((path) => [path, home] as const),
    ],
    returnPath,
  )
})

test('whatever is asked for, a browser stays on the site', () => {
  const anyPath = fc.oneof(
    fc.string(),
    fc.string().map((text) => `/${text}`),
    fc.stringMatching(/^\/[/\\\t\n\r .:@a-z]{0,6}evil\.example$/),
  )
  fc.assert(
    fc.property(anyPath, (wanted) => {
      const path = returnPath(wanted)
      assert.equal(new URL(path, 'https://fairway.example').origin, 'https://fairway.example')
      assert.ok(path === wanted || path === home)
    }),
    { numRuns: 1_000 },
  )
})

test('a password has 12 to 200 characters, 5 of them different, and is not the email address', () => {
  const email = 'Ada.Lovely@example.com'
  check<string, string | null>(
    [
      ['', 'must have at least 12 characters'],
      ['abcdefghijk', 'must have at least 12 characters'],
      ['abcdefghijkl', null],
      ['x'.repeat(200), 'must have at least 5 different characters'],
      [`abcde${'x'.repeat(195)}`, null],
      [`abcde${'x'.repeat(196)}`, 'must have at most 200 characters'],
      ['abcdabcdabcd', 'must have at least 5 different characters'],
      ['abcdeabcdeab', null],
      ['            ', 'must have at least 5 different characters'],
      [email, 'must not be the email address'],
      ['ADA.LOVELY@EXAMPLE.COM', 'must not be the email address'],
      ['ada.lovely@example.com.', null],
      ['pässwörter sind lang', null],
    ],
    (password) => passwordFault(password, email),
  )
})

test('a claim is found by its name or its path, and nothing is found on a prototype', () => {
  const claims = {
    roles: ['viewer'],
    'https://fairway.example/roles': ['admin'],
    'a.b': 'by name',
    a: { b: 'by path' },
    realm_access: { roles: ['approver'], list: [{ roles: ['x'] }] },
    none: null,
  }
  check<string, unknown>(
    [
      ['roles', ['viewer']],
      ['https://fairway.example/roles', ['admin']],
      ['a.b', 'by name'],
      ['realm_access.roles', ['approver']],
      ['realm_access.roles.length', undefined],
      ['realm_access.other', undefined],
      ['none', null],
      ['none.roles', undefined],
      ['constructor', undefined],
      ['constructor.name', undefined],
      ['__proto__', undefined],
      ['realm_access.constructor', undefined],
      ['', undefined],
    ],
    (name) => claimOf(claims, name),
  )
})

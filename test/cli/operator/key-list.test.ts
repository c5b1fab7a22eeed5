/** The list of keys, at a fixed time: which end soon, which have a successor, and that nothing in it moves a terminal. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedKey } from '../../../src/app/ports/identity/keys.ts'
import { keyView } from '../../../src/app/access/views.ts'
import { keyListText } from '../../../src/cli/operator/identity/key-list.ts'
import { plain } from '../../../src/cli/deps.ts'
import { table } from '../../../src/cli/table.ts'
import { truncated } from '../../../src/cli/width.ts'
import { check } from '../../helpers/check.ts'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs

function keyOf(keyId: string, more: Partial<ListedKey> = {}): ListedKey {
  return {
    keyId,
    ownerId: `own_${keyId}`,
    principalId: keyId,
    ownerLabel: 'Payments team',
    type: 'live',
    prefix: 'svc-live-',
    scopes: [],
    verifyLimit: null,
    createdAtMs: nowMs - 10 * dayMs,
    expiresAtMs: nowMs + 80 * dayMs,
    revokedAtMs: null,
    lastUsedAtMs: null,
    ...more,
  }
}

const lineOf = (text: string, keyId: string): string =>
  text.split('\n').find((line) => line.startsWith(keyId)) ?? assert.fail(`${keyId} is not in ${text}`)

test('the table says of each key when it ends, and marks those that end within 14 days', () => {
  const rows: readonly (readonly [Partial<ListedKey>, RegExp])[] = [
    [{}, / active .* 2026-05-20 in 80 days /],
    [{ expiresAtMs: nowMs + 90 * dayMs - 5 }, / active .* in 90 days /],
    [{ expiresAtMs: nowMs + 14 * dayMs + 1 }, / active .* 2026-03-15 in 14 days /],
    [{ expiresAtMs: nowMs + 14 * dayMs }, / expires soon .* 2026-03-15 in 14 days /],
    [{ expiresAtMs: nowMs + dayMs }, / expires soon .* 2026-03-02 in 1 day /],
    [{ expiresAtMs: nowMs + 5 * hourMs }, / expires soon .* in 5 hours /],
    [{ expiresAtMs: nowMs + 1 }, / expires soon .* within the hour /],
    [{ expiresAtMs: nowMs }, / expired .* 2026-03-01 /],
    [{ expiresAtMs: null, type: 'test' }, / active .* never /],
    [{ revokedAtMs: nowMs - dayMs, expiresAtMs: nowMs + dayMs }, / revoked .* 2026-02-28$/],
    [{ lastUsedAtMs: nowMs - 1 }, / 2026-03-01T11:59:59\.999Z /],
    [{ scopes: ['audit:read', 'webhook:manage'] }, / audit:read webhook:manage /],
  ]
  for (const [more, pattern] of rows) {
    assert.match(lineOf(keyListText([keyOf('key_a', more)], nowMs), 'key_a'), pattern)
  }
})

test('below the table stand the keys that need a successor, how to make one, and those that have theirs', () => {
  const calm = keyOf('key_calm')
  assert.equal(keyListText([calm], nowMs).split('\n').length, 2, 'nothing to say, nothing said')
  const one = keyListText([calm, keyOf('key_soon', { expiresAtMs: nowMs + 3 * dayMs })], nowMs)
  assert.match(one, /\n\n1 key expires soon and must be replaced: key_soon \(in 3 days\)\n/)
  assert.match(one, /fairway keys rotate KEY_ID/)
  const replaced = keyOf('key_old', { ownerId: 'own_x', expiresAtMs: nowMs + 20 * hourMs })
  const successor = keyOf('key_new', { ownerId: 'own_x', createdAtMs: nowMs })
  const rotated = keyListText([replaced, successor], nowMs)
  assert.match(lineOf(rotated, 'key_old '), /expires soon/)
  assert.match(rotated, /\n\nkey_old expires in 20 hours: key_new replaces it\.$/)
  const both = [
    replaced,
    { ...successor, revokedAtMs: nowMs },
    keyOf('key_b', { expiresAtMs: nowMs + dayMs }),
  ]
  assert.match(keyListText(both, nowMs), /2 keys expire soon .* key_old \(in 20 hours\), key_b \(in 1 day\)/)
})

test('JSON keeps every member that it had, and adds what is new behind them', () => {
  const key = keyOf('key_a', {
    expiresAtMs: nowMs + dayMs,
    lastUsedAtMs: nowMs - 1_000,
    verifyLimit: { count: 7, windowMs: 60_000 },
  })
  assert.deepEqual(
    [keyView(key, nowMs)],
    [
      {
        key_id: 'key_a',
        type: 'live',
        owner: 'Payments team',
        owner_id: 'own_key_a',
        scopes: [],
        limit_verify: '7/60',
        status: 'active',
        created_at: '2026-02-19T12:00:00.000Z',
        expires_at: '2026-03-02T12:00:00.000Z',
        revoked_at: null,
        expires_soon: true,
        last_used_at: '2026-03-01T11:59:59.000Z',
        prefix: 'svc-live-',
        principal_id: key.principalId,
      },
    ],
  )
  const states = [
    keyOf('a'),
    keyOf('b', { expiresAtMs: nowMs }),
    keyOf('c', { revokedAtMs: nowMs, expiresAtMs: nowMs + 1 }),
  ]
  assert.deepEqual(
    states.map((state) => keyView(state, nowMs)).map(({ status, expires_soon: soon }) => [status, soon]),
    [
      ['active', false],
      ['expired', false],
      ['revoked', false],
    ],
  )
})

test('what somebody wrote is put on a terminal as plain words, and long ones are cut between characters', () => {
  check(
    [
      ['Payments team', 'Payments team'],
      ['a\u001b[2Jb', 'a [2Jb'],
      ['a\r\nb\tc', 'a b c'],
      ['a\u009bb', 'a b'],
      ['safe\u202eexe.fdp', 'safe exe.fdp'],
      ['\u2066a\u2069\u202ab\u202c', ' a b '],
      ['a\u2028b', 'a b'],
      ['a\u200bb\u200f\u061cc', 'a b c'],
      ['Ọmọ́táyọ̀ 李 👩‍💻', 'Ọmọ́táyọ̀ 李 👩‍💻'],
    ],
    plain,
  )
  assert.equal(truncated('abcdef', 6), 'abcdef')
  assert.equal(truncated('abcdefg', 6), 'abcde…')
  assert.equal(truncated('😀😀😀', 3), '😀…', 'by columns: each takes two')
  const owner = `Eve\u001b]0;owned\u0007\u202e ${'x'.repeat(80)}`
  const text = keyListText([keyOf('key_a', { ownerLabel: owner })], nowMs)
  // eslint-disable-next-line no-control-regex -- that there are none is the point
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  assert.match(text, /…/)
})

test('a table keeps its columns, whatever script its cells are in', () => {
  const lines = table(
    ['NAME', 'X'],
    [
      ['支払い', '1'],
      ['abc', '2'],
    ],
  )
  assert.deepEqual(lines, ['NAME    X', '支払い  1', 'abc     2'])
})

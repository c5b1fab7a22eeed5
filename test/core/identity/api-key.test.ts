/** API keys: what is issued is well formed, and what is mistyped is not. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  allowsScope,
  formatKey,
  isWellFormedKey,
  keyLifetimeMs,
  keyPattern,
  keyPrefixes,
  keyRandomBytes,
  keyTypeOf,
  modeOfKeyType,
  scopes,
} from '../../../src/core/identity/api-key.ts'
import { check } from '../../helpers/check.ts'

const anyPrefix = fc.constantFrom(...keyPrefixes)
const anyBytes = fc.uint8Array({ minLength: keyRandomBytes, maxLength: keyRandomBytes })
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

test('an issued key is its prefix and 38 digits, carries 160 random bits, and is well formed', () => {
  assert.equal(keyRandomBytes * 8, 160)
  fc.assert(
    fc.property(anyPrefix, anyBytes, (prefix, bytes) => {
      const key = formatKey(prefix, bytes)
      assert.ok(key.startsWith(prefix))
      assert.match(key.slice(prefix.length), /^[0-9a-hjkmnp-tv-z]{38}$/)
      assert.ok(isWellFormedKey(key))
    }),
  )
})

test('different random bits give different keys', () => {
  fc.assert(
    fc.property(anyPrefix, anyBytes, anyBytes, (prefix, one, other) => {
      const same = Buffer.from(one).equals(Buffer.from(other))
      assert.equal(formatKey(prefix, one) === formatKey(prefix, other), same)
    }),
  )
})

test('a key with any one character changed is refused', () => {
  for (const prefix of keyPrefixes) {
    const key = formatKey(
      prefix,
      Uint8Array.from({ length: keyRandomBytes }, (_, index) => index * 11),
    )
    for (let at = 0; at < key.length; at += 1) {
      for (const digit of digits) {
        const changed = `${key.slice(0, at)}${digit}${key.slice(at + 1)}`
        assert.equal(isWellFormedKey(changed), changed === key, changed)
      }
    }
  }
})

test('a key under another prefix, cut, lengthened, in capitals or with something around it is refused', () => {
  const key = formatKey('pk_test_', new Uint8Array(keyRandomBytes).fill(90))
  const bad = [
    '',
    'pk_test_',
    key.replace('pk_test_', 'pk_live_'),
    key.replace('pk_test_', 'svc-sandbox-'),
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    key.replace('pk_test_', ''),
  ]
  check(
    bad.map((text) => [text, false]),
    isWellFormedKey,
  )
})

test('a key is found wherever it stands in a text, and whole', () => {
  fc.assert(
    fc.property(anyPrefix, anyBytes, fc.string(), (prefix, bytes, before) => {
      const key = formatKey(prefix, bytes)
      assert.equal(keyPattern.exec(`${before} ${key} after`)?.[0], key)
    }),
  )
})

test('test and sandbox keys are for shadow and never expire, live keys are for live and end after 90 days', () => {
  const ninetyDaysMs = 7_776_000_000
  check(
    [
      ['pk_test_', ['test', 'shadow', null]],
      ['svc-sandbox-', ['sandbox', 'shadow', null]],
      ['pk_live_', ['live', 'live', ninetyDaysMs]],
      ['svc-live-', ['live', 'live', ninetyDaysMs]],
    ],
    (prefix: (typeof keyPrefixes)[number]) => {
      const type = keyTypeOf[prefix]
      return [type, modeOfKeyType[type], keyLifetimeMs[type]]
    },
  )
})

test('a key without scopes may do everything, one with scopes only what they name', () => {
  for (const type of ['test', 'live'] as const) {
    for (const needed of scopes) {
      assert.equal(allowsScope({ type, scopes: [] }, needed), true)
      for (const granted of scopes)
        assert.equal(allowsScope({ type, scopes: [granted] }, needed), granted === needed)
      assert.equal(allowsScope({ type, scopes }, needed), true)
    }
  }
})

test('a sandbox key never approves a policy or a review, whatever its scopes, and may do everything else', () => {
  for (const needed of ['policy:approve', 'review:approve'] as const)
    for (const granted of [[], scopes, [needed]] as const)
      assert.equal(allowsScope({ type: 'sandbox', scopes: granted }, needed), false)
  for (const needed of scopes.filter((scope) => !scope.endsWith(':approve')))
    assert.equal(allowsScope({ type: 'sandbox', scopes: [] }, needed), true)
})

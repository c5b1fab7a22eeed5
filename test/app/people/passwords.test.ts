/** Hashes of passwords: scrypt with a cost that needs 64 MiB for each guess. */

import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createPasswords } from '../../../src/app/people/passwords.ts'

/** As anyone can compute it who knows the stated cost, not with our own code. */
function scryptOf(password: string, stored: string): string {
  const [form, salt = '', key] = stored.split('.')
  assert.equal(form, 'scrypt1')
  assert.match(String(key), /^[A-Za-z0-9_-]{43}$/)
  assert.equal(Buffer.from(salt, 'base64url').length, 16)
  const cost = { N: 65_536, r: 8, p: 2, maxmem: 2 ** 27 }
  return scryptSync(password, Buffer.from(salt, 'base64url'), 32, cost).toString('base64url')
}

test('a hash is scrypt of 64 MiB in two passes, with a salt of its own, and never holds the password', async () => {
  const passwords = createPasswords(systemRandom)
  const password = 'correct horse battery'
  const [first, second] = [await passwords.hash(password), await passwords.hash(password)]
  assert.notEqual(first, second)
  for (const stored of [first, second]) {
    assert.equal(stored.split('.')[2], scryptOf(password, stored))
    assert.ok(!stored.includes(password) && !stored.includes(Buffer.from(password).toString('base64url')))
  }
})

test('the password alone is right, in whatever form its letters are composed', async () => {
  const passwords = createPasswords(systemRandom)
  const stored = await passwords.hash('pässwörter sind lang')
  assert.equal(await passwords.isRight('pässwörter sind lang'.normalize('NFD'), stored), true)
  for (const wrong of ['Pässwörter sind lang', 'pässwörter sind lang ', ''])
    assert.equal(await passwords.isRight(wrong, stored), false, wrong)
})

test('without a hash, or with one of another form, no password is right', async () => {
  const passwords = createPasswords(systemRandom)
  const empty = scryptSync('', '', 32, { N: 65_536, r: 8, p: 2, maxmem: 2 ** 27 }).toString('base64url')
  for (const stored of [null, `scrypt1..${empty}`]) {
    assert.equal(await passwords.isRight('', stored), false, String(stored))
  }
})

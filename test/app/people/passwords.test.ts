/** Hashes of passwords: scrypt with a cost that needs 64 MiB for each guess, one at a time, and few that wait. */

import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createPasswords, PasswordsBusy } from '../../../src/app/people/passwords.ts'

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

/** So many that wait, each until the test lets it go on, of these clients. */
function waitingOf(passwords: ReturnType<typeof createPasswords>, clients: readonly string[]) {
  const gate = Promise.withResolvers<void>()
  const order: number[] = []
  const turns = clients.map((client, place) =>
    passwords.inTurn(client, async () => {
      await gate.promise
      order.push(place)
    }),
  )
  return { turns, order, open: gate.resolve }
}

test('60 wait at most, 3 of one client: any further one is refused, those that wait go on in order, and then there is room', async () => {
  const passwords = createPasswords(systemRandom)
  const clients = Array.from({ length: 60 }, (_, place) => `client${place % 20}`)
  const { turns, order, open } = waitingOf(passwords, clients)
  const refused = (client: string): Promise<void> =>
    assert.rejects(
      passwords.inTurn(client, () => assert.fail('it has its turn')),
      PasswordsBusy,
    )
  await refused('another')
  await refused('client0')
  open()
  await Promise.all(turns)
  assert.deepEqual(
    order,
    clients.map((_, place) => place),
  )
  const few = waitingOf(passwords, ['one', 'one', 'one', 'two'])
  await refused('one')
  few.open()
  await Promise.all(few.turns)
  assert.equal(await passwords.inTurn('one', async () => 'room'), 'room')
})

test('work that fails gives its turn back', async () => {
  const passwords = createPasswords(systemRandom)
  for (let count = 0; count < 4; count += 1)
    await assert.rejects(
      passwords.inTurn('one', () => Promise.reject(new Error('failed'))),
      /failed/,
    )
  assert.equal(await passwords.inTurn('one', async () => 'room'), 'room')
})

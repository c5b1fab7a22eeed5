/** POST /auth/login: one answer for every wrong sign-in, and secrets neither in the store nor in the log. */

import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import {
  accept,
  cookieOf,
  goodPassword,
  invite,
  joined,
  origin,
  peopleOn,
  postFromPage,
  read,
  signIn,
  unlimited,
} from '../../helpers/people.ts'
import { post } from '../../helpers/post.ts'
import { anonymous } from '../../helpers/webhooks.ts'

const settings = unlimited

test('a wrong password, an unknown account, and one that is invited, reset or removed get one and the same 401', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const people = peopleOn(harness)
    const { email } = await joined(harness, { ownerId })
    const { person: invited } = await invite(harness, { ownerId })
    const gone = await invite(harness, { ownerId })
    await people.remove(gone.person.personId)
    const answers: Answer[] = [
      await signIn(harness, email, `${goodPassword}!`),
      await signIn(harness, 'nobody@example.com'),
      await signIn(harness, invited.email),
      await signIn(harness, gone.person.email),
      await signIn(harness, 'not an address'),
    ]
    assert.equal(new Set(answers.map(anonymous)).size, 1)
    for (const { status, body, headers } of answers) {
      assert.deepEqual(
        [status, body.code, body.message],
        [401, 'UNAUTHORIZED', 'The email address or the password is wrong.'],
      )
      assert.equal(headers['set-cookie'], undefined)
      assert.equal(headers['www-authenticate'], 'Bearer realm="fairway"')
    }
    assert.equal((await signIn(harness, email)).status, 200)
  })
})

test('a sign-in without an email address, a password or JSON is refused before anything is checked', async () => {
  await withHarness({ settings }, async (harness) => {
    for (const body of [
      {},
      { email: 'ada@example.com' },
      { password: goodPassword },
      { email: 1, password: 2 },
    ])
      assert.equal((await postFromPage(harness, '/auth/login', body)).status, 400)
    const long = { email: `${'a'.repeat(250)}@example.com`, password: goodPassword }
    assert.equal((await postFromPage(harness, '/auth/login', long)).status, 400)
    const form = { origin, 'content-type': 'application/x-www-form-urlencoded' }
    const sent = await post(harness, '/auth/login', 'email=a&password=b', { headers: form })
    assert.equal(sent.status, 415, 'a form of another site cannot even be read')
    const plain = { origin, 'content-type': 'text/plain' }
    const body = JSON.stringify({ email: 'ada@example.com', password: goodPassword })
    assert.equal((await post(harness, '/auth/login', body, { headers: plain })).status, 415)
  })
})

/** Every byte of a SQLite database, of its log and of what else lies beside it. */
function bytesOf({ databaseUrl }: Harness): Buffer {
  const folder = dirname(databaseUrl.slice('sqlite:'.length))
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
}

test('the store has a hash of 64 MiB scrypt, and neither the password nor a token of a link or a session', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person } = await invite(harness, { ownerId })
    const accepted = await accept(harness, token)
    const { value: session } = cookieOf(accepted)
    const [row] = await rowsOf(harness.databaseUrl, 'SELECT password_hash FROM people')
    const [form, salt = '', key] = String(row?.['password_hash']).split('.')
    const cost = { N: 2 ** 16, r: 8, p: 2, maxmem: 2 ** 27 }
    const expected = scryptSync(goodPassword, Buffer.from(salt, 'base64url'), 32, cost)
    assert.deepEqual([form, key], ['scrypt1', expected.toString('base64url')])
    const bytes = bytesOf(harness)
    assert.ok(bytes.includes(person.email), 'the bytes are those of the database')
    for (const secret of [goodPassword, token, session]) {
      for (const written of [
        secret,
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret, 'base64url'),
      ])
        assert.ok(!bytes.includes(written), `${secret} is in the database`)
    }
  })
})

test('no line of the log has an email address, a name, a password or a token', async () => {
  await withHarness({ settings: { ...settings, FAIRWAY_TRUST_PROXY: '1' } }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person } = await invite(harness, { ownerId, email: 'ada.secret@example.com' })
    const name = 'Ada Lovely'
    await accept(harness, token, { name, password: 'too short' })
    const accepted = await accept(harness, token, { name })
    await accept(harness, token, { name })
    const { value: session } = cookieOf(accepted)
    const headers = { cookie: `fairway-session=${session}`, origin }
    await signIn(harness, person.email, 'wrong but long enough')
    await signIn(harness, 'other.secret@example.com', 'wrong but long enough')
    await postFromPage(harness, '/auth/login', { email: person.email, password: ['wrong but long enough'] })
    await post(harness, '/auth/login', `{"email":"${person.email}`, { headers: { origin } })
    await post(harness, '/auth/login', { email: person.email, password: goodPassword })
    await read(harness, { headers }, '/api/v1/me')
    await read(harness, { headers }, '/api/v1/webhooks')
    await read(harness, { headers: { cookie: `fairway-session=${session}x` } }, '/api/v1/me')
    await harness.send({ method: 'POST', url: '/auth/logout', headers })
    const lines = harness.log.join('')
    assert.ok(harness.log.length >= 10, 'every request was logged')
    assert.match(lines, new RegExp(`"person_id":"${person.personId}"`), 'by id alone')
    for (const secret of ['secret@', name, goodPassword, 'too short', 'wrong but long', token, session])
      assert.ok(!lines.includes(secret), secret)
  })
})

test('many sign-ins of one address at once: those beyond the 3 that wait get 503 and lose nothing, and others are served', async () => {
  await withHarness({ settings: { ...settings, FAIRWAY_TRUST_PROXY: '1' } }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { email } = await joined(harness, { ownerId })
    const { token } = await invite(harness, { ownerId })
    const elsewhere = { headers: { 'x-forwarded-for': '198.51.100.7' } }
    const first = Array.from({ length: 12 }, () => signIn(harness, email, 'wrong but long enough'))
    const late = Promise.race(first).then(() => accept(harness, token))
    const other = signIn(harness, email, goodPassword, elsewhere)
    const answers = await Promise.all(first)
    const statuses = Map.groupBy(answers, ({ status }) => status)
    const refused = statuses.get(503) ?? []
    assert.equal(refused.length + (statuses.get(401)?.length ?? 0), first.length)
    assert.ok(refused.length > 0 && refused.length <= 9, `${refused.length} refused`)
    for (const { body, headers } of refused)
      assert.deepEqual(
        [body.code, headers['retry-after'], headers['set-cookie']],
        ['OVERLOADED', '5', undefined],
      )
    assert.equal((await other).status, 200)
    const accepted = await late
    if (accepted.status === 503) assert.equal((await accept(harness, token)).status, 200, 'the link is kept')
    else assert.equal(accepted.status, 200)
    const counted = first.length - refused.length
    assert.ok(counted < 10)
    assert.equal((await signIn(harness, email)).status, 200, 'those that found no room did not count')
  })
})

/** `fairway doctor` where something is wrong: each check finds its fault, says what to do, and repeats no secret. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../../../src/adapters/store/open.ts'
import { systemClock, systemRandom as random } from '../../../src/adapters/system.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { actsBy } from '../../../src/app/operate/acts.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf, unguarded } from '../../helpers/database/sql.ts'
import { examine, fileOf, servedDatabase, type Examined } from '../../helpers/doctor.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'
import { withCaptchaService } from '../../helpers/peers/captcha.ts'
import { calm, feedsAt, nobody, openTestProvider, providerBody, text } from '../../helpers/peers/provider.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'

const keys = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'))
const [key = '', otherKey = ''] = keys
const minuteMs = 60_000

test('settings: every fault is shown without secrets, and a check that needs a faulty setting is left out', async () => {
  const {
    code,
    of,
    only,
    text: printed,
  } = await examine({
    DATABASE_URL: 'mysql://fairway:hunter2@db.example/fairway',
    FAIRWAY_WORKERS: '4',
    FAIRWAY_COOLDOWN_S: 'soon',
    PORT: '99999',
    FAIRWAY_RECAPTCHA_MIN_SCORE: '7',
  })
  assert.equal(code, 20)
  assert.deepEqual(
    of('settings').map(({ state, found }) => [state, found.split(' ')[0]]),
    ['DATABASE_URL', 'PORT', 'FAIRWAY_COOLDOWN_S', 'FAIRWAY_RECAPTCHA_MIN_SCORE'].map((name) => [
      'fault',
      name,
    ]),
  )
  assert.equal(only('database').found, 'Not checked: DATABASE_URL cannot be read')
  assert.equal(only('port').found, 'Not checked: PORT cannot be read')
  assert.equal(only('captcha').found, 'Not checked: FAIRWAY_RECAPTCHA cannot be read')
  assert.equal(only('feeds').state, 'note', 'nothing is wrong with what it reads')
  assert.ok(!printed.includes('hunter2'))

  const incomplete = await examine({ FAIRWAY_OIDC_ISSUER: 'https://id.example.com' })
  assert.equal(incomplete.code, 20)
  assert.match(incomplete.only('settings').found, /^FAIRWAY_OIDC_CLIENT_ID must be /)
  assert.equal(incomplete.only('feeds').found, 'Not checked: the settings cannot be read')
})

test('settings: a misspelt one is a fault that names the right one, another name a warning', async () => {
  const { code, of } = await examine({
    FAIRWAY_OVERRIDE_REQUIRE_REVIEW: 'true',
    FAIRWAY_PORT_8080_TCP_ADDR: '10.0.0.1',
    FAIRWAY_WEBHOOK_SECRET: 'of an example',
  })
  assert.equal(code, 20)
  assert.deepEqual(
    of('settings').map(({ state, found }) => [state, found.slice(0, 56)]),
    [
      ['fault', 'FAIRWAY_OVERRIDE_REQUIRE_REVIEW is not a setting: correc'],
      ['warning', 'FAIRWAY_PORT_8080_TCP_ADDR is not a setting, and is igno'],
    ],
  )
})

test('files: a folder of DATABASE_URL that is missing is a warning: the start does not make it', () =>
  withFolder(async (folder) => {
    const { code, of } = await examine({ DATABASE_URL: `sqlite:${join(folder, 'typo', 'fairway.db')}` })
    assert.equal(code, 10)
    assert.deepEqual(
      of('files').map(({ state, found }) => [state, found]),
      [['warning', `There is no folder ${join(folder, 'typo')}, and a start does not make it`]],
    )
  }))

test('port: another program, an address of another machine, and none at all', async () => {
  const other = createServer((_request, response) => void response.writeHead(404).end('{}'))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await withFolder(async (folder) => {
    const database = { DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}` }
    const taken = await examine({ ...database, PORT: String(port) })
    assert.equal(taken.code, 20)
    assert.match(taken.only('port').found, new RegExp(`^Another program holds 127\\.0\\.0\\.1:${port}`))
    const elsewhere = await examine({ ...database, HOST: '203.0.113.1' })
    assert.equal(elsewhere.only('port').state, 'fault')
    assert.match(elsewhere.only('port').found, /cannot be opened \(EADDRNOTAVAIL\)/)
    const anyPort = await examine({ ...database, PORT: '0' })
    assert.equal(anyPort.only('port').state, 'note')
  })
  other.close()
})

test('files: what holds secrets is for its owner alone, and a folder is no file', async () => {
  const database = await servedDatabase('sqlite')
  const file = fileOf(database)
  chmodSync(file, 0o644)
  const open = await examine({ DATABASE_URL: database.url })
  assert.equal(open.code, 10)
  assert.deepEqual(
    [open.only('files').state, open.only('files').action],
    ['warning', `Run chmod 600 ${file}`],
  )
  chmodSync(file, 0o600)
  chmodSync(`${file}.key`, 0o640)
  const openKey = await examine({ DATABASE_URL: database.url })
  assert.equal(openKey.code, 20)
  assert.match(openKey.only('files').found, /\.key holds secrets and is open to others \(mode 640\)$/)
  assert.match(openKey.only('seal key').found, /can be read by others: run chmod 600/)
  chmodSync(`${file}.key`, 0o600)

  await withFolder(async (folder) => {
    const feeds = join(folder, 'feeds.json')
    mkdirSync(feeds)
    const wrong = await examine({ DATABASE_URL: database.url, FAIRWAY_LIVE_FEEDS: feeds })
    assert.match(wrong.only('files').found, /feeds\.json is not a file$/)
    mkdirSync(join(folder, 'fairway'))
    writeFileSync(join(folder, 'fairway', 'config.json'), '{}', { mode: 0o644 })
    const user = await examine({ DATABASE_URL: database.url, XDG_CONFIG_HOME: folder })
    assert.match(user.only('files').found, /config\.json holds secrets and is open to others/)

    const archives = join(folder, 'archives')
    const away = await examine({ DATABASE_URL: database.url, FAIRWAY_ARCHIVES: archives })
    assert.deepEqual(
      [away.only('files').state, away.only('files').found],
      ['warning', `There is no folder ${archives}`],
    )
    const link = join(folder, 'linked.db')
    symlinkSync(file, link)
    const linked = await examine({ DATABASE_URL: `sqlite:${link}`, FAIRWAY_SEAL_KEY_FILE: `${file}.key` })
    assert.match(linked.only('disk').found, new RegExp(` free in ${dirname(realpathSync(file))} `))
  })
  await database.drop()
})

test('database: a file that is none, a server that is away, a login that is refused; no password is shown', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'fairway.db')
    writeFileSync(file, 'This is not a database. '.repeat(100), { mode: 0o600 })
    const wrong = await examine({ DATABASE_URL: `sqlite:${file}` })
    assert.equal(wrong.code, 20)
    assert.match(wrong.only('database').found, /not a database/)
    assert.equal(wrong.only('followers').found, 'Not checked: the database cannot be opened')
  })
  const away = await examine({
    DATABASE_URL: `postgres://fairway:hunter2@127.0.0.1:${await freePort()}/fairway`,
  })
  assert.equal(away.code, 20)
  assert.match(away.only('database').found, /ECONNREFUSED/)
  assert.equal(away.only('disk').state, 'skipped')
  const refusing = new URL(process.env['TEST_DATABASE_URL'] ?? assert.fail())
  refusing.username = 'nobody'
  refusing.password = 'hunter2'
  const refused = await examine({ DATABASE_URL: refusing.href })
  assert.match(refused.only('database').found, /role "nobody" does not exist/)
  for (const { text: printed } of [away, refused]) assert.ok(!printed.includes('hunter2'))
})

for (const engine of engines) {
  test(`triggers: one that was removed is a fault (${engine})`, async () => {
    const database = await servedDatabase(engine, { FAIRWAY_SEAL_KEY: key })
    await unguarded(database.url, () => Promise.resolve())
    const { code, only } = await examine({ DATABASE_URL: database.url, FAIRWAY_SEAL_KEY: key })
    assert.equal(code, 20)
    assert.deepEqual(
      [only('triggers').state, only('triggers').found],
      ['fault', 'A trigger that protects records is missing in the database'],
    )
    await database.drop()
  })

  test(`clock: a record of the future is a fault (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key: apiKey } = await harness.issue()
      harness.clock.setWall(Date.now() - minuteMs)
      await harness.verify(apiKey, { corridor: 'GB-NG', amount: 1_000, currency: 'GBP' })
      const good = await examine({ DATABASE_URL: harness.databaseUrl })
      assert.match(
        good.only('clock').found,
        engine === 'sqlite' ? /Z; newest/ : /of the database server; newest/,
      )
      assert.equal(good.only('clock').state, 'ok')
      harness.clock.setWall(Date.now() + 60 * minuteMs)
      await harness.verify(apiKey, { corridor: 'GB-NG', amount: 1_000, currency: 'GBP' })
      const { code, only } = await examine({ DATABASE_URL: harness.databaseUrl })
      assert.equal(code, 20)
      assert.equal(only('clock').state, 'fault')
      assert.match(only('clock').found, /^The newest decision is 3,[56]\d\d(?:\.\d+)? s ahead of this clock/)
      assert.match(only('clock').action ?? '', /^Set the clock/)
    })
  })

  test(`seal key: another, none, an earlier one, and one in the database (${engine})`, async () => {
    const database = await servedDatabase(engine, { FAIRWAY_SEAL_KEY: key })
    const withKey = (held: string) => examine({ DATABASE_URL: database.url, FAIRWAY_SEAL_KEY: held })
    const wrong = await withKey(otherKey)
    assert.equal(wrong.code, 20)
    assert.match(
      wrong.only('seal key').found,
      /^The key in FAIRWAY_SEAL_KEY is not the last key of the log, fairway\/\S+; every instance needs the same key$/,
    )
    assert.match(
      wrong.only('seal key').action ?? '',
      /^Bring that key back .* fairway audit new-key --reference/,
    )
    const none = await withKey('')
    assert.equal(none.only('seal key').state, 'fault')
    assert.match(none.only('seal key').found, /^The key of this database is missing/)
    const rotated = await withKey(`${otherKey},${key}`)
    assert.deepEqual([rotated.code, rotated.only('seal key').state], [20, 'fault'])
    const settings = { DATABASE_URL: database.url, FAIRWAY_SEAL_KEY: `${otherKey},${key}` }
    assert.equal((await runInProcess(['audit', 'new-key', '--reference', 'CHANGE-7'], settings)).code, 0)
    const accepted = await withKey(`${otherKey},${key}`)
    assert.deepEqual([accepted.code, accepted.only('seal key').state], [0, 'note'])
    for (const { text: printed } of [wrong, none, rotated])
      assert.ok(!keys.some((one) => printed.includes(one)))
    await database.drop()

    const stored = await servedDatabase('postgres', { FAIRWAY_SEAL_KEY: key })
    // As an earlier version left it.
    await rowsOf(stored.url, `UPDATE log_keys SET seed = '${key}'`)
    const inDatabase = await examine({ DATABASE_URL: stored.url })
    assert.deepEqual([inDatabase.code, inDatabase.only('seal key').state], [10, 'warning'])
    assert.match(inDatabase.only('seal key').action ?? '', /fairway audit move-key/)
    await stored.drop()
  })

  test(`followers: behind without a server is a note, behind one that runs a warning (${engine})`, async () => {
    const database = await servedDatabase(engine, { FAIRWAY_SEAL_KEY: key })
    const settings = { DATABASE_URL: database.url, FAIRWAY_SEAL_KEY: key }
    await issueByCli(database.url)
    const waiting = await examine(settings)
    assert.deepEqual([waiting.code, waiting.of('followers')[0]?.state], [0, 'note'])
    assert.match(
      waiting.of('followers')[0]?.found ?? '',
      / is 1 entry behind, the oldest [\d,]+ s old; no server runs$/,
    )

    const server = await serveInProcess(settings)
    try {
      await caughtUp(server.url)
      await withBrokenTable(database.url, 'UPDATE ON calibration_follower', async () => {
        await recordAct(database.url, Date.now() - 5 * minuteMs)
        await server.said(/followers: calibration failed/)
        const { code, of, text: printed } = await examine(settings)
        assert.equal(code, 10, printed)
        const late = of('followers').find(({ found }) => found.startsWith('calibration is '))
        assert.equal(late?.state, 'warning')
        assert.match(late?.found ?? '', /^calibration is 1 entry behind, the oldest [3-9]\d\d s old$/)
        assert.match(late?.action ?? '', /followers: calibration failed/)
      })
    } finally {
      await server.stop()
    }
    await database.drop()
  })
}

/** Until nothing waits for a follower: the oldest entry is then the one that a test records. */
async function caughtUp(url: string): Promise<void> {
  for (;;) {
    const { followers } = (await (await checkedFetch(`${url}/readyz`)).json()) as {
      followers: { lag_entries: number }[]
    }
    if (followers.every((one) => one.lag_entries === 0)) return
  }
}

/** An act with an id of that time, as it was recorded then. */
async function recordAct(databaseUrl: string, atMs: number): Promise<void> {
  const clock = { ...systemClock, nowMs: () => atMs }
  const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault: () => undefined })
  await store.acts.record(
    actsBy('a test', { clock, random })({ kind: 'feeds.reloaded', subject: '', detail: {} }),
  )
  await store.close()
}

test('seal key: a file that is gone, and one that holds something else', async () => {
  const database = await servedDatabase('sqlite')
  const path = `${fileOf(database)}.key`
  assert.match((await examine({ DATABASE_URL: database.url })).only('seal key').found, /in the file fits/)
  writeFileSync(path, 'not a key\n')
  const other = await examine({ DATABASE_URL: database.url })
  assert.deepEqual([other.code, other.only('seal key').state], [20, 'fault'])
  assert.match(other.only('seal key').found, /must hold 32 bytes in base64/)
  rmSync(path)
  const gone = await examine({ DATABASE_URL: database.url })
  assert.match(gone.only('seal key').found, /^The key of this database is missing/)
  await database.drop()
})

test('feeds: a file with faults, none at all, one that is read, and one whose provider is down', async () => {
  const database = await freshDatabase('sqlite')
  const provider = await openTestProvider(({ signal }) =>
    text(providerBody(calm[signal as keyof typeof calm], Date.now())),
  )
  await withFolder(async (folder) => {
    const path = join(folder, 'feeds.json')
    const settings = { DATABASE_URL: database.url, FAIRWAY_LIVE_FEEDS: path }
    const missing = await examine(settings)
    assert.equal(missing.code, 20)
    assert.match(missing.only('feeds').found, /^Cannot load live feeds from .*there is no such file/)
    writeFileSync(path, '{\n  "signals": {\n    "fraud_flags": { "source": "http" },\n    "fees": {}\n  }\n}')
    const faulty = await examine(settings)
    assert.equal(faulty.code, 20)
    assert.ok(faulty.of('feeds').every(({ state }) => state === 'fault'))
    assert.match(faulty.of('feeds')[0]?.found ?? '', /^line \d+: /i)
    writeFileSync(path, JSON.stringify(feedsAt(provider.origin)))
    const good = await examine(settings)
    assert.equal(good.only('feeds').state, 'ok', good.text)
    assert.equal(good.only('feeds').found, '14 signals read for 2 corridors and partners')
    const down = feedsAt(provider.origin, {
      network_healthy: { source: 'http', url: `${nobody}/`, value: '/value' },
    })
    writeFileSync(path, JSON.stringify(down))
    const failing = await examine(settings)
    assert.equal(failing.code, 20)
    assert.deepEqual(
      failing.of('feeds').map(({ state, found }) => [state, found.slice(0, 30)]),
      [
        ['fault', 'GB-NG, network_healthy: refuse'],
        ['fault', 'NG-GB, network_healthy: refuse'],
      ],
    )
  })
  await provider.close()
  await database.drop()
})

test('captcha: a secret that is known, one that is not, nobody there, and one that lets everybody pass', async () => {
  const database = await freshDatabase('sqlite')
  const secret = 'hunter2-of-the-site'
  const settings = { DATABASE_URL: database.url, FAIRWAY_RECAPTCHA_SECRET: secret }
  const answered = async (body: object) => {
    const results: Examined[] = []
    await withCaptchaService(
      () => ({ status: 200, body: JSON.stringify(body) }),
      async ({ url, forms }) => {
        results.push(await examine({ ...settings, FAIRWAY_RECAPTCHA_URL: url }))
        assert.deepEqual(forms(), [{ secret, response: 'fairway-doctor' }])
      },
    )
    return results[0] ?? assert.fail()
  }
  const good = await answered({ success: false, 'error-codes': ['invalid-input-response'] })
  assert.equal(good.only('captcha').state, 'ok')
  const wrong = await answered({ success: false, 'error-codes': ['invalid-input-secret'] })
  assert.deepEqual([wrong.code, wrong.only('captcha').state], [20, 'fault'])
  assert.match(wrong.only('captcha').found, /settings refused: invalid-input-secret/)
  const lax = await answered({ success: true })
  assert.deepEqual([lax.code, lax.only('captcha').state], [10, 'warning'])
  const away = await examine({ ...settings, FAIRWAY_RECAPTCHA_URL: `${nobody}/` })
  assert.match(away.only('captcha').found, /gave no verdict \(ECONNREFUSED, [\d,]+ ms\)/)
  for (const { text: printed } of [good, wrong, lax, away]) assert.ok(!printed.includes('hunter2'))
  await database.drop()
})

test('the secrets of the settings are never printed as text, either', async () => {
  const url = `postgres://fairway:hunter2@127.0.0.1:${await freePort()}/fairway`
  const { code, stdout } = await runInProcess(['doctor', '--no-json'], {
    DATABASE_URL: url,
    FAIRWAY_SEAL_KEY: key,
    PORT: '0',
    XDG_CONFIG_HOME: '/nowhere',
  })
  assert.equal(code, 20)
  assert.match(stdout, /^FAULT {4}database /m)
  assert.ok(!stdout.includes('hunter2') && !stdout.includes(key))
})

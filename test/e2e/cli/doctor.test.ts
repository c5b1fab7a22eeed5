/** `fairway doctor`: what it says of a machine in order and of one at its beginning, that it changes nothing, and its exit codes. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { migrations } from '../../../src/adapters/store/engine/migrations.ts'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { examine, fileOf, fingerprint, servedDatabase } from '../../helpers/doctor.ts'
import { withFolder } from '../../helpers/folder.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { olderDatabase } from '../../store/engine/older-schema.ts'

const everyCheck = [
  'node',
  'settings',
  'port',
  'files',
  'database',
  'clock',
  'seal key',
  'triggers',
  'feeds',
  'captcha',
  'disk',
  'followers',
]
const onTables = ['clock', 'seal key', 'triggers', 'followers']
const key = Buffer.alloc(32, 7).toString('base64')

for (const engine of engines) {
  test(`a database after its first server: all is well, and nothing is changed (${engine})`, async () => {
    const settings = { FAIRWAY_SEAL_KEY: key }
    const database = await servedDatabase(engine, settings)
    const before = await fingerprint(database)
    const { code, report, of, only } = await examine({ DATABASE_URL: database.url, ...settings })
    assert.deepEqual(await fingerprint(database), before)
    assert.equal(code, 0, JSON.stringify(report))
    assert.equal(report.state, 'note')
    assert.deepEqual(
      report.findings.map(({ check }) => check),
      everyCheck,
    )
    const states = Object.fromEntries(everyCheck.map((check) => [check, only(check).state]))
    const notes = engine === 'sqlite' ? ['feeds', 'captcha'] : ['feeds', 'captcha', 'disk']
    assert.deepEqual(
      states,
      Object.fromEntries(everyCheck.map((check) => [check, notes.includes(check) ? 'note' : 'ok'])),
    )
    assert.deepEqual(report.checks, {
      skipped: 0,
      ok: everyCheck.length - notes.length,
      note: notes.length,
      warning: 0,
      fault: 0,
    })
    const product = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
    assert.match(
      only('database').found,
      new RegExp(`^${product} [\\d.]+.*, schema ${migrations.length}, which is current; 0 decisions;`),
    )
    assert.match(
      only('node').found,
      new RegExp(`^Node\\.js ${process.versions.node.replaceAll('.', '\\.')}; \\d+ or later is needed$`),
    )
    assert.match(only('port').found, /^127\.0\.0\.1:\d+ is free/)
    assert.match(only('seal key').found, /in the settings fits/)
    assert.match(only('followers').found, /no server runs$/)
    assert.match(
      only('disk').found,
      engine === 'sqlite' ? /^[\d.]+ .?B free in / : /takes [\d.]+ .?B on its server/,
    )
    assert.deepEqual(of('triggers')[0]?.action, null)
    await database.drop()
  })

  test(`beside a running server: the port is its own, and it follows (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const PORT = String(await freePort())
    const settings = { DATABASE_URL: database.url, FAIRWAY_SEAL_KEY: key, PORT }
    const server = await serveInProcess(settings)
    const { code, only } = await examine(settings).finally(() => server.stop())
    assert.equal(code, 0)
    assert.match(
      only('port').found,
      /^Fairway holds 127\.0\.0\.1:\d+ and answered within [\d,]+ ms, version \d/,
    )
    assert.match(only('followers').found, /; a server follows now$/)
    await database.drop()
  })

  test(`before the first start: one thing to do, and still nothing is there (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const { code, report, of, only } = await examine({ DATABASE_URL: database.url })
    assert.equal(code, 10)
    const { state, found, action } = only('database')
    assert.equal(state, 'warning')
    assert.match(found, engine === 'sqlite' ? /no file at DATABASE_URL yet/ : /has no tables of Fairway yet/)
    assert.match(action ?? '', /^Run fairway serve once/)
    for (const check of onTables) {
      assert.equal(only(check).state, 'skipped')
      assert.match(
        only(check).found,
        /^Not checked: (?:there is no database|the database has no tables) yet$/,
      )
    }
    assert.equal(report.checks.skipped, onTables.length)
    assert.equal(of('files')[0]?.state, 'ok')
    assert.deepEqual(await fingerprint(database), {}, 'nothing was made')
    await database.drop()
  })

  test(`an earlier schema is not migrated, and a later one asks for the later program (${engine})`, async () => {
    const database = await olderDatabase(engine, 17, Date.now())
    const before = await fingerprint(database)
    const earlier = await examine({ DATABASE_URL: database.url })
    assert.equal(earlier.code, 10)
    assert.deepEqual(
      [earlier.only('database').found, earlier.only('database').action],
      [
        `The database has schema 17; this program expects ${migrations.length}`,
        'Start the newest release once to migrate it',
      ],
    )
    for (const check of onTables) assert.match(earlier.only(check).found, /of an earlier version$/)
    assert.deepEqual(await fingerprint(database), before)
    await database.drop()

    const newer = await servedDatabase(engine, { FAIRWAY_SEAL_KEY: key })
    await rowsOf(
      newer.url,
      "INSERT INTO schema_migrations (number, name, applied_at_ms) VALUES (999, 'later', 0)",
    )
    const later = await examine({ DATABASE_URL: newer.url, FAIRWAY_SEAL_KEY: key })
    assert.equal(later.code, 20)
    assert.match(later.only('database').action ?? '', /upgrade this instance, too/)
    assert.equal(later.only('triggers').state, 'ok')
    await newer.drop()
  })
}

test('no folder of a database is made, and a server that was killed leaves what it left', async () => {
  await withFolder(async (folder) => {
    const url = `sqlite:${join(folder, 'data', 'fairway.db')}`
    const { code, only } = await examine({ DATABASE_URL: url })
    assert.equal(code, 10)
    assert.match(only('disk').found, /^Not checked: there is no folder /)
    assert.deepEqual(readdirSync(folder), [])
  })
  const database = await servedDatabase('sqlite')
  const file = fileOf(database)
  // A connection that never closes leaves the write-ahead log, as a crash does.
  await withDirectDatabase(database.url, async ({ run }) => {
    await run('CREATE TABLE left_behind (number integer)')
    const before = await fingerprint(database)
    assert.ok(existsSync(`${file}-wal`))
    const { only } = await examine({ DATABASE_URL: database.url })
    assert.equal(only('database').state, 'ok')
    const { 'fairway.db-shm': _index, ...rest } = await fingerprint(database)
    const { 'fairway.db-shm': _before, ...earlier } = before
    assert.deepEqual(rest, earlier, 'the index of the log alone belongs to readers, too')
  })
  await database.drop()
})

test('a terminal gets a line for each finding, what to do below it, and a sum', async () => {
  const database = await servedDatabase('sqlite', { FAIRWAY_SEAL_KEY: key })
  const settings = {
    DATABASE_URL: database.url,
    FAIRWAY_SEAL_KEY: key,
    PORT: String(await freePort()),
    XDG_CONFIG_HOME: '/nowhere',
    NO_COLOR: '1',
  }
  const { code, stdout, stderr } = await runInProcess(['doctor'], settings, { columns: 80 })
  assert.deepEqual([code, stderr], [0, ''])
  const lines = stdout.trimEnd().split('\n')
  assert.ok(
    lines.every((line) => line.length <= 80 || line.includes(dirname(fileOf(database)))),
    stdout,
  )
  assert.match(stdout, /^OK {7}node {7}Node\.js /)
  assert.match(stdout, /^NOTE {5}feeds {6}No live feeds/m)
  assert.match(stdout, /^ {20}→ Set FAIRWAY_LIVE_FEEDS for live mode$/m)
  assert.equal(lines.at(-1), '12 checks: 2 notes and 10 fine')
  const asText = await runInProcess(['doctor', '--no-json'], settings)
  assert.match(asText.stdout, /^OK /)
  const piped = await runInProcess(['doctor'], settings)
  assert.equal((JSON.parse(piped.stdout) as { state: string }).state, 'note')
  await database.drop()
})

test('what comes from outside moves no terminal', async () => {
  await withFolder(async (folder) => {
    const settings = {
      DATABASE_URL: `sqlite:${join(folder, 'x.db')}`,
      FAIRWAY_LIVE_FEEDS: join(folder, 'no\u001b[31mthing.json'),
      PORT: String(await freePort()),
      XDG_CONFIG_HOME: '/nowhere',
      NO_COLOR: '1',
    }
    const { code, stdout } = await runInProcess(['doctor'], settings, { columns: 200 })
    assert.equal(code, 20)
    assert.match(stdout, /thing\.json/)
    assert.ok(!stdout.includes('\u001b'))
  })
})

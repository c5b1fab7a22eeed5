/** `fairway export`, `fairway archive verify` and `fairway partitions drop` as an operator meets them. */

import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase, migratedDatabase } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { correlation, recordInMarch } from '../../helpers/past-months.ts'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess, serveInProcess, type Finished } from '../../helpers/process/in-process.ts'
import { ask, issueByCli, run } from '../../helpers/process/process.ts'

const march = ['--from', '2020-03-01', '--to', '2020-04-01', '--format', 'jsonl']

const oneLine = ({ code, stdout, stderr }: Finished, line: RegExp): void => {
  assert.deepEqual([code, stdout], [1, ''], stderr)
  assert.match(stderr, line)
  assert.equal(stderr.split('\n').length, 2, stderr)
}

test('an archive is written beside a running server, and verified without its database', async () => {
  const database = await freshDatabase('sqlite')
  const environment = { DATABASE_URL: database.url }
  const { key, owner_id: ownerId } = await issueByCli(database.url)
  const server = await serveInProcess(environment)
  try {
    await withFolder(async (path) => {
      const sent = await Promise.all(
        Array.from({ length: 4 }, (_, place) =>
          ask(server.url, key, { corridor: 'GB-NG', amount: 1 + place }),
        ),
      )
      assert.deepEqual([...new Set(sent.map(({ status }) => status))], [200])
      const range = ['--from', '2020-01-01', '--to', '2100-01-01', '--owner', ownerId]
      const out = join(path, 'archive')
      const written = await run(['export', ...range, '--format', 'jsonl', '--out', out], environment)
      assert.equal(written.code, 0, written.stderr)
      assert.match(
        written.stdout,
        /^Exported 4 records to .*: 1 part, [\d,]+ bytes, [\d.]+ s, [\d,]+ records\/s\n/,
      )
      const [, receipt = ''] = /\nManifest SHA-256: ([0-9a-f]{64})\n$/.exec(written.stdout) ?? []
      const nowhere = { DATABASE_URL: 'sqlite:/nowhere/at/all.db' }
      const checked = await run(['archive', 'verify', out], nowhere)
      assert.equal(checked.code, 0, checked.stderr)
      assert.match(checked.stdout, /^INTACT: /)
      assert.match(checked.stdout, /\nComputed again: 4 records, 0 overrides, 0 outcomes\n/)
      assert.ok(checked.stdout.endsWith(`\nManifest SHA-256: ${receipt}\n`))
      const [, verifierKey = ''] = /\nverifier key: (\S+)\n/.exec(checked.stdout) ?? []
      const trusting = await runInProcess(
        ['archive', 'verify', out, '--trust', verifierKey, '--json'],
        nowhere,
      )
      assert.equal(trusting.code, 0, trusting.stderr)
      const { intact, records, manifest_sha256: stated } = JSON.parse(trusting.stdout)
      assert.deepEqual({ intact, records, stated }, { intact: true, records: 4, stated: receipt })
      const other = verifierKey.replace(/^[^+]+/, 'fairway/0000000000000000')
      oneLine(
        await runInProcess(['archive', 'verify', out, '--trust', other]),
        /--trust must be a verifier key/,
      )
      const file = join(out, 'records-000001.jsonl')
      writeFileSync(file, readFileSync(file, 'utf8').replace('"amount":1,', '"amount":9,'))
      const changed = await runInProcess(['archive', 'verify', out])
      assert.equal(changed.code, 65)
      assert.match(
        changed.stdout,
        /^CHANGED: .*\n {2}records-000001\.jsonl, line \d: the record does not match its leaf hash\n/,
      )
    })
  } finally {
    assert.equal(await server.stop(), 0)
    await database.drop()
  }
})

test('an export that cannot be made is refused in one line, and leaves nothing', async () => {
  const database = await migratedDatabase('sqlite')
  const environment = { DATABASE_URL: database.url }
  await withFolder(async (path) => {
    const out = join(path, 'archive')
    const exporting = (...args: readonly string[]): Promise<Finished> =>
      runInProcess(['export', ...args, '--out', out], environment)
    oneLine(await exporting(...march), /^fairway: nothing is sealed in this database yet/)
    const server = await serveInProcess(environment)
    await server.stop()
    const csv = ['--format', 'csv']
    oneLine(
      await exporting('--from', '2026-02-01', '--to', '2026-02-01', ...csv),
      /^fairway: --from must be before --to/,
    )
    oneLine(await exporting(...march, '--owner', 'own_none'), /^fairway: there is no owner own_none/)
    for (const bad of ['yesterday', '2026-02-30', '2026-13-01']) {
      const { code, stderr } = await exporting('--from', bad, '--to', '2026-03-01', ...csv)
      assert.equal(code, 1)
      assert.match(stderr, /Expected a time such as/)
    }
    const { stderr } = await exporting('--from', '2026-02-01', '--to', '2026-03-01', '--format', 'xml')
    assert.match(stderr, /Expected one of jsonl, csv, parquet/)
    writeFileSync(out, 'a file')
    oneLine(await exporting(...march), /^fairway: cannot write to .*: it is not a folder/)
    oneLine(
      await runInProcess(['archive', 'verify', join(path, 'none')]),
      /^fairway: cannot read .*: there is no such file/,
    )
    const key = join(path, 'another.key')
    writeFileSync(key, `${Buffer.alloc(32, 7).toString('base64')}\n`)
    chmodSync(key, 0o600)
    oneLine(
      await runInProcess(['export', ...march, '--out', join(path, 'fresh')], {
        ...environment,
        FAIRWAY_SEAL_KEY_FILE: key,
      }),
      /^fairway: the key that signs the log is not here/,
    )
  })
  await database.drop()
})

interface Scene {
  readonly databaseUrl: string
  readonly path: string
  /** Of March, as JSON lines. */
  readonly archive: string
  readonly command: (...args: readonly string[]) => Promise<Finished>
  readonly drop: (folder: string, ...args: readonly string[]) => Promise<Finished>
}

/** March 2020 is archived and detached. */
async function withMarchDetached(work: (scene: Scene) => Promise<void>): Promise<void> {
  const database = await freshDatabase('postgres')
  try {
    await recordInMarch(database.url)
    await withFolder(async (path) => {
      const command = (...args: readonly string[]): Promise<Finished> =>
        runInProcess(args, { DATABASE_URL: database.url })
      const drop = (folder: string, ...args: readonly string[]): Promise<Finished> =>
        command('partitions', 'drop', '2020-03', '--archive', folder, ...args)
      const archive = join(path, 'march')
      assert.equal((await command('export', ...march, '--out', archive)).code, 0)
      oneLine(await drop(archive), /^fairway: 2020-03 is not detached: detach it first/)
      assert.equal((await command('partitions', 'detach', '2020-03')).code, 0)
      await work({ databaseUrl: database.url, path, archive, command, drop })
    })
  } finally {
    await database.drop()
  }
}

test('an archive that is cut short, of half a month or of another format drops nothing', async () => {
  await withMarchDetached(async ({ path, archive, command, drop }) => {
    const half = join(path, 'half')
    const until = ['--from', '2020-03-01', '--to', '2020-03-15T12:01:00Z', '--format', 'jsonl']
    await command('export', ...until, '--out', half)
    const refused = await drop(half)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^fairway: 2020-03 was not dropped: the archive is not a copy of it\n/)
    assert.match(refused.stderr, /which is not all of 2020-03/)
    const table = join(path, 'table')
    const csv = ['--from', '2020-03-01', '--to', '2020-04-01', '--format', 'csv']
    const written = await command('export', ...csv, '--out', table)
    assert.match(written.stdout, /^Exported 3 records/, 'a detached month is read from its table')
    assert.match((await drop(table)).stderr, /only JSON lines hold complete records/)
    const file = join(archive, 'records-000001.jsonl')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.slice(0, text.indexOf('\n') + 1))
    assert.match((await drop(archive)).stderr, /the archive has 1 record of the month, which has 3/)
    assert.match((await command('partitions', 'list')).stdout, /\n2020-03 {2}detached /)
    writeFileSync(file, text)
    assert.equal((await drop(archive)).code, 0)
  })
})

test('a detached month is dropped against its archive, and the log holds and says where its records are', async () => {
  await withMarchDetached(async ({ databaseUrl, path, archive, command, drop }) => {
    const dropped = await drop(archive, '--by', 'Ops', '--json')
    assert.equal(dropped.code, 0, dropped.stderr)
    const { state, records, manifest_sha256: receipt } = JSON.parse(dropped.stdout)
    assert.deepEqual([state, records], ['dropped', 3])
    const [act] = await rowsOf(databaseUrl, "SELECT * FROM acts WHERE kind = 'month.dropped'")
    const { manifest_sha256: kept } = JSON.parse(String(act?.['detail']))
    assert.deepEqual([act?.['subject'], act?.['made_by'], kept], ['2020-03', 'Ops', receipt])
    const table = "SELECT to_regclass('verifications_detached_2020_03') AS found"
    assert.deepEqual(await rowsOf(databaseUrl, table), [{ found: null }])
    assert.match((await command('partitions', 'list')).stdout, /\n2020-03 {2}dropped /)
    oneLine(
      await drop(archive),
      /^fairway: the table of 2020-03 is not in the database: the month is dropped/,
    )
    oneLine(
      await command('export', ...march, '--out', join(path, 'again')),
      /^fairway: the records of 2020-03 were dropped: they are in the archive of that month/,
    )
    for (const isSealed of [false, true]) {
      if (isSealed) {
        const april = ['--from', '2020-04-01', '--to', '2020-05-01', '--format', 'jsonl']
        const { code } = await command('export', ...april, '--out', join(path, 'april'))
        assert.equal(code, 0, 'an export seals what waits')
      }
      const log = await command('audit', 'verify-log')
      assert.equal(log.code, 0, log.stdout + log.stderr)
      assert.match(log.stdout, /^INTACT\n/)
      assert.match(log.stdout, /\n3 records are of dropped months: check their archives with fairway archive/)
    }
  })
})

test('a record that goes with a dropped month, and is not in its archive, is found by the check of the log', async () => {
  await withMarchDetached(async ({ databaseUrl, path, archive, command, drop }) => {
    assert.equal((await drop(archive)).code, 0)
    const [act] = await rowsOf(databaseUrl, "SELECT act_id, detail FROM acts WHERE kind = 'month.dropped'")
    const april = ['--from', '2020-04-01', '--to', '2020-05-01', '--format', 'jsonl']
    await command('export', ...april, '--out', join(path, 'april'))
    await withDirectDatabase(databaseUrl, async (direct) => {
      await direct.run('ALTER TABLE acts DISABLE TRIGGER ALL')
      const forged = String(act?.['detail']).replace('"records":3', '"records":2')
      await direct.run('UPDATE acts SET detail = $1 WHERE act_id = $2', [forged, String(act?.['act_id'])])
    })
    const { code, stdout } = await command('audit', 'verify-log')
    assert.equal(code, 65)
    assert.match(stdout, /month 2020-03: 3 sealed records are missing, but an act dropped 2\n/)
  })
})

test('an archive without personal texts is enough to drop its month, and the texts can be erased afterwards', async () => {
  await withMarchDetached(async ({ databaseUrl, path, command, drop }) => {
    const archive = join(path, 'masked')
    const settings = { DATABASE_URL: databaseUrl, FAIRWAY_LOG_MASK: 'correlation_id,justification' }
    assert.equal((await runInProcess(['export', ...march, '--out', archive], settings)).code, 0)
    assert.ok(!readFileSync(join(archive, 'records-000001.jsonl'), 'utf8').includes(correlation))
    assert.match(
      (await command('archive', 'verify', archive)).stdout,
      /\nMasked when it was written: correlation_id, justification\n1 personal text was erased or masked/,
    )
    assert.equal((await drop(archive)).code, 0)
    const [text] = await rowsOf(databaseUrl, 'SELECT owner_id FROM personal_texts')
    const target = ['--owner', String(text?.['owner_id']), '--correlation-id', correlation]
    const erased = await command('erase', ...target, '--reference', 'TICKET-7', '--yes')
    assert.equal(erased.code, 0, erased.stderr)
    assert.match(erased.stdout, /because they are detached or dropped: 2020-03\n/)
    assert.deepEqual(await rowsOf(databaseUrl, 'SELECT * FROM personal_texts'), [])
    const log = await command('audit', 'verify-log')
    assert.match(log.stdout, /^INTACT\n/)
  })
})

test('an archive of another installation drops nothing', async () => {
  const [own, other] = [await freshDatabase('postgres'), await freshDatabase('postgres')]
  try {
    await withFolder(async (path) => {
      const archive = join(path, 'march')
      for (const { url } of [own, other]) await recordInMarch(url)
      assert.equal(
        (await runInProcess(['export', ...march, '--out', archive], { DATABASE_URL: other.url })).code,
        0,
      )
      const environment = { DATABASE_URL: own.url }
      assert.equal((await runInProcess(['partitions', 'detach', '2020-03'], environment)).code, 0)
      const { code, stderr } = await runInProcess(
        ['partitions', 'drop', '2020-03', '--archive', archive],
        environment,
      )
      assert.equal(code, 1)
      assert.match(stderr, /the archive is of another installation or another log/)
      assert.match(stderr, /3 records of the archive differ from the month's table/)
      assert.match((await runInProcess(['partitions', 'list'], environment)).stdout, /\n2020-03 {2}detached /)
    })
  } finally {
    await own.drop()
    await other.drop()
  }
})

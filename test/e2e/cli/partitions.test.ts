/** `fairway partitions` as an operator meets it: beside a running server, in text and in JSON. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueKey } from '../../../src/app/access/keys.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { freshDatabase, migratedDatabase } from '../../helpers/database/databases.ts'
import { assemble } from '../../helpers/harness.ts'
import { pastOf } from '../../helpers/database/months.ts'
import { runInProcess, serveInProcess, type Finished } from '../../helpers/process/in-process.ts'
import { run } from '../../helpers/process/process.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { trial } from '../../helpers/webhooks.ts'

/** A key and a record of March 2020, with a clock that is that far behind; then the program itself, with the real one. */
async function recordInMarch(databaseUrl: string): Promise<{ key: string; requestId: string }> {
  const clock = new ManualClock('2020-03-10T12:00:00.000Z')
  const harness = await assemble(databaseUrl, clock, { engine: 'postgres', settings: trial })
  try {
    const { key } = await issueKey(
      { keys: harness.store.keys, clock, random: systemRandom },
      { prefix: 'pk_test_', ownerLabel: 'test', scopes: [], verifyLimit: null },
    )
    const [requestId = ''] = await pastOf(harness, key).record('2020-03', 1)
    await harness.seal()
    return { key, requestId }
  } finally {
    await harness.close()
  }
}

/** The log is whole, whether the records are here or away. */
async function checkLog(
  environment: { DATABASE_URL: string },
  wanted: { readonly records: number; readonly away: number },
): Promise<void> {
  const { code, stdout, stderr } = await runInProcess(['audit', 'verify-log', '--json'], environment)
  assert.equal(code, wanted.away === 0 ? 0 : 3, stderr)
  if (wanted.away > 0) assert.match(stderr, /in detached months could not be compared/)
  const { intact, records, away } = JSON.parse(stdout)
  assert.deepEqual({ intact, records, away }, { intact: true, ...wanted })
}

const oneLine = ({ code, stdout, stderr }: Finished, line: RegExp): void => {
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, line)
  assert.equal(stderr.split('\n').length, 2)
}

test('a month is listed, detached and attached beside a running server', async () => {
  const database = await freshDatabase('postgres')
  const { key, requestId } = await recordInMarch(database.url)
  const environment = { DATABASE_URL: database.url }
  const partitions = (...args: readonly string[]): Promise<Finished> =>
    runInProcess(['partitions', ...args], environment)
  const server = await serveInProcess(environment)
  const audit = async (): Promise<number> =>
    (
      await checkedFetch(`${server.url}/api/v1/audit/${requestId}`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status
  try {
    assert.equal(await audit(), 200)
    const listed = await partitions('list')
    assert.match(listed.stdout, /^MONTH {4}STATE {5}RECORDS/)
    assert.match(listed.stdout, /\n2020-03 {2}attached {2}[^\n]+ kB\n/)
    assert.match(listed.stdout, /Months: \d+, from 2020-03 to \d{4}-\d\d\./)
    assert.equal((await partitions('detach', '2020-03', '--dry-run')).code, 0)
    assert.equal(await audit(), 200, 'a dry run does nothing')

    // A process of its own, beside the one that serves.
    const detached = await run(
      ['partitions', 'detach', '2020-03', '--by', 'Ops on call', '--json'],
      environment,
    )
    assert.equal(detached.code, 0, detached.stderr)
    const { detached_at: _at, fingerprint, ...rest } = JSON.parse(detached.stdout)
    const table = 'verifications_detached_2020_03'
    assert.deepEqual(rest, {
      month: '2020-03',
      state: 'detached',
      table,
      records: 1,
      detached_by: 'Ops on call',
    })
    assert.equal(await audit(), 404)
    await checkLog(environment, { records: 0, away: 1 })
    const [away] = JSON.parse((await partitions('list', '--json')).stdout)
    assert.deepEqual(
      [away.month, away.state, away.records, away.records_exact, away.fingerprint],
      ['2020-03', 'detached', 1, true, fingerprint],
    )
    oneLine(
      await partitions('detach', '2020-03'),
      /^fairway: 2020-03 was already detached at .* by Ops on call: to restore it, run fairway partitions attach 2020-03\n/,
    )

    const attached = await partitions('attach', '2020-03')
    assert.match(attached.stdout, /^Attached 2020-03: 1 records, verified unchanged\.\n$/)
    assert.equal(await audit(), 200)
    await checkLog(environment, { records: 1, away: 0 })
    oneLine(await partitions('attach', '2020-03'), /^fairway: 2020-03 is not detached/)
  } finally {
    assert.equal(await server.stop(), 0)
    await database.drop()
  }
})

test('what cannot be done is said in one line, and nothing is done', async () => {
  const database = await freshDatabase('postgres')
  const partitions = (...args: readonly string[]): Promise<Finished> =>
    runInProcess(['partitions', ...args], { DATABASE_URL: database.url })
  const month = new Date().toISOString().slice(0, 7)
  oneLine(await partitions('detach', month), /^fairway: \d{4}-\d\d is too recent: it can be detached from /)
  oneLine(await partitions('detach', '2001-01'), /^fairway: no records of month 2001-01: /)
  for (const text of ['2026-13', 'March', '2026-3', '2026_03; DROP TABLE verifications']) {
    oneLine(
      await partitions('detach', text),
      /^fairway: ".*" is not a month: write it as YYYY-MM, such as 2026-03\n/,
    )
    oneLine(
      await partitions('attach', text),
      /^fairway: ".*" is not a month: write it as YYYY-MM, such as 2026-03\n/,
    )
  }
  assert.deepEqual(await rowsOf(database.url, 'SELECT 1 FROM partition_moves'), [])
  await database.drop()
})

test('on SQLite every command says in one line that there are no months', async () => {
  const database = await migratedDatabase('sqlite')
  for (const args of [['list'], ['detach', '2020-03'], ['attach', '2020-03'], ['list', '--json']]) {
    const said = await runInProcess(['partitions', ...args], { DATABASE_URL: database.url })
    oneLine(said, /^fairway: fairway partitions requires PostgreSQL/)
  }
  await database.drop()
})

/** A detach that was cut off, wherever it was, is ended by the next one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { withPast, type Past } from '../../helpers/database/months.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'

async function stateOf({ store }: Past): Promise<string | undefined> {
  return (await store.partitions?.list())?.find(({ month }) => month === '2020-03')?.state
}

/** Ends it, and brings the month back, as if nothing had happened. */
async function checkEnded(past: Past, id: string): Promise<void> {
  const detached = await past.detach('2020-03')
  assert.ok(detached.kind === 'detached')
  assert.equal(detached.away.records, 2)
  assert.equal(await stateOf(past), 'detached')
  assert.equal((await past.attach('2020-03')).kind, 'attached')
  assert.equal((await past.get(past.key, `/api/v1/audit/${id}`)).status, 200)
}

test('a detach whose connection is cut while it waits is pending, and the next one ends it', async () => {
  await withPast(async (past) => {
    const [id = ''] = await past.record('2020-03', 2)
    await past.record('2020-05', 1)
    const reader = new pg.Client({ connectionString: past.databaseUrl })
    await reader.connect()
    await reader.query('BEGIN; SELECT count(*) FROM verifications')
    const detaching = assert.rejects(past.detach('2020-03'), /terminat/)
    await withDirectDatabase(past.databaseUrl, async ({ run }) => {
      while ((await run('SELECT 1 FROM pg_inherits WHERE inhdetachpending')).length === 0);
      await run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%DETACH PARTITION%CONCURRENTLY' AND datname = current_database()",
      )
    })
    await detaching
    await reader.query('COMMIT')
    await reader.end()
    assert.equal(await stateOf(past), 'detaching')
    assert.deepEqual(await past.attach('2020-03'), { kind: 'unfinished' })
    assert.equal((await past.get(past.key, `/api/v1/audit/${id}`)).status, 404)
    await checkEnded(past, id)
  })
})

test('a detach that was cut off before its table had its name and figures is ended by the next one', async () => {
  await withPast(async (past) => {
    const [id = ''] = await past.record('2020-03', 2)
    await past.record('2020-05', 1)
    await withDirectDatabase(past.databaseUrl, async ({ run }) => {
      await run("INSERT INTO partition_moves (month, asked_at_ms, detached_by) VALUES ('2020-03', 1, 'ops')")
      await run(`CREATE TRIGGER detached_no_change BEFORE UPDATE OR DELETE ON verifications_2020_03
        FOR EACH ROW EXECUTE FUNCTION fairway_refuse_change()`)
      await run('ALTER TABLE verifications_2020_03 ENABLE ALWAYS TRIGGER detached_no_change')
      assert.equal(await stateOf(past), 'attached', 'only the intent is there')
      await run('ALTER TABLE verifications DETACH PARTITION verifications_2020_03 CONCURRENTLY')
    })
    assert.equal(await stateOf(past), 'detaching')
    await checkEnded(past, id)
  })
})

test('a detach that could not begin leaves no trace', async () => {
  await withPast(async (past) => {
    const [id = ''] = await past.record('2020-03', 2)
    await past.record('2020-05', 1)
    // A function of another owner's making, in the place of the guard's own.
    await withDirectDatabase(past.databaseUrl, ({ run }) =>
      run('ALTER FUNCTION fairway_refuse_change RENAME TO somewhere_else'),
    )
    await assert.rejects(past.detach('2020-03'), /fairway_refuse_change/)
    assert.deepEqual(await rowsOf(past.databaseUrl, 'SELECT 1 FROM partition_moves'), [])
    await withDirectDatabase(past.databaseUrl, ({ run }) =>
      run('ALTER FUNCTION somewhere_else RENAME TO fairway_refuse_change'),
    )
    await checkEnded(past, id)
  })
})

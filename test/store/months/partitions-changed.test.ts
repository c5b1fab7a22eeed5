/** A month comes back as it went, or not at all. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPast, type Past } from '../../helpers/database/months.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'

const table = 'verifications_detached_2020_03'

const sql = (past: Past, ...statements: readonly string[]): Promise<void> =>
  withDirectDatabase(past.databaseUrl, async ({ run }) => {
    for (const statement of statements) await run(statement)
  })

const guard = (name: string): string[] => [
  `CREATE TRIGGER ${name} BEFORE ${name.endsWith('truncate') ? 'TRUNCATE' : 'UPDATE OR DELETE'} ON ${table}
    FOR EACH ${name.endsWith('truncate') ? 'STATEMENT' : 'ROW'} EXECUTE FUNCTION fairway_refuse_change()`,
  `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`,
]

/** Past the guard, as only the owner of the database can. */
const unguarded = (change: string): string[] => [
  `ALTER TABLE ${table} DISABLE TRIGGER detached_no_change`,
  change,
  `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER detached_no_change`,
]

interface Change {
  readonly made: readonly string[]
  readonly mended: readonly string[]
  readonly finding: RegExp
}

const newest = `(SELECT max(request_id) FROM ${table})`

const changes: readonly Change[] = [
  {
    made: unguarded(`UPDATE ${table} SET amount = amount + 1 WHERE request_id = ${newest}`),
    mended: unguarded(`UPDATE ${table} SET amount = amount - 1 WHERE request_id = ${newest}`),
    finding: /^record contents have changed$/,
  },
  {
    made: unguarded(`UPDATE ${table} SET evidence = evidence || ' ' WHERE request_id = ${newest}`),
    mended: unguarded(`UPDATE ${table} SET evidence = rtrim(evidence) WHERE request_id = ${newest}`),
    finding: /^record contents have changed$/,
  },
  {
    made: [
      `CREATE TABLE kept_row AS SELECT * FROM ${table} WHERE request_id = ${newest}`,
      ...unguarded(`DELETE FROM ${table} WHERE request_id = ${newest}`),
    ],
    mended: [`INSERT INTO ${table} SELECT * FROM kept_row`],
    finding: /^has 2 records, expected 3$/,
  },
  {
    made: [`ALTER TABLE ${table} ADD COLUMN remark text`],
    mended: [`ALTER TABLE ${table} DROP COLUMN remark`],
    finding: /^column remark differs from verifications$/,
  },
  {
    made: [`ALTER TABLE ${table} ALTER COLUMN owner_id DROP NOT NULL`],
    mended: [`ALTER TABLE ${table} ALTER COLUMN owner_id SET NOT NULL`],
    finding: /^column owner_id differs from verifications$/,
  },
  {
    made: [`DROP TRIGGER detached_no_change ON ${table}`],
    mended: guard('detached_no_change'),
    finding: /^trigger detached_no_change is missing or changed$/,
  },
  {
    made: [`ALTER TABLE ${table} DISABLE TRIGGER verifications_no_truncate`],
    mended: [`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER verifications_no_truncate`],
    finding: /^trigger verifications_no_truncate is missing or changed$/,
  },
]

test('a month that is not what was detached stays away, and says why; mended, it comes back', async () => {
  await withPast(async (past) => {
    const [id = ''] = await past.record('2020-03', 3)
    const before = await past.get(past.key, `/api/v1/audit/${id}`)
    await past.record('2020-05', 1)
    await past.detach('2020-03')
    for (const { made, mended, finding } of changes) {
      await sql(past, ...made)
      const outcome = await past.attach('2020-03')
      assert.ok(outcome.kind === 'changed', `${made.join('; ')}: ${outcome.kind}`)
      assert.equal(outcome.findings.length, 1, outcome.findings.join('; '))
      assert.match(outcome.findings[0] ?? '', finding)
      assert.equal((await past.get(past.key, `/api/v1/audit/${id}`)).status, 404)
      await sql(past, ...mended)
    }
    assert.equal((await past.attach('2020-03')).kind, 'attached')
    assert.deepEqual((await past.get(past.key, `/api/v1/audit/${id}`)).body, before.body)
  })
})

test('a table that was made anew from its rows, with columns in another order and without indexes, comes back whole', async () => {
  await withPast(async (past) => {
    await past.record('2020-03', 3)
    await past.record('2020-05', 1)
    const indexes = (): Promise<unknown> =>
      rowsOf(
        past.databaseUrl,
        "SELECT count(*) AS count FROM pg_indexes WHERE tablename = 'verifications_2020_03'",
      )
    const before = await indexes()
    await past.detach('2020-03')
    const copied = ['evidence', 'answer', 'request_id', 'owner_id', 'key_id', 'mode', 'corridor', 'decision']
    const [row] = await rowsOf(
      past.databaseUrl,
      `SELECT string_agg(attname, ', ' ORDER BY attnum) AS others FROM pg_attribute
        WHERE attrelid = '${table}'::regclass AND attnum > 0 AND attname NOT IN ('${copied.join("', '")}')`,
    )
    await sql(
      past,
      `CREATE TABLE copy AS SELECT ${copied.join(', ')}, ${String(row?.['others'])} FROM ${table} ORDER BY request_id DESC`,
      `DROP TABLE ${table}`,
      `ALTER TABLE copy RENAME TO ${table}`,
      ...guard('detached_no_change'),
      ...guard('verifications_no_truncate'),
    )
    const bare = await past.attach('2020-03')
    assert.ok(bare.kind === 'changed' && bare.findings.some((one) => one.includes('column owner_id')))
    const required = await rowsOf(
      past.databaseUrl,
      "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'verifications'::regclass AND attnum > 0 AND attnotnull",
    )
    await sql(past, ...required.map(({ name }) => `ALTER TABLE ${table} ALTER ${String(name)} SET NOT NULL`))
    assert.equal((await past.attach('2020-03')).kind, 'attached')
    assert.deepEqual(await indexes(), before)
    const { body } = await past.get(past.key, '/api/verifications')
    assert.equal(body.length, 4)
  })
})

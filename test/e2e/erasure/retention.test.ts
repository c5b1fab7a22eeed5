/** `fairway retention` as a job runs it: interrupted by a kill, and again. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../../src/core/time/durations.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { finished, start } from '../../helpers/process/process.ts'
import { ManualClock } from '../../helpers/clock.ts'

const countOf = async ({ databaseUrl }: Harness, table: string): Promise<number> =>
  Number((await rowsOf(databaseUrl, `SELECT COUNT(*) AS count FROM ${table}`))[0]?.['count'])

async function fill(harness: Harness, texts: number): Promise<void> {
  const { key } = await harness.issue()
  for (let from = 0; from < texts; from += 250) {
    const answers = await Promise.all(
      Array.from({ length: 250 }, (_, index) =>
        harness.verify(key, { corridor: 'NG-GB', amount: 5, correlation_id: `text ${from + index}` }),
      ),
    )
    assert.ok(answers.every(({ status }) => status === 200))
  }
  await harness.seal()
}

/** Slows each erasure a little: the run takes seconds and is killed when its first batch is seen. A batch must not time out. */
const slow = {
  sqlite: `CREATE TRIGGER slow AFTER INSERT ON erasures BEGIN
    SELECT COUNT(*) FROM (WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 3000) SELECT n FROM n); END`,
  postgres: `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.002); RETURN NULL; END';
    CREATE TRIGGER slow AFTER INSERT ON erasures FOR EACH ROW EXECUTE FUNCTION slow()`,
}
const fast = { sqlite: 'DROP TRIGGER slow', postgres: 'DROP TRIGGER slow ON erasures' }

for (const engine of engines) {
  test(`a run that is killed in the middle loses nothing, and the next one goes on (${engine})`, async () => {
    const clock = new ManualClock(new Date(Date.now() - 40 * dayMs).toISOString())
    await withHarness({ engine, clock, settings: unlimited }, async (harness) => {
      const texts = 4_000
      await fill(harness, texts)
      const settings = { DATABASE_URL: harness.databaseUrl, FAIRWAY_RETENTION_DAYS: '30' }
      await rowsOf(harness.databaseUrl, slow[engine])
      const child = start(['retention', 'apply'], settings)
      const ended = finished(child)
      while ((await countOf(harness, 'erasures')) === 0) assert.equal(child.exitCode, null)
      child.kill('SIGKILL')
      assert.equal((await ended).signal, 'SIGKILL')
      await rowsOf(harness.databaseUrl, fast[engine])
      const erased = await countOf(harness, 'erasures')
      assert.ok(erased > 0 && erased < texts, `${erased} were erased`)
      assert.equal(await countOf(harness, 'personal_texts'), texts - erased)
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])

      const next = await runInProcess(['retention', 'apply', '--json'], settings)
      assert.equal(next.code, 0, next.stderr)
      assert.equal((JSON.parse(next.stdout) as { erased: number }).erased, texts - erased)
      assert.equal(await countOf(harness, 'personal_texts'), 0)
      const again = await runInProcess(['retention', 'apply'], settings)
      assert.deepEqual([again.code, again.stdout.startsWith('Erased 0 texts')], [0, true])
      await harness.seal()
      const checked = await checkedLog(harness.store)
      assert.deepEqual([checked.findings, checked.erased], [[], texts])
    })
  })
}

test('without a retention period both commands refuse, and a bad period names the setting', async () => {
  for (const command of ['report', 'apply']) {
    const unset = await runInProcess(['retention', command], { DATABASE_URL: 'sqlite:none.db' })
    assert.deepEqual([unset.code, unset.stdout], [1, ''])
    assert.match(unset.stderr, /FAIRWAY_RETENTION_DAYS is not set/)
  }
  const bad = await runInProcess(['retention', 'report'], { FAIRWAY_RETENTION_DAYS: '0' })
  assert.match(bad.stderr, /FAIRWAY_RETENTION_DAYS must be a whole number of days from 1 to 36500/)
})

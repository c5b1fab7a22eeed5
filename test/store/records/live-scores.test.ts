/** The input of live volatility: the newest live scores of an owner and corridor, from the records by an index. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveScores } from '../../../src/adapters/store/records/live-scores.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import type { Verification } from '../../../src/app/ports/records.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import type { Currency } from '../../../src/core/reference/currency.ts'
import { firstRequestIdAt } from '../../../src/core/identity/request-id.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

const corridor = 'GB-NG' as Corridor

async function commit({ store, clock }: Harness, more: Partial<Verification> = {}): Promise<void> {
  const ids = createIds({ clock, random: systemRandom })
  clock.advance(1_000)
  const record: Verification = {
    ...ids.nextRequest(),
    ownerId: 'own_a',
    keyId: 'key_a',
    mode: 'live',
    corridor,
    verdict: 'GO',
    scoreHundredths: 50,
    confidenceHundredths: 93,
    amount: null,
    currency: 'GBP' as Currency,
    form: 2,
    correlationId: null,
    personalText: null,
    evaluatedAtMs: clock.nowMs(),
    cooldownSourceId: null,
    answer: '{}',
    evidence: '{}',
    ...more,
  }
  const rollup = { reasonCodes: [], latencyUs: null }
  await store.commit({ record, idempotency: null, block: null, rollup })
}

/** The plan of the statement that a decision runs, as the engine tells it. */
async function planOf(engine: Engine, url: string): Promise<string> {
  const groups = liveScores([{ ownerId: 'own_a', corridor, countMax: 50 }]).next().value
  const { sql } = (groups as readonly { sql: string }[])[0] ?? assert.fail()
  const text = sql.replace('$1', "'own_a'").replace('$2', "'GB-NG'").replace('$3', '50')
  const asking =
    engine === 'sqlite' ? `EXPLAIN QUERY PLAN ${text}` : `EXPLAIN ${text.replace(/ INDEXED BY \w+/, '')}`
  return withDirectDatabase(url, async ({ run }) =>
    (await run(asking)).map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n'),
  )
}

/** PostgreSQL plans by what there is. SQLite does not look. */
async function fillForPlans(engine: Engine, url: string): Promise<void> {
  if (engine === 'sqlite') return
  const ids = firstRequestIdAt(Date.UTC(2026, 2, 10)).slice(0, -16)
  await withDirectDatabase(url, async ({ run }) => {
    await run(`INSERT INTO verifications SELECT '${ids}' || lpad(CAST(n AS text), 16, '0'), 'own_a', 'key_a',
        CASE n % 2 WHEN 0 THEN 'shadow' ELSE 'live' END, CASE n % 5 WHEN 0 THEN 'GB-NG' ELSE 'NG-GB' END,
        'GO', 90, 90, 1, 'GBP', NULL, 0, 0, NULL, '{}', '{}'
      FROM generate_series(1, 20000) AS n`)
    await run('VACUUM ANALYZE verifications')
  })
}

const readsByIndex = {
  sqlite:
    /^SEARCH verifications USING (?:COVERING )?INDEX verifications_live_scores \(owner_id=\? AND corridor=\?\)$/,
  postgres:
    /Index Only Scan Backward using \S+ on verifications_2026_03 [^\n]*\n\s+Index Cond: \(\(owner_id = 'own_a'::text\) AND \(corridor = 'GB-NG'::text\)\)/,
} satisfies Record<Engine, RegExp>

for (const engine of engines) {
  test(`${engine}: the newest scores of an owner and corridor are read at once, without shadow ones and repeats`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store } = harness
      const scores = (countMax = 50): Promise<readonly number[]> =>
        store.forOwner('own_a').liveScores(corridor, countMax)
      assert.deepEqual(await scores(), [])
      for (let score = 1; score <= 60; score += 1) {
        await commit(harness, { scoreHundredths: score })
        // Nothing has been followed: a decision never reads a projection.
        if (score <= 3) assert.equal((await scores())[0], score)
      }
      await commit(harness, { scoreHundredths: 91, mode: 'shadow' })
      await commit(harness, { scoreHundredths: 92, ownerId: 'own_b' })
      await commit(harness, { scoreHundredths: 93, corridor: 'NG-GB' as Corridor })
      await commit(harness, {
        scoreHundredths: 94,
        cooldownSourceId: 'SVC-OTHER' as Verification['requestId'],
      })
      const newestFirst = Array.from({ length: 60 }, (_, place) => 60 - place)
      assert.deepEqual(await scores(), newestFirst.slice(0, 50))
      assert.deepEqual(await scores(2), [60, 59])
      assert.deepEqual(await store.forOwner('own_b').liveScores(corridor, 50), [92])
    })
  })

  test(`${engine}: scores are found by their index, newest first, without a sort`, async () => {
    await withHarness({ engine }, async ({ databaseUrl }) => {
      await fillForPlans(engine, databaseUrl)
      const plan = await planOf(engine, databaseUrl)
      assert.match(plan, readsByIndex[engine])
      assert.doesNotMatch(plan, /Seq Scan|Sort|TEMP B-TREE|SCAN/)
    })
  })
}

/** GET /api/verifications?correlation_id=…: exactly those, whatever else is asked, at the cost of few rows. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list } from '../../../src/adapters/store/records/history/list.ts'
import type { HistoryQuery } from '../../../src/app/ports/records.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import { firstRequestIdAt } from '../../../src/core/identity/request-id.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'

interface Made {
  readonly id: string
  readonly decision: string
  readonly corridor: string
  readonly reference: string
  readonly at: number
}

/** Longer than a page, in every way to decide, under few references. */
async function makeMany(harness: Harness, key: string): Promise<Made[]> {
  const made: Made[] = []
  for (let index = 0; index < 36; index += 1) {
    harness.clock.advance(1_000)
    const corridor = ['GB-NG', 'NG-GB'][index % 2] ?? ''
    const amount = [10, 60_000, 600_000][Math.floor(index / 2) % 3] ?? 0
    const reference = ['invoice-1', 'it\u2019s "ours" 50%_☕', 'INVOICE-1'][Math.floor(index / 6) % 3] ?? ''
    const { body } = await harness.verify(key, { corridor, amount, correlation_id: reference })
    const at = harness.clock.nowMs()
    made.push({ id: body.request_id, decision: body.decision, corridor, reference, at })
  }
  return made
}

async function walk(harness: Harness, key: string, query: URLSearchParams): Promise<string[]> {
  const ids: string[] = []
  let next: string | undefined = `/api/verifications?${query.toString()}`
  while (next !== undefined) {
    const answer = await harness.get(key, next)
    assert.equal(answer.status, 200, answer.text)
    ids.push(...answer.body.map((item: { request_id: string }) => item.request_id))
    next = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1]
  }
  return ids
}

/** The plan of a page, as the engine tells it. */
async function planOf(engine: Engine, url: string, asked: Partial<HistoryQuery>): Promise<string> {
  const none = { verdict: null, corridor: null, correlationId: null, fromMs: null, toMs: null, before: null }
  const statement = list('own_a', { ...none, limit: 50, ...asked }).next().value as readonly {
    sql: string
    values: readonly (string | number)[]
  }[]
  const { sql, values } = statement[0] ?? assert.fail()
  const literal = (value: string | number): string =>
    typeof value === 'number' ? String(value) : `'${value}'`
  const text = sql.replaceAll(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1] ?? ''))
  const asking =
    engine === 'sqlite' ? `EXPLAIN QUERY PLAN ${text}` : `EXPLAIN ${text.replaceAll(/ INDEXED BY \w+/g, '')}`
  return withDirectDatabase(url, async ({ run }) =>
    (await run(asking)).map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n'),
  )
}

/** PostgreSQL plans by what there is: many records, some of a few to each reference and a third with the very same. SQLite does not look. */
async function fillForPlans(engine: Engine, url: string): Promise<void> {
  if (engine === 'sqlite') return
  const ids = firstRequestIdAt(Date.UTC(2026, 2, 10)).slice(0, -16)
  await withDirectDatabase(url, async ({ run }) => {
    await run(`INSERT INTO verifications SELECT '${ids}' || lpad(CAST(n AS text), 16, '0'), 'own_a', 'key_a', 'shadow',
        CASE n % 5 WHEN 0 THEN 'GB-NG' ELSE 'NG-GB' END,
        CASE n % 3 WHEN 0 THEN 'GO' WHEN 1 THEN 'DEGRADED' ELSE 'NO-GO' END, 90, 90, 1, 'GBP',
        CASE WHEN n % 9 < 3 THEN 'the-same' ELSE 'invoice-' || n / 3 END, 0, 0, NULL, '{}', '{}'
      FROM generate_series(1, 20000) AS n`)
    await run('ANALYZE verifications')
  })
}

/** How a plan tells that a branch begins where the owner, the reference and the decision do. */
const readsByCorrelation = {
  sqlite: /COVERING INDEX verifications_by_correlation \(owner_id=\? AND correlation_id=\? AND decision=\?/,
  postgres:
    /Index Cond: \(\(owner_id = 'own_a'::text\) AND \(correlation_id = '[^']+'::text\) AND \(decision = '/,
} satisfies Record<Engine, RegExp>

const judgesCorridor = {
  sqlite: /COVERING INDEX verifications_by_correlation/,
  postgres: /Index Cond: [^\n]*corridor = 'GB-NG'/,
} satisfies Record<Engine, RegExp>

for (const engine of engines) {
  test(`every combination with other filters gives what a plain filter over all records gives (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
      const { key } = await harness.issue()
      const others = await harness.issue()
      await makeMany(harness, others.key)
      const all = await makeMany(harness, key)
      await harness.verify(key, { corridor: 'GB-NG' })
      const fromMs = all[9]?.at ?? 0
      for (const reference of [...new Set(all.map((one) => one.reference)), 'nobody']) {
        for (const decision of [null, 'GO', 'NO-GO']) {
          for (const corridor of [null, 'GB-NG', 'FR-DE']) {
            for (const from of [null, fromMs]) {
              const query = new URLSearchParams({ limit: '4', correlation_id: reference })
              if (decision !== null) query.set('decision', decision)
              if (corridor !== null) query.set('corridor', corridor)
              if (from !== null) query.set('from', new Date(from).toISOString())
              const expected = all
                .filter((one) => one.reference === reference && (from === null || one.at >= from))
                .filter((one) => decision === null || one.decision === decision)
                .filter((one) => corridor === null || one.corridor === corridor)
                .map((one) => one.id)
                .toReversed()
              assert.deepEqual(await walk(harness, key, query), expected, query.toString())
            }
          }
        }
      }
    })
  })

  test(`a page by correlation id is read from its index, a branch a verdict, whatever else is asked (${engine})`, async () => {
    await withHarness({ engine }, async ({ databaseUrl }) => {
      await fillForPlans(engine, databaseUrl)
      const before = firstRequestIdAt(Date.UTC(2026, 2, 20))
      for (const correlationId of ['invoice-1', 'the-same']) {
        for (const more of [
          {},
          { corridor: 'GB-NG' as Corridor },
          { corridor: 'GB-NG' as Corridor, verdict: 'NO-GO' as const },
          { verdict: 'GO' as const, before, fromMs: 0, toMs: Date.UTC(2027, 0) },
        ]) {
          const plan = await planOf(engine, databaseUrl, { correlationId, ...more })
          const branches = plan.split('\n').filter((line) => readsByCorrelation[engine].test(line))
          // On PostgreSQL a branch reads each month so, in the same words.
          const count =
            engine === 'sqlite' ? branches.length : new Set(branches.map((line) => line.trim())).size
          assert.equal(count, 'verdict' in more ? 1 : 3, plan)
          // A record of another corridor is passed over in the index, not read and dropped.
          if ('corridor' in more) assert.match(plan, judgesCorridor[engine])
          assert.doesNotMatch(plan, /SCAN verifications|Seq Scan on verifications_2026_03/)
        }
      }
      const plain = await planOf(engine, databaseUrl, {})
      assert.doesNotMatch(plain, /correlation/)
    })
  })
}

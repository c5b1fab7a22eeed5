/** Backtests: every record of a stretch is decided again, and the figures are those that SQL alone finds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase, type SqlRow } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import {
  backtested,
  decideOn,
  endedBacktest,
  idle,
  policiesOf,
  ruleOf,
  startBacktest,
  stopAll,
  teamOn,
} from '../../helpers/policies.ts'
import { planted, sendTraffic, stepsOf } from '../../helpers/policy-traffic.ts'

const options = { feeds: simulatedFeeds, settings: { FAIRWAY_LIMIT_KEYED: '1000000/60' } }

for (const engine of engines) {
  test(`${engine}: the active policy on its own records flips nothing`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const team = await teamOn(harness)
      const live = await harness.issue({ prefix: 'pk_live_', ownerId: team.ownerId })
      await sendTraffic([harness], [team.author.key], stepsOf(5, 11))
      harness.clock.advance(1)
      const policyId = await team.putInForce(planted)
      const from = new Date(harness.clock.nowMs()).toISOString()
      await sendTraffic([harness], [team.author.key, live.key], stepsOf(40, 12))
      const report = await backtested(harness, team.author.key, policyId, { from, to: '2100-01-01' })
      assert.deepEqual([report.records, report.unchanged, report.flips], [40, 40, {}])
      assert.deepEqual([report.amounts, report.samples, report.undecided], [[], [], 0])
      assert.ok(
        report.by_rule.every(({ fired }: { fired: number }) => fired > 0),
        'rules fire as they did',
      )
    })
  })
}

/** Every part of it can be said in SQL. */
const document = {
  name: 'In SQL',
  caps: { NGN: { review_above: 5_000, block_above: 40_000 } },
  go_floor: 0.95,
  no_go_below: 0.7,
  rules: [
    ruleOf('large', 'amount > 20000.0', 'DEGRADED'),
    ruleOf('pairs', 'origin == "NG" && currency == "GBP"'),
    ruleOf('shadow', 'mode == "shadow" && currency == "USD"', 'DEGRADED'),
  ],
}

/** The verdict of each record under the document above: the row's columns and the caps of the contract, no code of ours. */
const judged = `SELECT v.*, CASE
    WHEN cooldown_source_id IS NOT NULL THEN decision
    WHEN (substr(corridor, 1, 2) = 'NG' AND currency = 'GBP')
      OR amount > 500000 OR (currency = 'NGN' AND amount > 40000)
      OR (corridor IN ('GB-NG', 'NG-GB') AND score_hundredths < 70) THEN 'NO-GO'
    WHEN amount IS NULL OR amount > 20000 OR (mode = 'shadow' AND currency = 'USD')
      OR amount > 50000 OR (currency = 'NGN' AND amount > 5000)
      OR corridor NOT IN ('GB-NG', 'NG-GB') OR score_hundredths < 95 THEN 'DEGRADED'
    ELSE 'GO' END AS again,
    coalesce((SELECT outcome FROM outcomes r WHERE r.request_id = v.request_id ORDER BY is_final DESC LIMIT 1),
      'unreported') AS outcome
  FROM verifications v WHERE owner_id = $1`

type Run = (sql: string) => Promise<SqlRow[]>

/** `GO>DEGRADED` and the like, by group. */
async function flipsBy(run: Run, group: string): Promise<Record<string, Record<string, number>>> {
  const rows = await run(`SELECT ${group} AS name, decision || '>' || again AS flip, count(*) AS count
    FROM judged WHERE decision <> again GROUP BY 1, 2 ORDER BY 1, 2`)
  const groups = Map.groupBy(rows, (row) => String(row['name']))
  return Object.fromEntries(
    [...groups].map(([name, some]) => [
      name,
      Object.fromEntries(some.map((row) => [String(row['flip']), Number(row['count'])])),
    ]),
  )
}

async function reportBySql(harness: Harness, ownerId: string) {
  return withDirectDatabase(harness.databaseUrl, async ({ run: ask }) => {
    const run: Run = (sql) => ask(`WITH judged AS (${judged}) ${sql}`, [ownerId])
    const counts = async (member: 'corridor' | 'currency') => {
      const flips = await flipsBy(run, member)
      const rows = await run(`SELECT ${member} AS name, count(*) AS count FROM judged GROUP BY 1 ORDER BY 1`)
      return rows.map(({ name, count }) => ({
        [member]: name,
        records: Number(count),
        flips: flips[String(name)] ?? {},
      }))
    }
    const [total] = await run(
      'SELECT count(*) AS all_of_them, sum(decision = again) AS unchanged FROM judged',
    )
    const amounts = await run(`SELECT currency, round(sum(coalesce(amount, 0)), 6) AS newly_stopped,
      count(*) AS payments FROM judged WHERE decision = 'GO' AND again <> 'GO' GROUP BY 1 ORDER BY 1`)
    const outcomes = await run(
      `SELECT outcome, count(*) AS count FROM judged WHERE decision = 'GO' AND again <> 'GO' GROUP BY 1`,
    )
    const samples = await run(`SELECT request_id FROM judged WHERE decision <> again ORDER BY 1 DESC`)
    return {
      records: Number(total?.['all_of_them']),
      unchanged: Number(total?.['unchanged']),
      flips: (await flipsBy(run, `'all'`))['all'] ?? {},
      by_corridor: await counts('corridor'),
      by_currency: await counts('currency'),
      amounts: amounts.map((row) => ({ ...row })),
      outcomes: Object.fromEntries(outcomes.map((row) => [String(row['outcome']), Number(row['count'])])),
      samples: samples.map((row) => String(row['request_id'])),
    }
  })
}

test('the flips, amounts and outcomes of a planted candidate are those that independent SQL counts', async () => {
  await withHarness(options, async (harness) => {
    const team = await teamOn(harness)
    const live = await harness.issue({ prefix: 'pk_live_', ownerId: team.ownerId })
    const stranger = await harness.issue()
    const keys = [team.author.key, team.approver.key, live.key, stranger.key]
    await sendTraffic([harness], keys, stepsOf(160, 13))
    const {
      undecided,
      by_rule: rules,
      ...report
    } = await backtested(harness, team.author.key, await team.create(document))
    const reached = Object.entries(report.outcomes.newly_stopped).filter(([, count]) => Number(count) > 0)
    const expected = await reportBySql(harness, team.ownerId)
    assert.deepEqual(
      {
        ...report,
        outcomes: Object.fromEntries(reached),
        samples: report.samples.map(({ request_id: id }: { request_id: string }) => id),
      },
      expected,
    )
    assert.equal(undecided, 0)
    assert.ok(Object.keys(expected.flips).length >= 3, JSON.stringify(expected.flips))
    assert.ok(Object.keys(expected.outcomes).length >= 4, JSON.stringify(expected.outcomes))
    const fired = await rowsOf(
      harness.databaseUrl,
      `SELECT sum(amount IS NULL OR amount > 20000) AS large,
          sum(substr(corridor, 1, 2) = 'NG' AND currency = 'GBP') AS pairs,
          sum(mode = 'shadow' AND currency = 'USD') AS shadow
        FROM verifications WHERE owner_id = '${team.ownerId}' AND cooldown_source_id IS NULL`,
    )
    for (const { rule_id: id, fired: count } of rules) assert.equal(count, Number(fired[0]?.[id]), id)
  })
})

test('a stretch begins with its first moment and ends before its last, in one mode or both', async () => {
  await withHarness(options, async (harness) => {
    const { clock } = harness
    const team = await teamOn(harness)
    const live = await harness.issue({ prefix: 'pk_live_', ownerId: team.ownerId })
    const { key } = team.author
    const startMs = clock.nowMs()
    for (let second = 0; second < 5; second += 1) {
      await decideOn(harness, key)
      await decideOn(harness, second % 2 === 0 ? live.key : key)
      clock.advance(1_000)
    }
    const policyId = await team.create(stopAll)
    const at = (second: number, ms = 0): string => new Date(startMs + second * 1_000 + ms).toISOString()
    const countOf = async (from: string, to: string, mode?: 'shadow' | 'live'): Promise<number> => {
      const body = { from, to, ...(mode === undefined ? {} : { mode }) }
      return (await backtested(harness, key, policyId, body)).records
    }
    assert.equal(await countOf(at(0), at(5)), 10)
    assert.equal(await countOf(at(0), at(5), 'live'), 3)
    assert.equal(await countOf(at(0), at(5), 'shadow'), 7)
    assert.equal(await countOf(at(1), at(2)), 2, 'the first moment belongs to it, the last does not')
    assert.equal(await countOf(at(1, 1), at(2)), 0)
    assert.equal(await countOf(at(1), at(2, 1)), 4)
    assert.equal(await countOf('2020-01-01', at(0)), 0)
    assert.equal(await countOf(at(4, 1), '9999-12-31'), 0)
  })
})

test('a stretch without records has a report in which every figure is 0', async () => {
  await withHarness(options, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    const policyId = await team.create(stopAll)
    const backtestId = await startBacktest(harness, key, policyId, { from: '2020-01-01', to: '2020-01-02' })
    const ended = await endedBacktest(harness, key, policyId, backtestId)
    assert.deepEqual([ended.status, ended.progress, ended.error], ['done', { records: 0, total: 0 }, null])
    const { records, unchanged, by_rule: rules, samples } = ended.report
    assert.deepEqual([records, unchanged, samples], [0, 0, []])
    assert.deepEqual(rules, [{ rule_id: 'all', fired: 0, decided: 0 }])
  })
})

/** The time of an id, and its random digits in another order. */
const swappedId = 'substr(request_id, 1, 19) || substr(request_id, -8) || substr(request_id, -16, 8)'

/** A copy of every record with another id and another form of this column, past our own code. */
async function copyWith({ databaseUrl }: Harness, column: 'evidence', sql: string): Promise<void> {
  await withDirectDatabase(databaseUrl, async ({ run }) => {
    const names = (await run(`SELECT name FROM pragma_table_info('verifications')`)).map((row) =>
      String(row['name']),
    )
    const values = names.map((name) => (name === 'request_id' ? swappedId : name === column ? sql : name))
    await run(
      `INSERT INTO verifications (${names.join(', ')}) SELECT ${values.join(', ')} FROM verifications`,
    )
  })
}

test('a record of another engine version is undecided, and in no other figure', async () => {
  await withHarness(options, async (harness) => {
    const team = await teamOn(harness)
    await decideOn(harness, team.author.key)
    await copyWith(harness, 'evidence', `replace(evidence, '"engine":"1.3.0"', '"engine":"1.2.0"')`)
    const rows = await rowsOf(harness.databaseUrl, 'SELECT evidence FROM verifications')
    assert.equal(rows.filter(({ evidence }) => String(evidence).includes('"1.2.0"')).length, 1)
    const report = await backtested(harness, team.author.key, await team.create(stopAll))
    assert.deepEqual([report.records, report.undecided, report.flips], [1, 1, { 'GO>NO-GO': 1 }])
    assert.deepEqual([report.samples.length, report.by_corridor[0].records], [1, 1])
  })
})

test('a backtest that fails says so in a sentence, without a report, and the next one runs', async () => {
  await withHarness(options, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    const policyId = await team.create(stopAll)
    await decideOn(harness, key)
    harness.clock.advance(1)
    const later = new Date(harness.clock.nowMs()).toISOString()
    await decideOn(harness, key)
    await copyWith(harness, 'evidence', `'not JSON'`)
    const whole = await endedBacktest(
      harness,
      key,
      policyId,
      await startBacktest(harness, key, policyId, { from: '2020-01-01', to: '2100-01-01' }),
    )
    const { status, report, error, ended_at: endedAt } = whole
    assert.deepEqual([status, report], ['failed', null])
    assert.equal(error, 'The backtest failed at a record. See the log of the server.')
    assert.equal(endedAt, later)
    assert.ok(harness.log.some((line) => line.includes('backtests: bkt_')))
    const empty = await backtested(harness, key, policyId, { from: '2020-01-01', to: '2020-01-02' })
    assert.equal(empty.records, 0)
  })
})

test('the newest twenty backtests of a policy are listed, newest first', async () => {
  await withHarness(options, async (harness) => {
    const team = await teamOn(harness)
    const policyId = await team.create(idle)
    const own = policiesOf(harness, team.ownerId)
    const range = { fromMs: 0, toMs: 1, mode: null }
    const ids: string[] = []
    for (let count = 0; count < 22; count += 1) {
      const started = await own.startBacktest(policyId, range)
      const { backtestId } = typeof started === 'object' && started !== null ? started : assert.fail()
      ids.push(backtestId)
      assert.equal(await own.cancelBacktest(policyId, backtestId), true)
    }
    const { body } = await harness.get(team.author.key, `/api/v1/policies/${policyId}/backtests`)
    assert.deepEqual(
      body.backtests.map(({ backtest_id: id }: { backtest_id: string }) => id),
      ids.toReversed().slice(0, 20),
    )
  })
})

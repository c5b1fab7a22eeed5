/** Histories over many months on PostgreSQL: what a page holds, and which months it takes to fill it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { findAllByMonth } from '../../../src/adapters/store/records/find.ts'
import { listByMonth } from '../../../src/adapters/store/records/history/list.ts'
import type { Row, Script, Statement } from '../../../src/adapters/store/engine/script.ts'
import type { HistoryQuery, VerificationSummary } from '../../../src/app/ports/records.ts'
import { monthAt, monthStartMs } from '../../../src/core/time/month.ts'
import type { RequestId } from '../../../src/core/identity/request-id.ts'
import { dayMs, firstMonth, withPast, type Past } from '../../helpers/database/months.ts'

const all: HistoryQuery = {
  limit: 10,
  before: null,
  verdict: null,
  corridor: null,
  correlationId: null,
  fromMs: null,
  toMs: null,
}

const monthOn = (months: number): string => monthAt(monthStartMs(firstMonth, months))

/** So many in each of the months, oldest first. */
async function fill(past: Past, months: number, each: number): Promise<string[]> {
  const ids: string[] = []
  for (let place = 0; place < months; place += 1) ids.push(...(await past.record(monthOn(place), each)))
  return ids
}

async function ownerOf(past: Past): Promise<string> {
  const [key] = await past.store.keys.list()
  return key?.ownerId ?? assert.fail('there is no key')
}

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

interface Work {
  /** Months that the plans know of. */
  readonly planned: ReadonlySet<string>
  /** Months that were looked into. */
  readonly scanned: ReadonlySet<string>
}

function literal(value: Statement['values'][number]): string {
  return value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`
}

/** As the service sends them: prepared, with a plan that is made without the values, unless it keeps none. */
async function explain(client: pg.Client, { sql, values, isUncached }: Statement): Promise<Plan> {
  await client.query(`SET plan_cache_mode = force_${isUncached === true ? 'custom' : 'generic'}_plan`)
  await client.query(`PREPARE asked AS ${sql.replaceAll(/ INDEXED BY \w+/g, '')}`)
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked(${values.map(literal).join(', ')})`,
  )
  await client.query('DEALLOCATE asked')
  return rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail('there is no plan')
}

/** Runs a script as the driver does, and looks at the plan of each of its statements. */
async function workOf<Result>({ databaseUrl }: Past, script: Script<Result>): Promise<Work> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const work = { planned: new Set<string>(), scanned: new Set<string>() }
  try {
    for (let step = script.next(); step.done !== true;) {
      const results: Row[][] = []
      for (const statement of step.value) {
        for (const { 'Relation Name': name, 'Actual Loops': loops } of nodesOf(
          await explain(client, statement),
        )) {
          if (name === undefined || !/^verifications_\d/.test(name)) continue
          work.planned.add(name)
          if (loops > 0) work.scanned.add(name)
        }
        const text = statement.sql.replaceAll(/ INDEXED BY \w+/g, '')
        results.push((await client.query<Row>(text, [...statement.values])).rows)
      }
      step = script.next(results)
    }
  } finally {
    await client.end()
  }
  return work
}

/** By their names. */
const tablesOf = (...months: readonly number[]): string[] =>
  months.map((place) => `verifications_${monthOn(place).replace('-', '_')}`).toSorted()

const monthsMany = 40

test('postgres: a page looks into the months that fill it and into no others, and knows of no others where two fill it', async () => {
  await withPast(async (past) => {
    const ids = await fill(past, monthsMany, 3)
    const ownerId = await ownerOf(past)
    const nowMs = past.clock.nowMs()
    const last = monthsMany - 1
    const [newestTable = ''] = tablesOf(last)
    /** Months that are made ahead are empty, and always three at most. */
    const without = (names: ReadonlySet<string>): string[] =>
      [...names].filter((name) => name <= newestTable).toSorted()
    const check = async (more: Partial<HistoryQuery>, months: readonly number[], knows = months) => {
      const { scanned, planned } = await workOf(past, listByMonth(ownerId, { ...all, ...more }, nowMs))
      assert.deepEqual(without(scanned), tablesOf(...months), JSON.stringify(more))
      assert.deepEqual(without(planned), tablesOf(...knows), JSON.stringify(more))
    }
    await check({ limit: 3 }, [last])
    await check({ limit: 5 }, [last - 1, last])
    await check({ limit: 3, verdict: 'GO' }, [last])
    // The newest of month 20: two of it come before, and one of the month before.
    const before = ids[20 * 3 + 2] as RequestId
    await check({ limit: 3, before }, [19, 20])
    const fromMs = monthStartMs(firstMonth, 10)
    await check({ limit: 50, fromMs, toMs: fromMs + 20 * dayMs }, [10])
    await check({ limit: 3, toMs: fromMs }, [9])
    // Two months do not fill it: one statement knows them all, and looks into no more than it takes.
    const every = Array.from({ length: monthsMany }, (_, place) => place)
    await check({ limit: 8, verdict: 'GO' }, [last - 2, last - 1, last], every)
  })
})

test('postgres: records are looked for in their own months alone, and so is each of them found', async () => {
  await withPast(async (past) => {
    const ids = (await fill(past, 12, 1)) as RequestId[]
    const ownerId = await ownerOf(past)
    const nowMs = past.clock.nowMs()
    const asked = (...places: readonly number[]) =>
      places.map((place) => ({ ownerId, requestId: ids[place] ?? assert.fail() }))
    for (const places of [...ids.map((_, place) => [place]), [2, 5, 9], [3, 10, 11]]) {
      const { scanned, planned } = await workOf(past, findAllByMonth(asked(...places), nowMs))
      assert.deepEqual([...scanned].toSorted(), tablesOf(...places))
      assert.deepEqual(planned, scanned)
    }
    const records = past.store.forOwner(ownerId)
    const found = await Promise.all(ids.toReversed().map((id) => records.find(id)))
    assert.deepEqual(
      found.map((one) => one?.requestId),
      ids.toReversed(),
    )
  })
})

/** What a page holds, from all records: newest first. */
function expected(records: readonly VerificationSummary[], asked: HistoryQuery): string[] {
  return records
    .filter(
      (one) =>
        (asked.before === null || one.requestId < asked.before) &&
        (asked.verdict === null || one.verdict === asked.verdict) &&
        (asked.corridor === null || one.corridor === asked.corridor) &&
        (asked.correlationId === null || one.correlationId === asked.correlationId) &&
        (asked.fromMs === null || one.recordedAtMs >= asked.fromMs) &&
        (asked.toMs === null || one.recordedAtMs < asked.toMs),
    )
    .slice(0, asked.limit)
    .map(({ requestId }) => requestId)
}

test('postgres: whatever is asked for, a page over many months is the newest of what there is', async () => {
  await withPast(async (past) => {
    await fill(past, 9, 2)
    for (const place of [1, 4, 8]) {
      past.clock.setWall(monthStartMs(firstMonth, place) + 20 * dayMs)
      await past.verify(past.key, { corridor: 'US-MX', amount: 1, correlation_id: 'order 7' })
    }
    const records = past.store.forOwner(await ownerOf(past))
    const whole = await records.list({ ...all, limit: 500 })
    assert.equal(whole.length, 21)
    const corridor = whole.find(({ verdict }) => verdict === 'DEGRADED')?.corridor ?? assert.fail()
    const [epochMs, beyondMs] = [14 * dayMs, Date.UTC(9999, 11, 31)]
    const ends = [null, ...[0, 4, 7].map((place) => monthStartMs(firstMonth, place)), epochMs, beyondMs]
    const filters: Partial<HistoryQuery>[] = [
      {},
      { verdict: 'GO' },
      { verdict: 'NO-GO' },
      { corridor },
      { correlationId: 'order 7' },
    ]
    for (const filter of filters) {
      for (const before of [null, whole[0], whole[6], whole[20]]) {
        for (const fromMs of ends) {
          for (const toMs of ends) {
            for (const limit of [1, 5, 21]) {
              const asked = { ...all, ...filter, before: before?.requestId ?? null, fromMs, toMs, limit }
              const page = await records.list(asked)
              assert.deepEqual(
                page.map(({ requestId }) => requestId),
                expected(whole, asked),
                JSON.stringify(asked),
              )
            }
          }
        }
      }
    }
  })
})

/** The recipe for a warehouse: every decision is one row, however the load is killed. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { FairwayClient } from '../../../client/src/index.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { serveInProcess, type ServedInProcess } from '../../helpers/process/in-process.ts'
import type { Finished } from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'
import { nowhere } from '../../helpers/process/user.ts'
import { recipeProject, startRecipe, type RunningRecipe } from '../../helpers/recipes.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairway-test-'))

let database: FreshDatabase
let server: ServedInProcess
let project: string

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_COOLDOWN_S: '0' })
  project = await recipeProject(folder, ['warehouse-load.ts'], ['pg'])
})

after(async () => {
  await server.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

interface Load {
  readonly client: FairwayClient
  readonly warehouse: pg.Client
  /** Holds the row of the cursor until the work is done, so that a load waits for it with its rows inserted. */
  readonly holdingCursor: (work: () => Promise<void>) => Promise<void>
  readonly start: (args?: readonly string[], more?: Readonly<Record<string, string>>) => RunningRecipe
  /** Runs it to its end, which must be a good one. */
  readonly run: () => Promise<Finished>
  readonly decide: (...amounts: readonly number[]) => Promise<void>
  readonly count: () => Promise<number>
  /** The rows are the records of the service: each one, once, with its values. */
  readonly expectSame: () => Promise<void>
}

const columns = `request_id, decision, score::text, confidence::text, corridor, amount::text, currency,
  reason_codes, correlation_id, mode`

async function withLoad(work: (load: Load) => Promise<void>): Promise<void> {
  const { key: apiKey } = await issueByCli(database.url)
  const target = await freshDatabase('postgres')
  const { url } = target
  const warehouse = new pg.Client({ connectionString: url })
  await warehouse.connect()
  const client = new FairwayClient({ baseUrl: server.url, apiKey })
  const running: RunningRecipe[] = []
  const start: Load['start'] = (args = [], more = {}) => {
    const settings = { FAIRWAY_URL: server.url, FAIRWAY_API_KEY: apiKey, WAREHOUSE_URL: url, ...more }
    const recipe = startRecipe(project, ['warehouse-load.ts', ...args], settings)
    running.push(recipe)
    return recipe
  }
  try {
    await work({
      client,
      warehouse,
      start,
      async holdingCursor(meanwhile) {
        const holder = new pg.Client({ connectionString: url })
        await holder.connect()
        try {
          await holder.query('BEGIN')
          await holder.query('SELECT * FROM fairway_cursor FOR UPDATE')
          await meanwhile()
        } finally {
          await holder.end()
        }
      },
      async run() {
        const result = await start().ended
        assert.equal(result.code, 0, result.stderr)
        return result
      },
      async decide(...amounts) {
        for (const amount of amounts) await client.verify({ corridor: 'GB-NG', amount, currency: 'GBP' })
      },
      async count() {
        const { rows } = await warehouse.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM fairway_decisions',
        )
        return rows[0]?.n ?? 0
      },
      async expectSame() {
        const { rows } = await warehouse.query(`SELECT ${columns} FROM fairway_decisions ORDER BY request_id`)
        assert.deepEqual(rows, await recordsOf(client))
      },
    })
  } finally {
    for (const recipe of running) await recipe.stop('SIGKILL')
    await warehouse.end()
    await target.drop()
  }
  for (const recipe of running) assert.ok(!recipe.output().includes(apiKey.slice(8)), 'the key was shown')
}

const loads = `FROM pg_stat_activity WHERE application_name = 'fairway-load' AND datname = current_database()`
const endLoads = `SELECT pg_terminate_backend(pid, 10000) ${loads}`

/** How many loads wait for a lock. */
async function waiting(warehouse: pg.Client): Promise<number> {
  const { rows } = await warehouse.query<{ n: number }>(
    `SELECT count(*)::int AS n ${loads} AND wait_event_type = 'Lock'`,
  )
  return rows[0]?.n ?? 0
}

/** The records as the service itself lists them, in the form of the rows. */
async function recordsOf(client: FairwayClient): Promise<object[]> {
  const records: object[] = []
  for await (const record of client.verifications()) {
    const whole = await client.audit(record.request_id)
    records.push({
      request_id: whole.request_id,
      decision: whole.decision,
      score: String(whole.score),
      confidence: String(whole.confidence),
      corridor: whole.corridor,
      amount: whole.amount === null ? null : String(whole.amount),
      currency: whole.currency,
      reason_codes: whole.reason_codes,
      correlation_id: whole.correlation_id,
      mode: whole.mode,
    })
  }
  return records.toReversed()
}

test('a run loads every decision with its values, and ends; the next one loads what is new', () =>
  withLoad(async ({ client, run, decide, expectSame, warehouse }) => {
    await decide(1000, 0.1, 123_456_789_012.34, 1000.01, 1000.08)
    await client.verify({ corridor: 'NG-GB' })
    const hostile = `'); DROP TABLE fairway_decisions; -- "\\" {a,b} \u{1f4b8}`
    const overridden = await client.verify({ corridor: 'GB-KE', amount: 5, correlation_id: hostile })
    assert.ok(!overridden.held)
    await client.override({
      request_id: overridden.request_id,
      action: 'EXECUTE',
      reason_code: 'PAYEE_CALLED',
      justification: 'The payee was called.',
    })
    assert.match((await run()).stdout, /^7 decisions, up to evt_/)
    await expectSame()
    assert.equal((await run()).stdout, '', 'nothing is new')
    await decide(7)
    assert.match((await run()).stdout, /^1 decisions, up to evt_/)
    await expectSame()
    const { rows } = await warehouse.query<Record<'name' | 'type', string>>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_name = 'fairway_decisions' AND column_name IN ('amount', 'evaluated_at', 'recorded_at')`,
    )
    assert.deepEqual(rows.map(({ name, type }) => `${name} ${type}`).toSorted(), [
      'amount numeric',
      'evaluated_at timestamp with time zone',
      'recorded_at timestamp with time zone',
    ])
  }))

test('killed between the rows and the cursor it leaves neither, and the next run loads all, once', () =>
  withLoad(async ({ warehouse, holdingCursor, start, run, decide, count, expectSame }) => {
    await decide(10)
    await run()
    await decide(20, 30, 40)
    await holdingCursor(async () => {
      const load = start()
      while ((await waiting(warehouse)) < 1) assert.equal(load.child.exitCode, null, load.output())
      await load.stop('SIGKILL')
      await warehouse.query(endLoads)
    })
    assert.equal(await count(), 1)
    await run()
    await expectSame()
  }))

test('followed and killed again and again while decisions are made, it loses and doubles nothing', () =>
  withLoad(async ({ start, run, decide, count, expectSame, warehouse }) => {
    await decide(1)
    await run()
    for (let round = 1; round <= 5; round += 1) {
      const load = start(['--follow'])
      const loaded = await count()
      const deciding = decide(...Array.from({ length: 15 }, (_, index) => round * 100 + index))
      // At another moment each time: as soon as so many rows are there.
      while ((await count()) < loaded + round * 2) assert.equal(load.child.exitCode, null, load.output())
      await load.stop('SIGKILL')
      await deciding
    }
    await run()
    assert.equal(await count(), 76)
    await expectSame()
    const { rows } = await warehouse.query(
      'SELECT count(DISTINCT event_id)::int AS events FROM fairway_decisions',
    )
    assert.deepEqual(rows, [{ events: 76 }])
  }))

test('a cursor that was lost loads everything again, and doubles nothing', () =>
  withLoad(async ({ warehouse, run, decide, expectSame }) => {
    await decide(10, 20)
    await run()
    await warehouse.query('UPDATE fairway_cursor SET next = NULL')
    await decide(30)
    assert.match((await run()).stdout, /^3 decisions/)
    await expectSame()
  }))

test('of two loads at once the second ends with a message, and nothing is doubled', () =>
  withLoad(async ({ warehouse, holdingCursor, start, run, decide, count, expectSame }) => {
    await decide(10)
    await run()
    await decide(20)
    const both: RunningRecipe[] = []
    await holdingCursor(async () => {
      both.push(start(), start())
      while ((await waiting(warehouse)) < 2)
        for (const { child, output } of both) assert.equal(child.exitCode, null, output())
    })
    const ended = await Promise.all(both.map((load) => load.ended))
    assert.deepEqual(new Set(ended.map(({ code }) => code)), new Set([0, 1]))
    assert.match(ended.map(({ stderr }) => stderr).join(''), /another load has moved the cursor/)
    assert.equal(await count(), 2)
    await expectSame()
  }))

test('a warehouse that goes away ends it with a message, and the next run goes on', () =>
  withLoad(async ({ warehouse, start, run, decide, expectSame }) => {
    await decide(10)
    const load = start(['--follow'])
    await load.said(/1 decisions/)
    await warehouse.query(endLoads)
    const { code, stderr } = await load.ended
    assert.equal(code, 1)
    assert.match(stderr, /^warehouse-load: .*terminat/)
    await decide(20)
    await run()
    await expectSame()
  }))

test('a missing setting, a refused key, an unknown cursor and an absent database are named without any secret', () =>
  withLoad(async ({ warehouse, start, run }) => {
    await run()
    const refused = `pk_test_${'a'.repeat(32)}`
    const absent = (await nowhere()).replace('http://', 'postgres://load:hidden-password@')
    const cases = [
      [{ FAIRWAY_API_KEY: '' }, /Set FAIRWAY_API_KEY to a key with the scope audit:read/],
      [{ WAREHOUSE_URL: '' }, /Set WAREHOUSE_URL to postgres:/],
      [{ FAIRWAY_API_KEY: refused }, /\(UNAUTHORIZED\)/],
      [{ WAREHOUSE_URL: absent }, /ECONNREFUSED/],
      [{ WAREHOUSE_URL: 'hidden-password' }, /warehouse-load: /],
    ] as const
    for (const [settings, message] of cases) {
      const { code, stderr } = await start([], settings).ended
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.ok(!stderr.includes(refused) && !stderr.includes('hidden-password'), stderr)
    }
    await warehouse.query(`UPDATE fairway_cursor SET next = 'evt_01m7ek86879492mkk2679nv0e3'`)
    const { code, stderr } = await start().ended
    assert.equal(code, 1)
    assert.match(stderr, /\(INVALID_REQUEST\)/)
  }))

/** Every record is followed by its event, exactly once, and there is never an event without what it tells of. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { override } from '../../helpers/webhooks.ts'

/** Makes every write to a table fail, or lets it succeed again; by somebody who is not the service. */
async function sabotage(engine: Engine, url: string, table: string, isOn: boolean): Promise<void> {
  const on = {
    sqlite: [`CREATE TRIGGER sabotage BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'sabotage'); END`],
    postgres: [
      `CREATE OR REPLACE FUNCTION sabotage() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'sabotage'; END $$`,
      `CREATE TRIGGER sabotage BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION sabotage()`,
    ],
  }
  const off = { sqlite: ['DROP TRIGGER sabotage'], postgres: [`DROP TRIGGER sabotage ON ${table}`] }
  await withDirectDatabase(url, async ({ run }) => {
    for (const sql of (isOn ? on : off)[engine]) await run(sql)
  })
}

const settings = { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' }
const url = 'http://127.0.0.1:1/'

interface Scene {
  readonly harness: Harness
  readonly key: string
  /** The ids of the decisions in the events of the endpoint, in the order of the list. */
  readonly told: () => Promise<string[]>
  /** The status of the answer that lists them. */
  readonly status: () => Promise<number>
}

async function withEndpoint(engine: Engine, work: (scene: Scene) => Promise<void>): Promise<void> {
  await withHarness({ engine, settings }, async (harness) => {
    const { key } = await harness.issue()
    const { body: webhook } = await post(harness, '/api/v1/webhooks', { url }, { key })
    const list = () => harness.get(key, `/api/v1/webhooks/${webhook.webhook_id}/deliveries`)
    await work({
      harness,
      key,
      told: async () => (await list()).body.map((one: { request_id: string }) => one.request_id),
      status: async () => (await list()).status,
    })
  })
}

for (const engine of engines) {
  test(`${engine}: a decision whose event cannot be written is recorded, and its event follows exactly once`, async () => {
    await withEndpoint(engine, async ({ harness, key, told, status }) => {
      const body = { corridor: 'GB-NG', amount: 1.08, idempotency_key: 'one' }
      await sabotage(engine, harness.databaseUrl, 'webhook_deliveries', true)
      const answer = await harness.verify(key, body)
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await harness.verify(key, body)).body.idempotency_hit, true)
      assert.equal((await harness.get(key, '/api/v1/organisation/settings')).status, 200, 'others follow')
      assert.equal(await status(), 503, 'nobody is shown a list without it')
      await sabotage(engine, harness.databaseUrl, 'webhook_deliveries', false)
      for (let look = 0; look < 2; look += 1) assert.deepEqual(await told(), [answer.body.request_id])
    })
  })

  test(`${engine}: a decision that cannot be recorded is announced to nobody`, async () => {
    await withEndpoint(engine, async ({ harness, key, told }) => {
      await sabotage(engine, harness.databaseUrl, 'verifications', true)
      assert.equal((await harness.verify(key, { corridor: 'GB-NG' })).status, 500)
      assert.deepEqual(await told(), [])
    })
  })

  test(`${engine}: a decision that cannot be queued is not recorded, and its key can be used again`, async () => {
    await withEndpoint(engine, async ({ harness, key, told }) => {
      const body = { corridor: 'GB-NG', amount: 1.08, idempotency_key: 'one' }
      await sabotage(engine, harness.databaseUrl, 'journal_queue', true)
      assert.equal((await harness.verify(key, body)).status, 500)
      assert.deepEqual((await harness.get(key, '/api/verifications')).body, [])
      await sabotage(engine, harness.databaseUrl, 'journal_queue', false)
      const answer = await harness.verify(key, body)
      assert.deepEqual(
        [answer.status, answer.body.idempotency_hit, 'cooldown' in answer.body],
        [200, false, false],
      )
      assert.deepEqual(await told(), [answer.body.request_id])
    })
  })

  test(`${engine}: an override is recorded with its entry or not at all, and its event follows exactly once`, async () => {
    await withEndpoint(engine, async ({ harness, key, told, status }) => {
      const { body: record } = await harness.verify(key, { corridor: 'GB-NG', amount: 1.08 })
      const { request_id } = record
      assert.deepEqual(await told(), [request_id])
      const shown = async (): Promise<unknown> => {
        const audit = await harness.get(key, `/api/v1/audit/${request_id}`)
        return audit.body.human_override?.override_id ?? null
      }
      for (const table of ['journal_queue', 'overrides']) {
        await sabotage(engine, harness.databaseUrl, table, true)
        assert.equal((await override(harness, key, request_id)).status, 500)
        await sabotage(engine, harness.databaseUrl, table, false)
        assert.deepEqual([await shown(), await told()], [null, [request_id]])
      }
      await sabotage(engine, harness.databaseUrl, 'webhook_deliveries', true)
      const { body: made } = await override(harness, key, request_id)
      assert.deepEqual([await shown(), await status()], [made.override_id, 503])
      await sabotage(engine, harness.databaseUrl, 'webhook_deliveries', false)
      for (let look = 0; look < 2; look += 1) assert.deepEqual(await told(), [request_id, request_id])
    })
  })
}

/** There is never a record without its event, nor an event without what it tells of. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'

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

for (const engine of engines) {
  test(`${engine}: a decision whose event cannot be written is not recorded, and its key can be used again`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      const { body: webhook } = await post(harness, '/api/v1/webhooks', { url }, { key })
      const body = { corridor: 'GB-NG', amount: 1.08, idempotency_key: 'one' }
      await sabotage(engine, harness.databaseUrl, 'webhook_deliveries', true)
      assert.equal((await harness.verify(key, body)).status, 500)
      assert.deepEqual((await harness.get(key, '/api/verifications')).body, [])
      await sabotage(engine, harness.databaseUrl, 'webhook_deliveries', false)
      const answer = await harness.verify(key, body)
      assert.deepEqual(
        [answer.status, answer.body.idempotency_hit, 'cooldown' in answer.body],
        [200, false, false],
      )
      const { body: told } = await harness.get(key, `/api/v1/webhooks/${webhook.webhook_id}/deliveries`)
      assert.deepEqual(
        told.map((one: { request_id: string }) => one.request_id),
        [answer.body.request_id],
      )
    })
  })

  test(`${engine}: a decision that cannot be recorded is told to nobody`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      const { body: webhook } = await post(harness, '/api/v1/webhooks', { url }, { key })
      await sabotage(engine, harness.databaseUrl, 'verifications', true)
      assert.equal((await harness.verify(key, { corridor: 'GB-NG' })).status, 500)
      const { body } = await harness.get(key, `/api/v1/webhooks/${webhook.webhook_id}/deliveries`)
      assert.deepEqual(body, [])
    })
  })

  test(`${engine}: an override and its event are written together, or not at all`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      const { body: record } = await harness.verify(key, { corridor: 'GB-NG', amount: 1.08 })
      const { body: webhook } = await post(harness, '/api/v1/webhooks', { url }, { key })
      const { request_id } = record
      const body = {
        request_id,
        action: 'EXECUTE',
        reason_code: 'COMPLIANCE_APPROVED',
        justification: 'seen',
      }
      const shown = async (): Promise<[unknown, number]> => {
        const audit = await harness.get(key, `/api/v1/audit/${request_id}`)
        const told = await harness.get(key, `/api/v1/webhooks/${webhook.webhook_id}/deliveries`)
        return [audit.body.human_override?.override_id ?? null, told.body.length]
      }
      for (const table of ['webhook_deliveries', 'overrides']) {
        await sabotage(engine, harness.databaseUrl, table, true)
        assert.equal((await post(harness, '/api/v1/override', body, { key })).status, 500)
        await sabotage(engine, harness.databaseUrl, table, false)
        assert.deepEqual(await shown(), [null, 0])
      }
      const { body: override } = await post(harness, '/api/v1/override', body, { key })
      assert.deepEqual(await shown(), [override.override_id, 1])
    })
  })
}

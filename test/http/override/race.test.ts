/** POST /api/v1/override: one override a decision, whoever comes at once, and never without its event. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreRefusal } from '../../../src/app/ports/store.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'
import { degraded, eventRows, override, register, trial } from '../../helpers/webhooks.ts'

interface Overridden {
  readonly request_id: string
}

const overridesOnly = { events: ['payment.override.created'] }

for (const engine of engines) {
  test(`of 20 overrides of one decision at once exactly one is recorded and announced (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        // Two instances share a PostgreSQL; an embedded store has one.
        const other = engine === 'postgres' ? await harness.sibling() : harness
        try {
          const { key } = await harness.issue()
          const { webhook_id: webhookId } = await register(harness, key, receiver.url, overridesOnly)
          const won: Overridden[] = []
          for (let round = 0; round < 5; round += 1) {
            const requestId = await degraded(harness, key)
            const ask = (caller: number): Promise<Answer> =>
              override(caller % 2 === 0 ? harness : other, key, requestId, {
                justification: `caller ${caller}`,
              })
            const answers = await Promise.all(Array.from({ length: 20 }, (_, caller) => ask(caller)))
            const [first, ...more] = answers.filter(({ status }) => status === 200)
            assert.deepEqual(more, [])
            const refused = answers.filter(({ status }) => status !== 200)
            assert.deepEqual(new Set(refused.map(({ body }) => body.code)), new Set(['OVERRIDE_EXISTS']))
            const audit = await other.get(key, `/api/v1/audit/${requestId}`)
            assert.deepEqual(audit.body.human_override, first?.body)
            won.push(first?.body as Overridden)
          }
          const kept = await rowsOf(harness.databaseUrl, 'SELECT * FROM overrides')
          assert.equal(kept.length, 5)
          const kinds = Array.from({ length: 5 }, () => 'payment.override.created')
          assert.deepEqual(await eventRows(harness), { [webhookId]: kinds })
          await Promise.all([harness.deliver(), other.deliver()])
          const byRound = receiver.requests.map(({ json }) => json.data as Overridden)
          assert.deepEqual(byRound.toSorted(byRequest), won.toSorted(byRequest))
        } finally {
          if (other !== harness) await other.close()
        }
      }),
    )
  })

  test(`of the same override 20 times at once one is recorded and announced, and all get its answer (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const other = engine === 'postgres' ? await harness.sibling() : harness
        try {
          const { key } = await harness.issue()
          await register(harness, key, receiver.url, overridesOnly)
          const requestId = await degraded(harness, key)
          const answers = await Promise.all(
            Array.from({ length: 20 }, (_, caller) =>
              override(caller % 2 === 0 ? harness : other, key, requestId),
            ),
          )
          assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
          assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
          assert.equal((await rowsOf(harness.databaseUrl, 'SELECT * FROM overrides')).length, 1)
          await Promise.all([harness.deliver(), other.deliver()])
          assert.deepEqual(
            receiver.requests.map(({ json }) => json.data),
            [answers[0]?.body],
          )
        } finally {
          if (other !== harness) await other.close()
        }
      }),
    )
  })

  test(`an override whose event cannot be written is recorded, and announced once as soon as it can be (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: webhookId } = await register(harness, key, receiver.url, overridesOnly)
        const requestId = await degraded(harness, key)
        await rowsOf(harness.databaseUrl, 'ALTER TABLE webhook_deliveries RENAME TO gone')
        const recorded = await override(harness, key, requestId)
        assert.equal(recorded.status, 200)
        await assert.rejects(harness.journal.passed('webhooks'), StoreRefusal)
        const again = await override(harness, key, requestId)
        assert.deepEqual([again.status, again.body], [200, recorded.body])
        assert.equal((await override(harness, key, requestId, { action: 'REJECT' })).status, 409)
        await rowsOf(harness.databaseUrl, 'ALTER TABLE gone RENAME TO webhook_deliveries')
        assert.deepEqual(await eventRows(harness), { [webhookId]: ['payment.override.created'] })
        await harness.deliver()
        assert.deepEqual(
          receiver.requests.map(({ json }) => json.data),
          [recorded.body],
        )
      }),
    )
  })
}

test('postgres: where the commit itself fails there is neither override nor event, and nobody is told', async () => {
  await withReceiver((receiver) =>
    withHarness({ engine: 'postgres', settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      await register(harness, key, receiver.url, overridesOnly)
      const requestId = await degraded(harness, key)
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        await run(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'too late'; END $$`)
        await run(`CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON overrides
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
        assert.equal((await override(harness, key, requestId)).status, 500)
        assert.deepEqual(await run('SELECT * FROM overrides'), [])
        assert.deepEqual(await eventRows(harness), {})
        await harness.deliver()
        assert.equal(receiver.connections(), 0)
        await run('DROP TRIGGER at_the_end ON overrides')
      })
      assert.equal((await override(harness, key, requestId)).status, 200)
    }),
  )
})

function byRequest(left: Overridden, right: Overridden): number {
  return left.request_id < right.request_id ? -1 : 1
}

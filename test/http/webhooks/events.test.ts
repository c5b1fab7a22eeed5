/** Which events are written, for whom, and only with what they tell of. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreRefusal } from '../../../src/app/ports/store.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { another, ask, degraded, eventRows, override, register, trial } from '../../helpers/webhooks.ts'

const decision = 'payment.decision.created'
const overridden = 'payment.override.created'

for (const engine of engines) {
  test(`a decision, a cooldown hit and an override each make one event for each endpoint that wants it (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const stranger = await harness.issue()
        const ofStranger = await register(harness, stranger.key, receiver.url)
        await harness.verify(key, { corridor: 'NG-GB' })
        assert.deepEqual(await eventRows(harness), {}, 'nobody of that owner wants to know')
        const all = await register(harness, key, receiver.url)
        const twin = await register(harness, key, another(receiver.url))
        const decisions = await register(harness, key, another(receiver.url), { events: [decision] })
        const overrides = await register(harness, key, another(receiver.url), { events: [overridden] })

        const source = await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
        const hit = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
        assert.equal(hit.body.cooldown.source_request_id, source.body.request_id)
        assert.equal((await override(harness, key, hit.body.request_id)).status, 200)
        const expected = {
          [all.webhook_id]: [decision, decision, overridden],
          [twin.webhook_id]: [decision, decision, overridden],
          [decisions.webhook_id]: [decision, decision],
          [overrides.webhook_id]: [overridden],
        }
        assert.deepEqual(await eventRows(harness), expected)
        await harness.verify(stranger.key, { corridor: 'GB-NG' })
        assert.deepEqual(await eventRows(harness), { ...expected, [ofStranger.webhook_id]: [decision] })

        await harness.deliver()
        const got = receiver.requests.map(({ json }) => `${json.event} ${json.event_id}`)
        assert.equal(got.length, 10, 'each once')
        assert.equal(new Set(got).size, 4, 'one event has one id, whoever it is sent to')
      }),
    )
  })

  test(`what is refused, replayed, or keeps nothing makes no event (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue({ limit: { count: 8, windowMs: 60_000 } })
        const { webhook_id: id } = await register(harness, key, receiver.url)
        const asked = { corridor: 'GB-NG', amount: 5, idempotency_key: 'k' }
        const statuses = [
          await harness.verify(key, asked),
          await harness.verify(key, asked),
          await harness.verify(key, { ...asked, amount: 6 }),
          await harness.verify(key, { corridor: 'nowhere' }),
          await harness.verify(key, '{'),
          await harness.verify(key, { corridor: 'GB-NG', amount: 10.09 }),
          await harness.verify(key, asked, { mode: 'live' }),
          await harness.verify('pk_test_x', asked),
        ].map(({ status }) => status)
        assert.deepEqual(statuses, [200, 200, 409, 400, 400, 503, 403, 401])
        const requestId = await degraded(harness, key)
        assert.equal((await harness.verify(key, asked)).status, 429)
        const kept = [
          await override(harness, key, requestId),
          await override(harness, key, requestId),
          await override(harness, key, requestId, { action: 'REJECT' }),
          await override(harness, key, requestId, { action: 'GO' }),
          await override(harness, key, 'SVC-2026-01M7EK86879492MKK2679NV0E3'),
          await post(harness, '/api/v1/demo-verify', { corridor: 'GB-NG', amount: 5 }),
          await post(
            harness,
            '/api/v1/decision/compare',
            { corridor: 'GB-NG', partners: ['a', 'b'] },
            { key },
          ),
          await post(harness, '/api/v1/batch-assess', { transactions: [{ corridor: 'GB-NG' }] }, { key }),
        ].map(({ status }) => status)
        assert.deepEqual(kept, [200, 200, 409, 400, 404, 200, 200, 200])
        assert.deepEqual(await eventRows(harness), { [id]: [decision, decision, overridden] })
        await harness.deliver()
        assert.equal(receiver.requests.length, 3)
      }),
    )
  })

  test(`of many decisions at once each makes its own event, and racers with one key make one (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const other = engine === 'postgres' ? await harness.sibling() : harness
        try {
          const { key } = await harness.issue()
          const both = [
            await register(harness, key, receiver.url),
            await register(harness, key, another(receiver.url)),
          ]
          const decide = (caller: number) =>
            (caller % 2 === 0 ? harness : other).verify(key, {
              corridor: 'GB-NG',
              amount: 5,
              ...(caller < 60 ? {} : { idempotency_key: 'one' }),
            })
          const answers = await Promise.all(Array.from({ length: 80 }, (_, caller) => decide(caller)))
          const made = new Set(answers.map(({ body }) => String(body.request_id)))
          assert.equal(made.size, 61)
          await Promise.all([harness.deliver(), other.deliver()])
          for (const { webhook_id: id } of both) {
            const sql = `SELECT request_id FROM webhook_deliveries WHERE webhook_id = '${id}'`
            const told = (await rowsOf(harness.databaseUrl, sql)).map((row) => String(row['request_id']))
            assert.deepEqual(told.toSorted(), [...made].toSorted())
          }
          assert.equal(receiver.requests.length, 122)
        } finally {
          if (other !== harness) await other.close()
        }
      }),
    )
  })

  test(`a decision whose event cannot be written is recorded, and announced once as soon as it can be (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id } = await register(harness, key, receiver.url)
        const asked = { corridor: 'GB-NG', amount: 600_000, idempotency_key: 'k' }
        await rowsOf(harness.databaseUrl, 'ALTER TABLE webhook_deliveries RENAME TO gone')
        const recorded = await harness.verify(key, asked)
        assert.equal(recorded.status, 200)
        await assert.rejects(harness.journal.passed('webhooks'), StoreRefusal)
        assert.equal((await harness.get(null, '/api/health')).body.total_verifications, 1)
        assert.equal((await harness.verify(key, asked)).body.idempotency_hit, true)
        await rowsOf(harness.databaseUrl, 'ALTER TABLE gone RENAME TO webhook_deliveries')
        assert.deepEqual(await eventRows(harness), { [id]: [decision] })
        await harness.deliver()
        assert.deepEqual(
          receiver.requests.map(({ json }) => json.data.request_id),
          [recorded.body.request_id],
        )
      }),
    )
  })

  test(`an endpoint is told of exactly what is recorded while it is registered, whoever follows when (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const recorded = async (): Promise<string> =>
          String((await harness.verify(key, { corridor: 'GB-NG', amount: 5 })).body.request_id)
        await recorded()
        const { webhook_id: first } = await register(harness, key, `${receiver.url}/first`)
        const [one, two] = [await recorded(), await recorded()]
        await register(harness, key, `${receiver.url}/second`)
        const three = await recorded()
        await harness.deliver()
        assert.equal((await ask(harness, key, 'DELETE', `/api/v1/webhooks/${first}`)).status, 200)
        const four = await recorded()
        await harness.deliver()
        const told = (path: string): string[] =>
          receiver.requests
            .filter((sent) => sent.path === path)
            .map(({ json }) => String(json.data.request_id))
        assert.deepEqual(told('/hook/first').toSorted(), [one, two, three].toSorted())
        assert.deepEqual(told('/hook/second').toSorted(), [three, four].toSorted())
      }),
    )
  })
}

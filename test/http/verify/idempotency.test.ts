/** POST /api/v1/verify: one key, one decision, 200 or 409. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'

const body = { corridor: 'GB-NG', amount: 250, correlation_id: 'order 7' }

function withoutVolatile(text: string): string {
  return text.replace(/,"idempotency_hit":(?:true|false),"response_ms":\d+}$/, '}')
}

for (const engine of engines) {
  test(`a replay is the original body byte for byte, but for the two members that say so (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, clock, get }) => {
      const { key } = await issue()
      const first = await verify(key, { ...body, idempotency_key: 'once' })
      clock.advance(3_600_000)
      const again = await verify(key, { ...body, idempotency_key: 'once' })
      assert.equal(first.body.idempotency_hit, false)
      assert.equal(again.body.idempotency_hit, true)
      assert.equal(withoutVolatile(again.text), withoutVolatile(first.text))
      assert.equal(again.headers['x-request-id'], first.body.request_id)
      assert.equal((await get(key, '/api/verifications')).body.length, 1)
    })
  })

  test(`another body under the same key is 409 and changes nothing (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify }) => {
      const { key } = await issue()
      const first = await verify(key, { ...body, idempotency_key: 'k' })
      const clash = await verify(key, { ...body, amount: 251, idempotency_key: 'k' })
      assert.equal(clash.status, 409)
      assert.equal(clash.body.code, 'IDEMPOTENCY_CONFLICT')
      const again = await verify(key, { ...body, idempotency_key: 'k' })
      assert.equal(again.body.request_id, first.body.request_id)
    })
  })

  test(`20 callers racing with one key through two instances make one record (${engine})`, async () => {
    // Two instances share a PostgreSQL; an embedded store has one.
    await withHarness({ engine }, async (harness) => {
      const other = engine === 'postgres' ? await harness.sibling() : null
      try {
        const { key } = await harness.issue()
        for (let round = 0; round < 10; round += 1) {
          const ask = (caller: number): Promise<Answer> =>
            (caller % 2 === 0 ? harness : (other ?? harness)).verify(key, {
              ...body,
              idempotency_key: `race ${round}`,
            })
          const answers = await Promise.all(Array.from({ length: 20 }, (_, caller) => ask(caller)))
          assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
          assert.equal(answers.filter((answer) => answer.body.idempotency_hit === false).length, 1)
          assert.equal(new Set(answers.map((answer) => answer.body.request_id)).size, 1)
          assert.equal(new Set(answers.map((answer) => withoutVolatile(answer.text))).size, 1)
        }
        assert.equal((await harness.get(key, '/api/verifications')).body.length, 10)
        assert.equal((await harness.get(null, '/api/health')).body.total_verifications, 10)
      } finally {
        await other?.close()
      }
    })
  })

  test(`racers with altered bodies are all 409 or all served, never mixed (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify }) => {
      const { key } = await issue()
      const amounts = Array.from({ length: 20 }, (_, caller) => (caller % 4 === 0 ? 2 : 1))
      const answers = await Promise.all(
        amounts.map((amount) => verify(key, { ...body, amount, idempotency_key: 'mixed' })),
      )
      const served = amounts.filter((_, index) => answers[index]?.status === 200)
      assert.equal(new Set(served).size, 1, 'one of the two bodies won')
      assert.equal(answers.filter((answer) => answer.status === 409).length, 20 - served.length)
      assert.equal(served.length, amounts.filter((amount) => amount === served[0]).length)
    })
  })
}

test('the header and the body carry the same key, and must agree', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    const first = await verify(key, body, { headers: { 'idempotency-key': 'same' } })
    const again = await verify(key, { ...body, idempotency_key: 'same' })
    assert.equal(again.body.request_id, first.body.request_id)
    assert.equal(again.body.idempotency_hit, true)
    const both = await verify(
      key,
      { ...body, idempotency_key: 'same' },
      { headers: { 'idempotency-key': 'same' } },
    )
    assert.equal(both.body.idempotency_hit, true)
    const differ = await verify(
      key,
      { ...body, idempotency_key: 'same' },
      { headers: { 'idempotency-key': 'other' } },
    )
    assert.equal(differ.status, 400)
    assert.equal(differ.body.errors[0].path, '/headers/idempotency-key')
  })
})

test('layout and order of the body do not matter, its values do', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    const headers = { 'idempotency-key': 'layout' }
    await verify(key, '{"corridor":"GB-NG","amount":1e2}', { headers })
    assert.equal(
      (await verify(key, '{ "amount": 100.0,\n "corridor": "GB-NG" }', { headers })).body.idempotency_hit,
      true,
    )
    assert.equal((await verify(key, '{"corridor":"gb-ng","amount":100}', { headers })).status, 409)
    assert.equal((await verify(key, '{"corridor":"GB-NG","amount":100,"note":1}', { headers })).status, 409)
  })
})

test('a key is unique per owner: two owners never meet on it', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const mine = await verify((await issue()).key, { ...body, idempotency_key: 'k' })
    const theirs = await verify((await issue()).key, { ...body, amount: 1, idempotency_key: 'k' })
    assert.equal(theirs.status, 200)
    assert.notEqual(theirs.body.request_id, mine.body.request_id)
  })
})

test('the mode is part of what was asked', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue({ prefix: 'pk_live_' })
    await verify(key, { ...body, idempotency_key: 'k' }, { mode: 'shadow' })
    assert.equal((await verify(key, { ...body, idempotency_key: 'k' }, { mode: 'live' })).status, 409)
  })
})

test('an outage leaves the key free: only answers that were given are kept', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    const outage = await verify(key, { corridor: 'GB-NG', amount: 10.09, idempotency_key: 'k' })
    assert.equal(outage.status, 503)
    const later = await verify(key, { corridor: 'GB-NG', amount: 10, idempotency_key: 'k' })
    assert.equal(later.status, 200)
    assert.equal(later.body.idempotency_hit, false)
  })
})

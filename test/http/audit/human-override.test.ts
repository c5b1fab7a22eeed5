/** GET /api/v1/audit/{request_id} and GET /api/verifications: the override beside the decision, which stays as it was. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { degraded, override } from '../../helpers/webhooks.ts'

/** What both views say of a decision. */
async function viewsOf(harness: Harness, key: string, requestId: string) {
  const audit = await harness.get(key, `/api/v1/audit/${requestId}`)
  const history = await harness.get(key, '/api/verifications')
  const item = history.body.find((one: { request_id: string }) => one.request_id === requestId)
  return { audit: audit.body, item }
}

for (const engine of engines) {
  test(`both views show the override as it was answered, and the decision as it was, also after a restart (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const asked = { amount: 12.5, currency: 'USD', correlation_id: 'order 7' }
      const requestId = await degraded(harness, key, asked)
      const before = await viewsOf(harness, key, requestId)
      assert.equal(before.audit.human_override, null)
      assert.equal(before.item.human_override, null)
      harness.clock.advance(60_000)
      const made = await override(harness, key, requestId, {
        action: 'HOLD',
        justification: 'Two\nlines ☕',
      })
      assert.equal(made.status, 200)
      const expected = {
        audit: { ...before.audit, human_override: made.body },
        item: { ...before.item, human_override: made.body },
      }
      assert.deepEqual(await viewsOf(harness, key, requestId), expected)

      const restarted = await assemble(harness.databaseUrl, harness.clock, { engine })
      try {
        assert.deepEqual(await viewsOf(restarted, key, requestId), expected)
        assert.equal((await override(restarted, key, requestId)).status, 409)
      } finally {
        await restarted.close()
      }
    })
  })

  test(`a decision that a cooldown repeated is overridden for itself, not with its source (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const source = await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
      harness.clock.advance(30_000)
      const hit = await harness.verify(key, { corridor: 'GB-NG', amount: 7, currency: 'NGN' })
      const [sourceId, hitId] = [String(source.body.request_id), String(hit.body.request_id)]
      const before = await viewsOf(harness, key, hitId)
      const made = await override(harness, key, hitId)
      assert.equal(made.status, 200)
      assert.equal(made.body.request_id, hitId)
      assert.equal(made.body.original_decision, 'NO-GO')
      const { audit, item } = await viewsOf(harness, key, hitId)
      assert.deepEqual(audit, { ...before.audit, human_override: made.body })
      assert.deepEqual(item, { ...before.item, human_override: made.body })
      assert.deepEqual([audit.amount, audit.currency], [7, 'NGN'])
      assert.equal((await viewsOf(harness, key, sourceId)).audit.human_override, null)
      const ofSource = await override(harness, key, sourceId, { action: 'REJECT' })
      assert.equal(ofSource.status, 200)
      assert.deepEqual((await viewsOf(harness, key, hitId)).audit.human_override, made.body)
      assert.deepEqual((await viewsOf(harness, key, sourceId)).item.human_override, ofSource.body)
    })
  })

  test(`a history of some overridden decisions gives each its own, on every page and under every filter (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const stranger = await harness.issue()
      const expected: [id: string, override: unknown][] = []
      for (let index = 0; index < 9; index += 1) {
        harness.clock.advance(1_000)
        const requestId = await degraded(harness, key, { amount: index })
        const made = index % 2 === 0 ? await override(harness, key, requestId) : null
        expected.unshift([requestId, made?.body ?? null])
      }
      await override(harness, stranger.key, await degraded(harness, stranger.key))
      for (const filter of ['limit=500', 'limit=2', 'limit=4&decision=DEGRADED&corridor=US-MX']) {
        const shown: [string, unknown][] = []
        let next: string | undefined = `/api/verifications?${filter}`
        while (next !== undefined) {
          const answer = await harness.get(key, next)
          for (const item of answer.body) shown.push([item.request_id, item.human_override])
          next = /^<([^>]+)>/.exec(String(answer.headers['link'] ?? ''))?.[1]
        }
        assert.deepEqual(shown, expected, filter)
      }
    })
  })
}

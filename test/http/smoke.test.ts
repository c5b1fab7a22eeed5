import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../helpers/databases.ts'
import { startHarness } from '../helpers/harness.ts'
for (const engine of engines)
  test(`smoke ${engine}`, async () => {
    const h = await startHarness({ engine })
    const { key } = await h.issue()
    const a = await h.verify(key, { corridor: 'GB-NG', amount: 1000 })
    assert.equal(a.status, 200, a.text)
    assert.equal((await h.get(key, `/api/v1/audit/${a.body.request_id}`)).status, 200)
    assert.equal((await h.get(key, '/api/verifications')).body.length, 1)
    assert.equal((await h.get(null, '/api/health')).body.total_verifications, 1)
    const b = await h.verify(key, { corridor: 'GB-NG', amount: 1000.08, idempotency_key: 'k' })
    assert.equal(b.body.decision, 'NO-GO')
    const c = await h.verify(key, { corridor: 'GB-NG', amount: 1000.08, idempotency_key: 'k' })
    assert.equal(c.body.idempotency_hit, true)
    const d = await h.verify(key, { corridor: 'GB-NG', amount: 1000 })
    assert.equal(d.body.cooldown.source_request_id, b.body.request_id)
    assert.equal((await h.verify(key, { corridor: 'GB-NG', amount: 1, idempotency_key: 'k' })).status, 409)
    await h.close()
  })

/** POST /api/v1/verify: the 90 seconds after a NO-GO. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { assemble, withHarness } from '../../helpers/harness.ts'

const blocked = { corridor: 'GB-NG', amount: 1000.08 }
const calm = { corridor: 'GB-NG', amount: 20 }

for (const engine of engines) {
  test(`within 90 seconds the cached NO-GO comes back under a record of its own (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, clock, get }) => {
      const { key } = await issue()
      const source = await verify(key, blocked)
      clock.advance(89_999)
      const hit = await verify(key, { ...calm, correlation_id: 'mine' })
      assert.equal(hit.body.decision, 'NO-GO')
      for (const member of ['score', 'confidence', 'reasons', 'signals', 'probe_details', 'evaluated_at']) {
        assert.deepEqual(hit.body[member], source.body[member], member)
      }
      assert.notEqual(hit.body.request_id, source.body.request_id)
      assert.equal(hit.body.correlation_id, 'mine')
      assert.equal(hit.body.timestamp, '2026-03-01T12:01:29.999Z')
      assert.deepEqual(hit.body.cooldown, {
        source_request_id: source.body.request_id,
        expires_at: '2026-03-01T12:01:30.000Z',
      })
      const audit = await get(key, `/api/v1/audit/${hit.body.request_id}`)
      assert.equal(audit.body.amount, 20)
      assert.equal(audit.body.decision, 'NO-GO')
      assert.equal(audit.body.evaluated_at, source.body.evaluated_at)
    })
  })

  test(`a hit never extends the window: after 90 seconds it is computed anew (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, clock }) => {
      const { key } = await issue()
      await verify(key, blocked)
      clock.advance(80_000)
      assert.equal((await verify(key, blocked)).body.cooldown.expires_at, '2026-03-01T12:01:30.000Z')
      clock.advance(10_000)
      const after = await verify(key, calm)
      assert.equal(after.body.decision, 'GO')
      assert.equal('cooldown' in after.body, false)
    })
  })

  test(`the window survives a restart, and a new NO-GO after it opens a new one (${engine})`, async () => {
    await withHarness({ engine }, async (first) => {
      const { key } = await first.issue()
      await first.verify(key, blocked)
      first.clock.advance(60_000)
      const second = await assemble(first.databaseUrl, first.clock, { engine })
      try {
        assert.equal((await second.verify(key, calm)).body.decision, 'NO-GO')
        second.clock.advance(31_000)
        assert.equal('cooldown' in (await second.verify(key, blocked)).body, false)
        second.clock.advance(89_000)
        assert.equal((await first.verify(key, calm)).body.decision, 'NO-GO')
      } finally {
        await second.close()
      }
    })
  })
}

test('a cooldown is of one owner, one corridor and one mode', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    await verify(key, blocked)
    assert.equal((await verify(key, { ...calm, corridor: 'NG-GB' })).body.decision, 'GO')
    assert.equal((await verify((await issue()).key, calm)).body.decision, 'GO')
    assert.equal((await verify(key, { ...calm, corridor: 'united kingdom-nigeria' })).body.decision, 'NO-GO')
  })
})

test('a cooldown answers before the signals are read, so an outage does not show through it', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    await verify(key, blocked)
    assert.equal((await verify(key, { corridor: 'GB-NG', amount: 10.09 })).body.decision, 'NO-GO')
  })
})

test('a hit under an idempotency key is replayed as it was, after the window too', async () => {
  await withHarness({}, async ({ issue, verify, clock }) => {
    const { key } = await issue()
    await verify(key, blocked)
    const hit = await verify(key, { ...calm, idempotency_key: 'k' })
    clock.advance(100_000)
    const again = await verify(key, { ...calm, idempotency_key: 'k' })
    assert.equal(again.body.idempotency_hit, true)
    assert.equal(again.body.request_id, hit.body.request_id)
    assert.deepEqual(again.body.cooldown, hit.body.cooldown)
  })
})

test('a clock that is set back or ahead locks nobody out beyond the window', async () => {
  await withHarness({}, async ({ issue, verify, clock }) => {
    const { key } = await issue()
    const startMs = clock.nowMs()
    await verify(key, blocked)
    clock.setWall(startMs - 3_600_000)
    assert.equal((await verify(key, calm)).body.decision, 'GO')
    await verify(key, blocked)
    clock.advance(1_000)
    assert.equal((await verify(key, calm)).body.decision, 'NO-GO')
    clock.setWall(startMs + 86_400_000)
    assert.equal((await verify(key, calm)).body.decision, 'GO')
  })
})

test('FAIRWAY_COOLDOWN_S=0 turns it off', async () => {
  await withHarness({ settings: { FAIRWAY_COOLDOWN_S: '0' } }, async ({ issue, verify }) => {
    const { key } = await issue()
    await verify(key, blocked)
    assert.equal((await verify(key, calm)).body.decision, 'GO')
  })
})

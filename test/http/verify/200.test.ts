/** POST /api/v1/verify: what a good request gets. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'

for (const engine of engines) {
  test(`a first verification is a GO with its evidence, and is recorded (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, get }) => {
      const { key } = await issue()
      const answer = await verify(key, { corridor: 'GB-NG', amount: 1000, currency: 'GBP' })
      assert.equal(answer.status, 200)
      assert.equal(answer.body.decision, 'GO')
      assert.equal(answer.body.idempotency_hit, false)
      assert.equal(answer.body.probe_count, 7)
      assert.equal(Object.keys(answer.body.signals).length, 7)
      assert.equal(Object.keys(answer.body.probe_details).length, 7)
      assert.equal(answer.body.corridor_supported, true)
      assert.equal(answer.body.currency, 'NGN')
      assert.equal(answer.body.mode, 'shadow')
      assert.equal(answer.body.environment, 'sandbox')
      assert.equal(answer.body.api_version, '1.3')
      assert.equal(answer.body.decision_model, 'v1.3')
      assert.equal(answer.body.evaluated_at, '2026-03-01T12:00:00.000Z')
      assert.deepEqual(answer.body.reason_codes, ['HEALTHY_PARTNER'])
      assert.equal(typeof answer.body.recommended_partner, 'string')
      assert.equal('correlation_id' in answer.body, false)
      assert.match(answer.body.request_id, /^SVC-2026-[0-9A-Z]{26}$/)

      const audit = await get(key, `/api/v1/audit/${answer.body.request_id}`)
      assert.equal(audit.status, 200)
      assert.equal(audit.body.decision, 'GO')
    })
  })
}

test('the answer carries the id of its record, the version and the environment in its headers', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    const answer = await verify(key, { corridor: 'GB-NG' })
    assert.equal(answer.headers['x-request-id'], answer.body.request_id)
    assert.equal(answer.headers['x-svc-version'], 'v1')
    assert.equal(answer.headers['x-svc-environment'], 'sandbox')
  })
})

test('the same corridor and amount always get the same decision, score and signals', async () => {
  await withHarness({}, async ({ issue, verify, clock }) => {
    const { key } = await issue()
    const body = { corridor: 'NG-GB', amount: 72_000.5, currency: 'GBP' }
    const first = await verify(key, body)
    clock.advance(86_400_000)
    const second = await verify(key, body)
    for (const member of [
      'decision',
      'score',
      'confidence',
      'signals',
      'probe_details',
      'volatility',
      'reasons',
    ]) {
      assert.deepEqual(second.body[member], first.body[member], member)
    }
    assert.notEqual(second.body.request_id, first.body.request_id)
  })
})

test('every spelling of a corridor is normalised to its canonical form', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    for (const corridor of [
      'GB-NG',
      ' gb-ng ',
      'UK-NG',
      'GBR-NGA',
      'United Kingdom-Nigeria',
      'united_kingdom-nigeria',
    ]) {
      const answer = await verify(key, { corridor })
      assert.equal(answer.body.corridor, 'GB-NG', corridor)
    }
  })
})

test('an unsupported corridor is 200, DEGRADED, without confidence or partner', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    for (const corridor of ['US-MX', 'XX-YY']) {
      const { status, body } = await verify(key, { corridor, amount: 100 })
      assert.equal(status, 200)
      assert.equal(body.decision, 'DEGRADED')
      assert.equal(body.corridor_supported, false)
      assert.deepEqual(body.reason_codes, ['CORRIDOR_UNSUPPORTED'])
      assert.equal(body.recommended_partner, null)
      assert.equal(body.recommended_action, 'TREAT_AS_NO_DATA')
      assert.ok(body.confidence < 0.5)
      assert.equal(body.currency, corridor === 'US-MX' ? 'MXN' : null)
    }
  })
})

test('the policy gate floors above 50,000 and blocks above 500,000, in the units of the request', async () => {
  await withHarness({ settings: { FAIRWAY_COOLDOWN_S: '0' } }, async ({ issue, verify }) => {
    const { key } = await issue()
    const decisionAt = async (amount: number, currency = 'GBP') =>
      (await verify(key, { corridor: 'GB-NG', amount, currency })).body
    assert.equal((await decisionAt(50_000)).decision, 'GO')
    const floored = await decisionAt(50_000.5)
    assert.equal(floored.decision, 'DEGRADED')
    assert.deepEqual(floored.reason_codes, ['POLICY_CAP_APPLIED'])
    assert.equal((await decisionAt(500_000)).decision, 'DEGRADED')
    const blocked = await decisionAt(500_001, 'NGN')
    assert.equal(blocked.decision, 'NO-GO')
    assert.ok(blocked.reason_codes.includes('POLICY_CAP_APPLIED'))
    assert.equal(blocked.recommended_partner, null)
  })
})

test('a stricter cap of the operator acts on its currency alone', async () => {
  await withHarness({ settings: { FAIRWAY_POLICY_CAPS: 'NGN=100/200' } }, async ({ issue, verify }) => {
    const { key } = await issue()
    assert.equal(
      (await verify(key, { corridor: 'GB-NG', amount: 150, currency: 'NGN' })).body.decision,
      'DEGRADED',
    )
    assert.equal((await verify(key, { corridor: 'GB-NG', amount: 150, currency: 'GBP' })).body.decision, 'GO')
  })
})

test('a missing amount is not zero: it passes no cap and lowers the confidence', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue()
    const without = (await verify(key, { corridor: 'GB-NG' })).body
    const zero = (await verify(key, { corridor: 'GB-NG', amount: 0 })).body
    assert.equal(without.decision, 'GO')
    assert.ok(without.confidence < zero.confidence)
    assert.equal((await get(key, `/api/v1/audit/${without.request_id}`)).body.amount, null)
    assert.equal((await get(key, `/api/v1/audit/${zero.request_id}`)).body.amount, 0)
  })
})

test('a real currency that the corridor does not take flags the operation', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    const { body } = await verify(key, { corridor: 'GB-NG', amount: 10, currency: 'JPY' })
    assert.equal(body.signals.operation_valid, false)
    assert.deepEqual(body.reason_codes, ['OPERATION_INVALID'])
  })
})

test('the test amounts reach every signal through the API', async () => {
  const expected: Readonly<Record<string, string>> = {
    '.01': 'HIGH_FRAUD_SIGNAL',
    '.02': 'NETWORK_DEGRADED',
    '.03': 'INSUFFICIENT_BALANCE',
    '.04': 'HIGH_FX_VOLATILITY',
    '.05': 'OPERATION_INVALID',
    '.06': 'HIGH_FAILURE_RATE',
    '.07': 'COP_OVERRIDE_ACTIVE',
  }
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    for (const [ending, code] of Object.entries(expected)) {
      const { body } = await verify(key, `{"corridor":"GB-NG","amount":1000${ending}}`)
      assert.deepEqual(body.reason_codes, [code])
    }
    const worst = await verify(key, { corridor: 'GB-NG', amount: 1000.08 })
    assert.equal(worst.body.decision, 'NO-GO')
    assert.ok(worst.body.reason_codes.length >= 3)
    assert.ok(worst.body.score < 0.48)
  })
})

test('correlation_id is echoed, kept, and only there when given', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue()
    const correlation_id = 'ref <b>☕ ' + 'x'.repeat(240)
    const { body } = await verify(key, { corridor: 'GB-NG', correlation_id })
    assert.equal(body.correlation_id, correlation_id)
    assert.equal((await get(key, `/api/v1/audit/${body.request_id}`)).body.correlation_id, correlation_id)
    assert.equal((await get(key, '/api/verifications')).body[0].correlation_id, correlation_id)
  })
})

test('unknown members of the body are ignored', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    assert.equal((await verify(key, { corridor: 'GB-NG', colour: { any: ['thing'] } })).status, 200)
  })
})

test('a live key may ask for shadow mode, and is told so', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue({ prefix: 'pk_live_' })
    const answer = await verify(key, { corridor: 'GB-NG' }, { mode: 'shadow' })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.mode, 'shadow')
    assert.equal(answer.headers['x-svc-environment'], 'sandbox')
  })
})

test('the key is taken from X-API-Key as well, and from both where they agree', async () => {
  await withHarness({}, async ({ issue, send }) => {
    const { key } = await issue()
    const payload = '{"corridor":"GB-NG"}'
    const ask = (headers: Record<string, string>) =>
      send({
        method: 'POST',
        url: '/api/v1/verify',
        payload,
        headers: { 'content-type': 'application/json', ...headers },
      })
    assert.equal((await ask({ 'x-api-key': key })).status, 200)
    assert.equal((await ask({ 'x-api-key': key, authorization: `bearer ${key}` })).status, 200)
  })
})

/** POST /api/v1/demo-verify: a verification without a key, which is kept nowhere. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { anySupported, anyUnsupported } from '../../helpers/check.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { anyPaidAmount } from '../../helpers/payments.ts'
import { post, rowCounts } from '../../helpers/post.ts'

const url = '/api/v1/demo-verify'
const unlimited = { FAIRWAY_LIMIT_DEMO: '1000000/60' }

const demo = (harness: Harness, body: unknown): Promise<Answer> => post(harness, url, body)

/** Two verifications of one payment differ in these. */
const ownMembers = new Set(['request_id', 'response_ms', 'evaluated_at', 'timestamp'])
const demoMembers = ['suggested_path', 'scoring_framework_version']

function decisionIn({ body }: Answer, besides: readonly string[] = []): Record<string, unknown> {
  const left = Object.entries(body as Record<string, unknown>).filter(
    ([name]) => !ownMembers.has(name) && !besides.includes(name),
  )
  return Object.fromEntries(left)
}

test('an empty object, an empty body and no body at all use the defaults GB-NG, 1000 and GBP', async () => {
  await withHarness({}, async (harness) => {
    const asked = await demo(harness, { corridor: 'GB-NG', amount: 1000, currency: 'GBP' })
    assert.equal(asked.status, 200)
    assert.equal(asked.body.corridor, 'GB-NG')
    const bare = [
      await demo(harness, {}),
      await demo(harness, ''),
      await harness.send({ method: 'POST', url }),
      await demo(harness, { corridor: 'GB-NG' }),
      await demo(harness, { corridor: null, currency: null, correlation_id: null }),
      await demo(harness, { amount: 1000, currency: 'gbp' }),
    ]
    for (const answer of bare) {
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(decisionIn(answer), decisionIn(asked))
    }
    const other = await demo(harness, { amount: 999_999 })
    assert.notDeepEqual(decisionIn(other), decisionIn(asked), 'another amount is another answer')
  })
})

test('an unknown member is ignored and named in a warning', async () => {
  await withHarness({}, async (harness) => {
    const asked = await demo(harness, {})
    const answer = await demo(harness, { amount: 1000, colour: 'ignored' })
    assert.deepEqual(decisionIn(answer, ['warnings']), decisionIn(asked))
    assert.deepEqual(answer.body.warnings, [
      { code: 'UNKNOWN_MEMBER', message: 'This member is unknown and was ignored.', path: '/colour' },
    ])
    assert.equal('warnings' in asked.body, false)
  })
})

test('an empty body of any content type uses the defaults too, as programs send it', async () => {
  await withHarness({}, async (harness) => {
    const types = ['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'text/csv', '']
    for (const type of types) {
      const { status, body } = await post(harness, '/api/v1/demo-verify', '', {
        headers: { 'content-type': type },
      })
      assert.equal(status, 200, type)
      assert.equal(body.corridor, 'GB-NG')
    }
    const filled = await post(harness, '/api/v1/demo-verify', 'x', {
      headers: { 'content-type': 'text/plain' },
    })
    assert.equal(filled.status, 415)
  })
})

test('each default stands on its own: a given amount or currency is used with the others', async () => {
  await withHarness({}, async (harness) => {
    assert.equal((await demo(harness, { amount: 50_001 })).body.decision, 'DEGRADED')
    const { body } = await demo(harness, { currency: 'USD' })
    assert.deepEqual(body.reason_codes, ['OPERATION_INVALID'])
    assert.equal((await demo(harness, { corridor: 'ng-gb' })).body.corridor, 'NG-GB')
  })
})

test('the answer is that of verify with the demo members, and says that it is synthetic', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const verified = await harness.verify(key, { corridor: 'GB-NG', amount: 1000, correlation_id: 'mine' })
    const { body, headers } = await demo(harness, { correlation_id: 'mine' })
    // Nothing is sent on a demo, so it does not say how long it is valid, and no policy acts on it.
    const { valid_until: _until, policy_version: _version, ...shared } = verified.body
    assert.deepEqual(Object.keys(body).toSorted(), [...Object.keys(shared), ...demoMembers].toSorted())
    assert.equal(body.mode, 'synthetic')
    assert.equal(body.environment, 'sandbox')
    assert.equal(body.decision_model, 'v1.3-demo')
    assert.equal(body.api_version, '1.3')
    assert.equal(body.scoring_framework_version, '1.3.0')
    assert.equal(body.correlation_id, 'mine')
    assert.equal(body.idempotency_hit, false)
    assert.equal(body.evaluated_at, '2026-03-01T12:00:00.000Z')
    assert.equal(headers['x-svc-environment'], 'sandbox')
    assert.equal(headers['x-svc-version'], 'v1')
    assert.equal('correlation_id' in (await demo(harness, {})).body, false)
  })
})

test('the suggested path is a sentence for the action that is recommended', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const paths = new Map<string, string>()
    for (const amount of [1000, 1000.01, 1000.02, 1000.03, 1000.04, 1000.07, 60_000, 600_000]) {
      const { body } = await demo(harness, { amount })
      assert.match(body.suggested_path, /^[A-Z].+\.$/)
      paths.set(body.recommended_action, body.suggested_path)
      if (body.decision === 'GO') {
        const partner = body.recommended_action === 'PROCEED' ? body.recommended_partner : ''
        assert.ok(body.suggested_path.includes(partner))
      }
    }
    const unknown = await demo(harness, { corridor: 'US-MX' })
    paths.set(unknown.body.recommended_action, unknown.body.suggested_path)
    assert.equal(paths.size, new Set(paths.values()).size, 'each action has a path of its own')
    assert.ok(paths.has('PROCEED') && paths.has('BLOCK') && paths.has('TREAT_AS_NO_DATA'))
  })
})

test('no key is needed, and none is looked at', async () => {
  await withHarness({}, async (harness) => {
    for (const headers of [{ authorization: 'Bearer nonsense' }, { 'x-api-key': 'pk_test_x' }]) {
      assert.equal((await post(harness, url, {}, { headers })).status, 200)
    }
  })
})

test('the id is req_…, is in X-Request-ID, is new each time, and audit does not know it', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const first = await demo(harness, {})
    const second = await demo(harness, {})
    assert.match(first.body.request_id, /^req_[0-9a-z]+$/)
    assert.equal(first.headers['x-request-id'], first.body.request_id)
    assert.notEqual(first.body.request_id, second.body.request_id)
    const audit = await harness.get(key, `/api/v1/audit/${first.body.request_id}`)
    const never = await harness.get(key, '/api/v1/audit/req_neverseen')
    assert.equal(audit.status, 404)
    assert.deepEqual({ ...audit.body, request_id: '' }, { ...never.body, request_id: '' })
  })
})

test('nothing is recorded', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    for (const body of [{}, { amount: 1000.08 }, { amount: 600_000 }, { corridor: 'US-MX' }]) {
      assert.equal((await demo(harness, body)).status, 200)
    }
    assert.deepEqual(rowCounts(harness), before)
    assert.equal((await harness.get(null, '/api/health')).body.total_verifications, 0)
    assert.deepEqual((await harness.get(key, '/api/verifications')).body, [])
  })
})

test('no cooldown is set and none is read', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    assert.equal((await demo(harness, { amount: 1000.08 })).body.decision, 'NO-GO')
    assert.equal((await demo(harness, {})).body.decision, 'GO')
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })).body.decision, 'GO')
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1000.08 })).body.decision, 'NO-GO')
    const cooled = await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })
    assert.equal(cooled.body.decision, 'NO-GO', 'the keyed caller has its cooldown')
    const free = await post(harness, url, { amount: 1000 }, { key })
    assert.equal(free.body.decision, 'GO')
    assert.equal('cooldown' in free.body, false)
  })
})

test('the test amounts act, but for .09', async () => {
  await withHarness({}, async (harness) => {
    const codesAt = async (ending: string): Promise<string[]> =>
      (await demo(harness, `{"amount":1000${ending}}`)).body.reason_codes
    assert.deepEqual(await codesAt('.01'), ['HIGH_FRAUD_SIGNAL'])
    assert.deepEqual(await codesAt('.02'), ['NETWORK_DEGRADED'])
    assert.deepEqual(await codesAt('.03'), ['INSUFFICIENT_BALANCE'])
    assert.deepEqual(await codesAt('.04'), ['HIGH_FX_VOLATILITY'])
    assert.deepEqual(await codesAt('.05'), ['OPERATION_INVALID'])
    assert.deepEqual(await codesAt('.06'), ['HIGH_FAILURE_RATE'])
    assert.deepEqual(await codesAt('.07'), ['COP_OVERRIDE_ACTIVE'])
    const worst = await demo(harness, { amount: 1000.08 })
    assert.equal(worst.body.decision, 'NO-GO')
    assert.ok(worst.body.score < 0.48 && worst.body.reason_codes.length >= 3)
    const calm = await demo(harness, { amount: 1000 })
    const outage = await demo(harness, { amount: 1000.09 })
    assert.equal(outage.body.amount, 1000.09)
    assert.deepEqual(decisionIn(outage, ['amount']), decisionIn(calm, ['amount']))
  })
})

test('every payment gets the decision, score and evidence of a keyed shadow verify', async () => {
  const settings = { ...unlimited, FAIRWAY_COOLDOWN_S: '0' }
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const anyPayment = fc.record({
      corridor: fc.oneof(anySupported, anyUnsupported),
      amount: fc.oneof(
        anyPaidAmount,
        fc.integer({ min: 1, max: 8 }).map((cents) => (100_000 + cents) / 100),
      ),
      currency: fc.constantFrom('GBP', 'NGN', 'USD'),
    })
    await fc.assert(
      fc.asyncProperty(anyPayment, async (payment) => {
        const kept = await harness.verify(key, payment)
        // The one amount on which a verify stands still and a demo does not.
        fc.pre(kept.status === 200)
        const { validation_note: note, ...shown } = decisionIn(await demo(harness, payment), demoMembers)
        const { validation_note: keptNote, ...rest } = decisionIn(kept, ['valid_until', 'policy_version'])
        assert.deepEqual(
          { ...shown, mode: 'shadow', decision_model: 'v1.3' },
          { ...rest, decision_model: 'v1.3' },
        )
        // A demo has no mode and is not recorded, and says so where there is data.
        const demoNote =
          'Demo: the signals are simulated, no payment rail was queried and nothing is recorded.'
        const shadowNote = 'Shadow mode: the signals are simulated and no payment rail was queried.'
        assert.equal(note, String(keptNote).replace(shadowNote, demoNote))
        assert.equal(note.endsWith(demoNote), kept.body.corridor_supported)
      }),
      { numRuns: 60 },
    )
  })
})

test('the policy gate acts as in verify, with the stricter caps of the operator', async () => {
  await withHarness({ settings: { FAIRWAY_POLICY_CAPS: 'NGN=100/200' } }, async (harness) => {
    const decisionAt = async (amount: number, currency: string): Promise<string> =>
      (await demo(harness, { amount, currency })).body.decision
    assert.equal(await decisionAt(50_000, 'GBP'), 'GO')
    assert.equal(await decisionAt(50_001, 'GBP'), 'DEGRADED')
    assert.equal(await decisionAt(500_001, 'GBP'), 'NO-GO')
    assert.equal(await decisionAt(100, 'NGN'), 'GO')
    assert.equal(await decisionAt(101, 'NGN'), 'DEGRADED')
    assert.equal(await decisionAt(201, 'NGN'), 'NO-GO')
  })
})

test('the two countries stand for the corridor, and agree with it where all are given', async () => {
  await withHarness({}, async (harness) => {
    const corridorFor = async (body: object): Promise<string> => (await demo(harness, body)).body.corridor
    assert.equal(await corridorFor({ sender_country: 'NG', destination_country: 'GB' }), 'NG-GB')
    assert.equal(await corridorFor({ sender_country: 'uk', destination_country: 'ng' }), 'GB-NG')
    assert.equal(await corridorFor({ sender_country: 'XX', destination_country: 'YY' }), 'XX-YY')
    const agreeing = { corridor: 'United Kingdom-Nigeria', sender_country: 'GB', destination_country: 'NG' }
    assert.equal(await corridorFor(agreeing), 'GB-NG')
    assert.equal(await corridorFor({ corridor: 'GB-NG', destination_country: 'NG' }), 'GB-NG')
  })
})

test('sender_account_type and purpose are taken and weigh nothing', async () => {
  await withHarness({}, async (harness) => {
    const plain = decisionIn(await demo(harness, {}))
    for (const sender_account_type of ['business', 'personal']) {
      const answer = await demo(harness, { sender_account_type, purpose: 'SALA' })
      assert.equal(answer.status, 200)
      assert.deepEqual(decisionIn(answer), plain)
    }
  })
})

test('an unsupported corridor is DEGRADED without a partner, and NO-GO above 500,000', async () => {
  await withHarness({}, async (harness) => {
    const { body } = await demo(harness, { corridor: 'US-MX', amount: 1000.08 })
    assert.deepEqual(
      [body.decision, body.corridor_supported, body.recommended_partner, body.recommended_action],
      ['DEGRADED', false, null, 'TREAT_AS_NO_DATA'],
    )
    assert.equal((await demo(harness, { corridor: 'US-MX', amount: 500_001 })).body.decision, 'NO-GO')
  })
})

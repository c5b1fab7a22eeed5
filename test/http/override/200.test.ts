/** POST /api/v1/override: what a good request gets. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { rotateKey } from '../../../src/app/access/keys.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { degraded, override } from '../../helpers/webhooks.ts'

for (const engine of engines) {
  test(`a DEGRADED and a NO-GO decision can each be overridden with every action (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue()
      for (const action of ['EXECUTE', 'HOLD', 'REJECT']) {
        const blocked = await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
        const decisions = [
          { requestId: await degraded(harness, key), decision: 'DEGRADED' },
          { requestId: String(blocked.body.request_id), decision: 'NO-GO' },
        ]
        for (const { requestId, decision } of decisions) {
          harness.clock.advance(1_500)
          const answer = await override(harness, key, requestId, { action })
          assert.equal(answer.status, 200, answer.text)
          const { override_id: overrideId, ...rest } = answer.body
          assert.match(overrideId, /^ovr_[0-9a-hjkmnp-tv-z]{26}$/)
          assert.deepEqual(rest, {
            request_id: requestId,
            original_decision: decision,
            action,
            reason_code: 'COMPLIANCE_APPROVED',
            justification: 'Payee confirmed by telephone.',
            created_at: new Date(harness.clock.nowMs()).toISOString(),
            created_by: { kind: 'key', id: record.keyId, name: record.ownerLabel },
            approval: null,
          })
        }
      }
    })
  })

  test(`the justification is kept to the letter, whatever it is written in (${engine})`, async () => {
    const texts = [
      'x',
      'x'.repeat(2_000),
      '  kept with its space  ',
      'first line\nsecond line\r\n\tindented',
      `it's "so" <b>& \\ ; DROP TABLE overrides; --`,
      'Überprüft ☕ 支払い \u{1f980} \u202etrevni',
      '\u{1f980}'.repeat(2_000),
    ]
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      for (const justification of texts) {
        const requestId = await degraded(harness, key)
        const answer = await override(harness, key, requestId, { justification })
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.body.justification, justification)
        const audit = await harness.get(key, `/api/v1/audit/${requestId}`)
        assert.equal(audit.body.human_override.justification, justification)
      }
    })
  })
}

test('any reason code in upper snake case is taken, and unknown members are ignored', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const code of ['A', 'A1', 'RISK_2_ACCEPTED', 'X_9', `${'A'.repeat(62)}_B`]) {
      const answer = await override(harness, key, await degraded(harness, key), {
        reason_code: code,
        colour: { any: ['thing'] },
      })
      assert.equal(answer.status, 200, code)
      assert.equal(answer.body.reason_code, code)
      assert.equal('colour' in answer.body, false)
    }
  })
})

test('a decision of long ago can still be overridden, and by the key that has taken the place of the old one', async () => {
  for (const engine of engines) {
    await withHarness({ engine }, async (harness) => {
      const { store, clock, issue } = harness
      const first = await issue()
      const requestId = await degraded(harness, first.key)
      clock.advance(400 * 86_400_000)
      const deps = { keys: store.keys, clock, random: systemRandom }
      const rotated = await rotateKey(deps, first.record.keyId, 0)
      assert.equal(rotated.kind, 'rotated')
      const key = rotated.kind === 'rotated' ? rotated.issued.key : ''
      const answer = await override(harness, key, requestId)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.created_at, '2027-04-05T12:00:00.000Z')
    })
  }
})

test('an override changes nothing but the record that it speaks of: no cooldown, no replay, no count', async () => {
  await withHarness({}, async (harness) => {
    const { issue, verify, get } = harness
    const { key } = await issue()
    const body = { corridor: 'GB-NG', amount: 600_000, idempotency_key: 'k' }
    const blocked = await verify(key, body)
    assert.equal((await override(harness, key, blocked.body.request_id)).status, 200)
    const hit = await verify(key, { corridor: 'GB-NG', amount: 5 })
    assert.equal(hit.body.decision, 'NO-GO', 'the corridor stays blocked')
    assert.equal(hit.body.cooldown.source_request_id, blocked.body.request_id)
    const replay = await verify(key, body)
    assert.equal(replay.body.idempotency_hit, true)
    assert.deepEqual(
      { ...replay.body, idempotency_hit: false, response_ms: 0 },
      { ...blocked.body, response_ms: 0 },
    )
    assert.equal((await get(key, `/api/v1/audit/${hit.body.request_id}`)).body.human_override, null)
    assert.equal((await get(null, '/api/health')).body.total_verifications, 2)
  })
})

test('the answer has the headers of every keyed route', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const answer = await override(harness, key, await degraded(harness, key))
    assert.match(String(answer.headers['x-request-id']), /^req_/)
    assert.equal(answer.headers['x-svc-version'], 'v1')
    assert.equal(answer.headers['x-svc-environment'], 'sandbox')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['ratelimit-policy'], '"keyed";q=300;w=60')
    assert.equal(answer.headers['ratelimit'], '"keyed";r=299;t=60')
  })
})

/** The partner of an outcome: reported with it, sealed with it, and counted by that partner's own feed. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines } from '../../helpers/database/databases.ts'
import type { Harness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'
import { withLive, type FeedsSpec } from '../../helpers/peers/provider.ts'
import { networks, worldAt } from '../../helpers/peers/world.ts'
import { errorsOf } from '../../helpers/post.ts'

/** Each partner's failure rate is that of its own payments; at most one is assumed. */
function ownRates(origin: string): FeedsSpec {
  const { partners, ...world } = worldAt(origin)
  const rate = { source: 'outcomes', least: 1, assumed_rate: 0, cache_ms: 0 }
  const withRate = (id: string) => {
    const given = partners?.[id] as { signals: object }
    return { ...given, signals: { ...given.signals, historical_failure_rate: rate } }
  }
  return { ...world, partners: { alpha: withRate('alpha'), beta: withRate('beta') } }
}

async function decided(harness: Harness, key: string): Promise<string> {
  const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 1_000 })
  return String(body.request_id)
}

for (const engine of engines) {
  test(`a partner's own feed counts the payments that went through it (${engine})`, async () => {
    await withLive({ engine, answer: networks(), feeds_file: ownRates }, async ({ harness }) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      const first = await harness.verify(key, { corridor: 'GB-KE', amount: 1_000 })
      assert.equal(first.body.recommended_partner, 'beta')
      const made = await report(harness, key, first.body.request_id, { outcome: 'FAILED', partner: 'beta' })
      assert.deepEqual([made.status, made.body.partner], [200, 'beta'])
      // Reported without a partner, a failure is nobody's.
      await report(harness, key, await decided(harness, key), { outcome: 'FAILED' })
      harness.clock.advance(1)
      const next = await harness.verify(key, { corridor: 'GB-KE', amount: 1_000 })
      assert.deepEqual(
        [next.body.recommended_partner, next.body.signals.historical_failure_rate],
        ['alpha', 0],
      )
      const { body } = await harness.get(key, `/api/v1/decision/${next.body.request_id}/explanation`)
      assert.equal(body.partners[1].comparison, 'alpha: 0.05 better.')
    })
  })

  test(`the partner is part of the record and of its proof (${engine})`, async () => {
    await withLive({ engine, answer: networks(), feeds_file: ownRates }, async ({ harness }) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      const id = await decided(harness, key)
      await report(harness, key, id, { outcome: 'COMPLETED', partner: 'alpha' })
      await harness.seal()
      assert.equal((await harness.get(key, `/api/v1/audit/${id}`)).body.outcome.partner, 'alpha')
      const exported = await harness.get(key, `/api/v1/audit/export/${id}`)
      const verified = verifyBundle(exported.text)
      assert.deepEqual([verified.findings, verified.seal === null], [[], false])
      const changed = verifyBundle(
        exported.text.replace('"partner":"alpha","person_id"', '"partner":"beta","person_id"'),
      )
      assert.ok(changed.findings.some(({ path }) => path === '/proof/outcome/leaf'))
      const again = await report(harness, key, id, { outcome: 'COMPLETED', partner: 'alpha' })
      const other = await report(harness, key, id, { outcome: 'COMPLETED', partner: 'beta' })
      assert.deepEqual([again.status, other.status, other.body.code], [200, 409, 'OUTCOME_EXISTS'])
    })
  })
}

test('a partner that the decision did not know is refused, with those that it knew', async () => {
  await withLive({ answer: networks(), feeds_file: ownRates }, async ({ harness }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const refused = await report(harness, key, await decided(harness, key), {
      outcome: 'FAILED',
      partner: 'alhpa',
    })
    assert.deepEqual(errorsOf(refused), [['/partner', 'must be one of beta, alpha']])
    const { body } = await harness.verify((await harness.issue()).key, { corridor: 'GB-NG', amount: 1 })
    assert.equal(body.recommended_partner.slice(0, 4), 'sim-')
  })
})

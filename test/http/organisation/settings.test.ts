/** GET /api/v1/organisation/settings: of the calling key and of no other. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'

const url = '/api/v1/organisation/settings'

for (const engine of engines) {
  test(`usage is counted for the key that asks, and for no other (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, get }) => {
      const mine = await issue()
      const other = await issue()
      const used = async (key: string): Promise<number> =>
        (await get(key, url)).body.usage.verifications_this_key as number
      assert.equal(await used(mine.key), 0)
      await Promise.all(Array.from({ length: 20 }, () => verify(mine.key, { corridor: 'GB-NG' })))
      await verify(mine.key, { corridor: 'GB-NG', idempotency_key: 'k' })
      await verify(mine.key, { corridor: 'GB-NG', idempotency_key: 'k' })
      await verify(mine.key, { corridor: 'nowhere' })
      await verify(mine.key, { corridor: 'GB-NG', amount: 5.09 })
      assert.equal(await used(mine.key), 21, 'what was recorded, once each')
      assert.equal(await used(other.key), 0)
    })
  })
}

test('the limits are those in force, the key’s own before the service’s', async () => {
  const settings = { FAIRWAY_LIMIT_VERIFY: '7/10', FAIRWAY_LIMIT_KEYED: '50/20', FAIRWAY_LIMIT_BATCH: '3/30' }
  await withHarness({ settings }, async ({ issue, get, store, clock }) => {
    const own = await issue({ limit: { count: 9, windowMs: 5_000 } })
    assert.deepEqual((await get(own.key, url)).body.rate_limits, {
      verify: { requests: 9, window_seconds: 5 },
      batch: { requests: 3, window_seconds: 30 },
      other: { requests: 50, window_seconds: 20 },
    })
    const { issueKey } = await import('../../../src/app/access/keys.ts')
    const { systemRandom } = await import('../../../src/adapters/system.ts')
    const plain = await issueKey(
      { keys: store.keys, clock, random: systemRandom },
      { prefix: 'pk_test_', ownerLabel: 'plain', scopes: [], verifyLimit: null },
    )
    const { body, headers } = await get(plain.key, url)
    assert.deepEqual(body.rate_limits.verify, { requests: 7, window_seconds: 10 })
    assert.equal(headers['ratelimit-policy'], '"keyed";q=50;w=20')
    assert.equal(body.organisation, 'plain')
  })
})

test('features and roles follow the scopes of the key, and any key may ask', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const all = (await get((await issue()).key, url)).body
    assert.deepEqual(all.corridors, { permitted: ['GB-NG', 'NG-GB'] })
    assert.ok(all.audit_users.every((role: { granted: boolean }) => role.granted))
    assert.equal(all.features.test_amounts, true)
    assert.equal(all.features.live_mode, false)
    const auditor = (await get((await issue({ scopes: ['audit:read'] })).key, url)).body
    assert.deepEqual(
      [
        auditor.features.verify,
        auditor.features.audit_export,
        auditor.features.overrides,
        auditor.features.webhooks,
      ],
      [false, true, false, false],
    )
    assert.deepEqual(
      auditor.audit_users.map((role: { role: string; granted: boolean }) => [role.role, role.granted]),
      [
        ['decision_requester', false],
        ['auditor', true],
        ['compliance_officer', false],
        ['webhook_manager', false],
        ['outcome_reporter', false],
        ['policy_reader', false],
        ['policy_author', false],
        ['policy_approver', false],
        ['review_reader', false],
        ['reviewer', false],
        ['review_approver', false],
      ],
    )
    const sandbox = (await get((await issue({ prefix: 'svc-sandbox-' })).key, url)).body
    assert.deepEqual(
      sandbox.audit_users.flatMap(({ scope, granted }: { scope: string; granted: boolean }) =>
        granted ? [] : [scope],
      ),
      ['policy:approve', 'review:approve'],
    )
    const live = (await get((await issue({ prefix: 'pk_live_' })).key, url)).body
    assert.deepEqual(
      [live.key.environment, live.key.type, live.features.test_amounts],
      ['production', 'live', false],
    )
    assert.equal(live.key.expires_at, '2026-05-30T12:00:00.000Z')
    assert.equal((await get(null, url)).status, 401)
  })
})

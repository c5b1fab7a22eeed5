/** What an operator's decision does to keys, at times that a test sets: owners, ends, and that it is made once. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import {
  approveAccess,
  rejectAccess,
  type ApproveCommand,
  type ApproveOutcome,
} from '../../../src/app/access/access.ts'
import { rotationOverlapMsMax } from '../../../src/app/access/keys.ts'
import { received } from '../../helpers/access.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

const dayMs = 24 * 60 * 60 * 1000

function approve(
  { store, clock }: Harness,
  accessRequestId: string,
  more: Partial<ApproveCommand> = {},
): Promise<ApproveOutcome> {
  return approveAccess(
    { access: store.access, keys: store.keys, clock, random },
    {
      accessRequestId,
      replaces: null,
      overlapMs: rotationOverlapMsMax,
      scopes: null,
      verifyLimit: null,
      decidedBy: 'ops',
      note: null,
      ...more,
    },
  )
}

async function approved(...args: Parameters<typeof approve>) {
  const outcome = await approve(...args)
  assert.ok(outcome.kind === 'approved', outcome.kind)
  return outcome
}

for (const engine of engines) {
  test(`a live key is refused after 90 days, and reissued with its owner by an approval that names it (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { clock, store } = harness
      const first = await approved(harness, (await received(harness)).id)
      const { keyId, ownerId, expiresAtMs } = first.issued.record
      assert.equal(expiresAtMs, clock.nowMs() + 90 * dayMs)
      const settings = '/api/v1/organisation/settings'
      clock.advance(90 * dayMs - 1)
      assert.equal((await harness.get(first.issued.key, settings)).status, 200)
      clock.advance(1)
      assert.equal((await harness.get(first.issued.key, settings)).status, 401)
      const before = await store.keys.find(keyId)
      const again = await approved(harness, (await received(harness)).id, { replaces: keyId })
      assert.equal(again.issued.record.ownerId, ownerId)
      assert.equal(again.issued.record.ownerLabel, first.issued.record.ownerLabel)
      assert.deepEqual(again.replaced, { keyId, endsAtMs: expiresAtMs })
      assert.deepEqual(await store.keys.find(keyId), before, 'nothing of the old key changes')
      assert.equal((await harness.get(again.issued.key, settings)).status, 200)
    })
  })

  test(`a replaced key ends after the overlap, after a day at the latest, and never later than it would have (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { clock, store } = harness
      const rows: readonly (readonly [overlapMs: number, leftMs: number, endsInMs: number])[] = [
        [60_000, 90 * dayMs, 60_000],
        [dayMs, 90 * dayMs, dayMs],
        [7 * dayMs, 90 * dayMs, dayMs],
        [dayMs, 1_000, 1_000],
        [0, 90 * dayMs, 0],
      ]
      for (const [overlapMs, leftMs, endsInMs] of rows) {
        const old = await harness.issue({ prefix: 'pk_live_' })
        clock.advance(90 * dayMs - leftMs)
        const { keyId } = old.record
        const { id } = await received(harness, { email: `${keyId}@example.com` })
        const nowMs = clock.nowMs()
        const { replaced } = await approved(harness, id, { replaces: keyId, overlapMs })
        assert.deepEqual(replaced, { keyId, endsAtMs: nowMs + endsInMs })
        const ended = await store.keys.find(keyId)
        const endedAtMs = ended?.revokedAtMs ?? ended?.expiresAtMs ?? 0
        assert.equal(endedAtMs, nowMs + endsInMs, `an overlap of ${overlapMs} with ${leftMs} left`)
      }
    })
  })

  test(`two operators at once make one decision, and the other is told what it was (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const other = await harness.sibling()
      const { id } = await received(harness)
      const outcomes = await Promise.all([
        approve(harness, id, { decidedBy: 'one' }),
        approve(other, id, { decidedBy: 'two' }),
        rejectAccess(
          { access: other.store.access, clock: other.clock },
          { accessRequestId: id, decidedBy: 'three', note: null, revokesSandbox: true },
        ),
      ])
      await other.close()
      const request = await harness.store.access.find(id)
      const beaten = outcomes.filter((outcome) => outcome.kind === 'decided')
      assert.equal(beaten.length, 2)
      for (const { request: told } of beaten) assert.deepEqual(told, request)
      const live = (await harness.store.keys.list()).filter(({ type }) => type === 'live')
      assert.equal(live.length, request?.status === 'approved' ? 1 : 0)
    })
  })
}

test('an approval that names no key makes a new owner, one that names an unknown key decides nothing', async () => {
  await withHarness({}, async (harness) => {
    const { store } = harness
    const { id } = await received(harness)
    assert.deepEqual(await approve(harness, id, { replaces: 'key_none' }), { kind: 'unknown_key' })
    assert.equal((await store.access.find(id))?.status, 'received')
    assert.equal((await store.keys.list()).length, 1)
    assert.deepEqual(await approve(harness, 'acr_none'), { kind: 'unknown_request' })
    const { issued } = await approved(harness, id)
    const request = await store.access.find(id)
    assert.notEqual(issued.record.ownerId, request?.ownerId)
    assert.equal(issued.record.ownerLabel, 'payments@example.com (Payments team)')
    assert.equal(request?.decision?.liveKeyId, issued.record.keyId)
    const sandbox = await store.keys.find(request?.sandboxKeyId ?? '')
    assert.deepEqual([sandbox?.revokedAtMs, sandbox?.expiresAtMs], [null, null], 'the sandbox key goes on')
  })
})

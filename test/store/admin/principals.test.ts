/** Principals of keys: a key and everything that succeeds it act as one; any other key acts for itself. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../../src/adapters/store/open.ts'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { approveAccess } from '../../../src/app/access/access.ts'
import { issueKey, rotateKey } from '../../../src/app/access/keys.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { received } from '../../helpers/access.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withDirectDatabase, type DirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { insertRow, olderDatabase } from '../engine/older-schema.ts'

async function rotated({ store, clock }: Harness, keyId: string): Promise<string> {
  const outcome = await rotateKey({ keys: store.keys, clock, random }, keyId, 60_000)
  assert.ok(outcome.kind === 'rotated')
  return outcome.issued.record.keyId
}

async function approvedInPlaceOf(harness: Harness, replaces: string | null): Promise<string> {
  const { store, clock } = harness
  const { id } = await received(harness)
  const outcome = await approveAccess(
    { access: store.access, keys: store.keys, clock, random },
    {
      accessRequestId: id,
      decidedBy: 'ops',
      note: null,
      replaces,
      overlapMs: 0,
      scopes: null,
      verifyLimit: null,
    },
  )
  assert.ok(outcome.kind === 'approved')
  return outcome.issued.record.keyId
}

/** By rotation: each key and the one that it replaced. */
const replaced: Readonly<Record<string, string>> = {
  key_second: 'key_first',
  key_third: 'key_second',
  key_after_live: 'key_live',
  // Only a changed database has these: the upgrade must come to an end.
  key_loop_a: 'key_loop_b',
  key_loop_b: 'key_loop_a',
  key_orphan: 'key_removed',
}

/** Keys, their rotations, and an approval by which one replaced the third. */
async function insertReplaced(older: DirectDatabase, nowMs: number): Promise<void> {
  for (const keyId of ['key_first', 'key_alone', 'key_live', ...Object.keys(replaced)]) {
    await insertRow(older, 'api_keys', {
      key_id: keyId,
      key_hash: `hash of ${keyId}`,
      owner_id: 'own_1',
      owner_label: 'x',
      type: 'test',
      scopes: '',
      created_at_ms: nowMs,
    })
  }
  for (const [subject, replacedKeyId] of Object.entries(replaced)) {
    await insertRow(older, 'acts', {
      act_id: `act_${subject}`,
      kind: 'key.rotated',
      subject,
      made_by: 'ops',
      at_ms: nowMs,
      detail: JSON.stringify({ replaced_key_id: replacedKeyId, owner_id: 'own_1' }),
    })
  }
  await insertRow(older, 'access_requests', {
    access_request_id: 'acr_1',
    name: 'x',
    email: 'x@example.com',
    email_key: 'x@example.com',
    reason: 'x',
    captcha: 'not_checked',
    owner_id: 'own_2',
    sandbox_key_id: 'key_removed_too',
    created_at_ms: nowMs,
    status: 'approved',
    decided_at_ms: nowMs,
    decided_by: 'ops',
    live_key_id: 'key_live',
    replaced_key_id: 'key_third',
  })
}

for (const engine of engines) {
  test(`${engine}: every successor of a key, by rotation or by approval, has its principal`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { keyId: first } = (await harness.issue()).record
      const second = await rotated(harness, first)
      const third = await rotated(harness, second)
      const live = await approvedInPlaceOf(harness, third)
      for (const keyId of [first, second, third, live, await rotated(harness, live)])
        assert.equal((await harness.store.keys.find(keyId))?.principalId, first)
    })
  })

  test(`${engine}: a further key of an owner, a requested key and one approved for a new owner are principals of their own`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const { record: further } = await issueKey(
        { keys: store.keys, clock, random },
        { prefix: 'pk_test_', ownerLabel: 'x', scopes: [], verifyLimit: null, ownerId },
      )
      const approved = await approvedInPlaceOf(harness, null)
      const listed = await store.keys.list()
      assert.equal(listed.length, 4)
      for (const { keyId, principalId } of listed) assert.equal(principalId, keyId)
      for (const keyId of [further.keyId, approved]) assert.ok(listed.some((key) => key.keyId === keyId))
    })
  })

  test(`${engine}: keys replaced before the upgrade share the principal of the first`, async () => {
    const clock = new ManualClock()
    const nowMs = clock.nowMs()
    const database = await olderDatabase(engine, 13, nowMs)
    await withDirectDatabase(database.url, (older) => insertReplaced(older, nowMs))
    const { store } = await openStore({ leafHashes, databaseUrl: database.url, clock, onFault: () => {} })
    try {
      const principals = (await store.keys.list()).map(({ keyId, principalId }) => [keyId, principalId])
      assert.deepEqual(Object.fromEntries(principals), {
        key_first: 'key_first',
        key_second: 'key_first',
        key_third: 'key_first',
        key_live: 'key_first',
        key_after_live: 'key_first',
        key_alone: 'key_alone',
        key_loop_a: 'key_loop_a',
        key_loop_b: 'key_loop_b',
        key_orphan: 'key_orphan',
      })
    } finally {
      await store.close()
      await database.drop()
    }
  })
}

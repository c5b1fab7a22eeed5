/** GET /api/v1/audit/{id}/proof and /checkpoint: anyone can check that a record is in the log, and that the log only grew. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedBy, readNote, readVerifierKey } from '../../../src/app/log/checkpoint.ts'
import { isConsistent, leafHash, rootByInclusion } from '../../../src/app/log/merkle.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { override } from '../../helpers/webhooks.ts'

interface Leaf {
  readonly leaf_index: number
  readonly leaf_hash: string
  readonly leaf: string
  readonly inclusion_path: string[]
}

interface Checkpoint {
  readonly tree_size: number
  readonly root_hash: string
  readonly note: string
  readonly verifier_key: string
}

function checkSigned({ note, verifier_key: key, tree_size: size, root_hash: root }: Checkpoint): void {
  const verifier = readVerifierKey(key) ?? assert.fail('no key')
  assert.ok(isSignedBy(note, verifier))
  const told = readNote(note)
  assert.deepEqual([told?.size, told?.root], [size, root])
}

function checkLeaf(
  { leaf, leaf_hash: hash, leaf_index: index, inclusion_path: path }: Leaf,
  tree: Checkpoint,
): void {
  assert.equal(leafHash(leaf), hash)
  assert.equal(rootByInclusion(hash, { index, size: tree.tree_size }, path), tree.root_hash)
}

async function checkpoint(harness: Harness, from?: number) {
  const { status, body } = await harness.get(
    null,
    `/api/v1/audit/checkpoint${from === undefined ? '' : `?from=${from}`}`,
  )
  assert.equal(status, 200)
  return body
}

for (const engine of engines) {
  test(`a record and its override are proven to be in the signed log, as soon as they are sealed (${engine})`, async () => {
    await withHarness({ engine, sealsByHand: true }, async (harness) => {
      const { key } = await harness.issue()
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 60_000 })
      const url = `/api/v1/audit/${body.request_id}/proof`
      const early = await harness.get(key, url)
      assert.deepEqual(
        [early.body.status, early.body.record, early.body.override, early.body.checkpoint],
        ['pending', null, null, null],
      )
      for (let more = 0; more < 300; more += 1) await harness.verify(key, { corridor: 'NG-GB', amount: more })
      await harness.seal()
      const sealed = (await harness.get(key, url)).body
      assert.deepEqual([sealed.status, sealed.override], ['sealed', null])
      checkSigned(sealed.checkpoint)
      checkLeaf(sealed.record, sealed.checkpoint)
      assert.ok(sealed.record.leaf.includes(body.request_id))

      await override(harness, key, body.request_id)
      assert.equal((await harness.get(key, url)).body.status, 'pending', 'the override is not sealed yet')
      await harness.seal()
      const both = (await harness.get(key, url)).body
      assert.equal(both.status, 'sealed')
      checkLeaf(both.record, both.checkpoint)
      checkLeaf(both.override, both.checkpoint)
      assert.deepEqual(both.checkpoint, (await checkpoint(harness)).checkpoint)
    })
  })

  test(`who kept a checkpoint is shown that the log begins with it, whatever its size (${engine})`, async () => {
    await withHarness({ engine, sealsByHand: true }, async (harness) => {
      assert.deepEqual(await checkpoint(harness), { checkpoint: null, consistency: null })
      await harness.seal()
      const kept = [(await checkpoint(harness)).checkpoint]
      assert.equal(kept[0].tree_size, 0, 'an empty log is signed, too')
      const { key } = await harness.issue()
      for (const count of [1, 2, 254, 3]) {
        for (let more = 0; more < count; more += 1)
          await harness.verify(key, { corridor: 'GB-NG', amount: more })
        await harness.seal()
        kept.push((await checkpoint(harness)).checkpoint)
      }
      for (const old of kept) {
        const { checkpoint: now, consistency } = await checkpoint(harness, old.tree_size)
        assert.equal(consistency.from_size, old.tree_size)
        const sizes = (one: Checkpoint) => ({ size: one.tree_size, root: one.root_hash })
        assert.ok(isConsistent(sizes(old), sizes(now), consistency.path), `from ${old.tree_size}`)
      }
    })
  })
}

test('what is asked for before it is sealed is sealed then: a proof and an export are whole at once', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
    const proof = (await harness.get(key, `/api/v1/audit/${body.request_id}/proof`)).body
    assert.deepEqual([proof.status, proof.checkpoint.tree_size], ['sealed', 1])
    const later = await harness.verify(key, { corridor: 'GB-NG', amount: 2 })
    const exported = (await harness.get(key, `/api/v1/audit/export/${later.body.request_id}`)).body
    assert.deepEqual([exported.proof.status, exported.proof.checkpoint.tree_size], ['sealed', 2])
  })
})

test('400: a size that the log does not have, or that is none', async () => {
  await withHarness({}, async (harness) => {
    await harness.seal()
    for (const from of ['1', '-1', '1.5', 'x', '9007199254740993']) {
      const { status, body } = await harness.get(null, `/api/v1/audit/checkpoint?from=${from}`)
      assert.equal(status, 400, from)
      assert.equal(body.errors[0].path, '/from')
    }
  })
})

test('404: the proof of a foreign, unknown or malformed id gets one and the same body; 401 and 403 as everywhere', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { key: other } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
    const bodies = new Set<string>()
    for (const id of [
      body.request_id,
      'SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N',
      'x',
      '%00',
      'export',
      'checkpoint',
    ]) {
      const answer = await harness.get(other, `/api/v1/audit/${id}/proof`)
      assert.equal(answer.status, 404, id)
      bodies.add(JSON.stringify({ ...answer.body, request_id: '' }))
    }
    assert.equal(bodies.size, 1)
    assert.equal((await harness.get(null, `/api/v1/audit/${body.request_id}/proof`)).status, 401)
    const { key: narrow } = await harness.issue({ scopes: ['decision:read'] })
    assert.equal((await harness.get(narrow, `/api/v1/audit/${body.request_id}/proof`)).status, 403)
  })
})

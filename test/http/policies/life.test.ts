/** The life of policies over HTTP: created, made the candidate, promoted by another principal, rolled back. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { rotateKey } from '../../../src/app/access/keys.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { decideOn, idle, policiesUrl, postEmpty, reviewAll, stopAll, teamOn } from '../../helpers/policies.ts'
import { errorsOf, post } from '../../helpers/post.ts'

const statusOf = ({ body }: Answer): string => String(body.status)
const problemOf = ({ status, body }: Answer): unknown[] => [status, body.code, body.message]

for (const engine of engines) {
  test(`${engine}: a policy is draft, candidate, active and retired, with who, when and why`, async () => {
    await withHarness({ engine }, async (harness) => {
      const team = await teamOn(harness)
      const { author, approver } = team
      const created = await post(harness, policiesUrl, stopAll, { key: author.key })
      const { policy_id: id, sha256, ...rest } = created.body
      assert.match(id, /^pol_[0-9a-z]{26}$/)
      assert.match(sha256, /^[0-9a-f]{64}$/)
      const by = { kind: 'key', id: author.record.keyId, name: 'author' }
      const at = '2026-03-01T12:00:00.000Z'
      assert.deepEqual(rest, {
        status: 'draft',
        created_at: at,
        created_by: by,
        document: stopAll,
        changes: [],
      })
      assert.equal(statusOf(await team.makeCandidate(id)), 'candidate')
      harness.clock.advance(60_000)
      assert.equal(statusOf(await team.promote(id, 'Agreed in the meeting.')), 'active')
      const other = await team.putInForce(reviewAll)
      assert.equal(statusOf(await team.show(id)), 'retired')
      assert.deepEqual((await team.rollBack('Too slow.')).body, { rolled_back: other, active: id })
      assert.equal(statusOf(await team.show(id)), 'active')
      const second = { kind: 'key', id: approver.record.keyId, name: 'approver' }
      const later = '2026-03-01T12:01:00.000Z'
      assert.deepEqual((await team.show(id)).body.changes, [
        { kind: 'candidate', at, by, reason: null },
        { kind: 'promoted', at: later, by: second, reason: 'Agreed in the meeting.' },
      ])
      assert.deepEqual((await team.show(other)).body.changes, [
        { kind: 'promoted', at: later, by: second, reason: 'Agreed.' },
        { kind: 'rolled_back', at: later, by: second, reason: 'Too slow.' },
      ])
      assert.deepEqual((await team.show(id)).body.document, stopAll, 'as it was given')
    })
  })
}

test('a promotion acts on the next decision, and a rollback on the one after', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    assert.deepEqual((await decideOn(harness, key)).version, null)
    const stop = await team.create(stopAll)
    assert.equal((await decideOn(harness, key)).decision, 'GO', 'a draft decides nothing')
    await team.makeCandidate(stop)
    assert.equal((await decideOn(harness, key)).decision, 'GO', 'a candidate decides nothing')
    await team.promote(stop)
    const stopped = await decideOn(harness, key)
    assert.deepEqual([stopped.decision, stopped.version], ['NO-GO', { owner: stop, installation: null }])
    const review = await team.putInForce(reviewAll)
    const reviewed = await decideOn(harness, key)
    assert.deepEqual(
      [reviewed.decision, reviewed.version],
      ['DEGRADED', { owner: review, installation: null }],
    )
    await team.rollBack()
    assert.equal((await decideOn(harness, key)).decision, 'NO-GO')
    await team.rollBack()
    const free = await decideOn(harness, key)
    assert.deepEqual([free.decision, free.version], ['GO', null])
  })
})

test('rollbacks go back one by one to none, and then there is nothing to roll back', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const nothing = [409, 'POLICY_CONFLICT', 'No policy is active, so there is nothing to roll back.']
    assert.deepEqual(problemOf(await team.rollBack()), nothing)
    const [first, second] = [await team.putInForce(stopAll), await team.putInForce(reviewAll)]
    // Promoted again, it is in the stack twice.
    assert.equal((await team.promote(first)).status, 200)
    const results = [await team.rollBack(), await team.rollBack(), await team.rollBack()]
    assert.deepEqual(
      results.map(({ body }) => body),
      [
        { rolled_back: first, active: second },
        { rolled_back: second, active: first },
        { rolled_back: first, active: null },
      ],
    )
    assert.deepEqual(problemOf(await team.rollBack()), nothing)
    assert.deepEqual((await team.list()).body.active, null)
  })
})

test('there is one candidate: another takes its place, and a promotion ends it', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const [first, second] = [await team.create(stopAll), await team.create(reviewAll)]
    await team.makeCandidate(first)
    assert.deepEqual(problemOf(await team.makeCandidate(first)), [
      409,
      'POLICY_CONFLICT',
      'This policy is the candidate already.',
    ])
    await team.makeCandidate(second)
    assert.deepEqual(
      [statusOf(await team.show(first)), statusOf(await team.show(second))],
      ['draft', 'candidate'],
    )
    const third = await team.putInForce(idle)
    assert.equal(statusOf(await team.show(second)), 'candidate', 'a promotion of another leaves it')
    await team.promote(second)
    const { active, candidate } = (await team.list()).body
    assert.deepEqual([active, candidate], [second, null])
    assert.deepEqual(problemOf(await team.promote(second)), [
      409,
      'POLICY_CONFLICT',
      'This policy is active already.',
    ])
    assert.deepEqual(problemOf(await team.makeCandidate(second)), [
      409,
      'POLICY_CONFLICT',
      'This policy is active already.',
    ])
    // The one that a rollback returns to is not the candidate any more.
    await team.makeCandidate(third)
    await team.rollBack()
    const after = (await team.list()).body
    assert.deepEqual(
      [after.active, after.candidate, statusOf(await team.show(third))],
      [third, null, 'active'],
    )
    assert.notEqual((await harness.get(team.author.key, `${policiesUrl}/${third}/report`)).body.until, null)
  })
})

const fourEyes = [
  403,
  'FOUR_EYES',
  'You wrote this policy. Another principal with the scope policy:approve must promote it.',
]

test('the principal who wrote a policy cannot promote it, by any key that replaced theirs', async () => {
  await withHarness({}, async (harness) => {
    const { author, approver, create, show, rollBack } = await teamOn(harness)
    const id = await create()
    const promoteBy = (key: string): Promise<Answer> =>
      post(harness, `${policiesUrl}/${id}/promote`, { reason: 'Mine.' }, { key })
    assert.deepEqual(problemOf(await promoteBy(author.key)), fourEyes)
    const successor = await rotated(harness, author.record.keyId)
    const grandchild = await rotated(harness, successor.keyId)
    for (const { key } of [successor, grandchild]) assert.deepEqual(problemOf(await promoteBy(key)), fourEyes)
    assert.equal(statusOf(await show(id)), 'draft')
    assert.equal((await promoteBy(approver.key)).status, 200, 'another key of the owner is another principal')
    assert.equal((await rollBack()).status, 200)
    // A rollback takes one who may approve, the author too.
    await promoteBy(approver.key)
    const undone = await post(harness, `${policiesUrl}/rollback`, { reason: 'Mine.' }, { key: author.key })
    assert.equal(undone.status, 200)
  })
})

async function rotated({ store, clock }: Harness, keyId: string): Promise<{ key: string; keyId: string }> {
  const outcome = await rotateKey({ keys: store.keys, clock, random }, keyId, 3_600_000)
  if (outcome.kind !== 'rotated') return assert.fail(outcome.kind)
  return { key: outcome.issued.key, keyId: outcome.issued.record.keyId }
}

test('a sandbox key cannot approve: neither a promotion nor a rollback', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const id = await team.create()
    const sandbox = await harness.issue({ prefix: 'svc-sandbox-', ownerId: team.ownerId })
    assert.equal(sandbox.record.type, 'sandbox')
    for (const path of [`${id}/promote`, 'rollback']) {
      const answer = await post(harness, `${policiesUrl}/${path}`, { reason: 'Now.' }, { key: sandbox.key })
      assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN'])
    }
    assert.equal((await post(harness, policiesUrl, idle, { key: sandbox.key })).status, 200)
    assert.equal((await postEmpty(harness, sandbox.key, `${policiesUrl}/${id}/candidate`)).status, 200)
  })
})

test('a promotion and a rollback need a reason', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const id = await team.create()
    for (const path of [`${id}/promote`, 'rollback']) {
      const url = `${policiesUrl}/${path}`
      const key = team.approver.key
      assert.deepEqual(errorsOf(await post(harness, url, {}, { key })), [['/reason', 'is required']])
      for (const reason of ['', 5, null, 'r'.repeat(2_001), 'a\u0000b']) {
        const { status, body } = await post(harness, url, { reason }, { key })
        assert.deepEqual([status, body.code, body.errors[0].path], [400, 'INVALID_REQUEST', '/reason'])
      }
      assert.equal((await postEmpty(harness, key, url)).status, 400)
    }
    assert.equal(statusOf(await team.show(id)), 'draft')
    assert.equal((await team.promote(id, 'Line one.\nLine two, with ☕.')).status, 200)
  })
})

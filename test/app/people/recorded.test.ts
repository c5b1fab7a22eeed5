/** Who overrode a decision or reported its outcome, by which key or session: in every place that tells of it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { rotateKey } from '../../../src/app/access/keys.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { overrideInReview, peopleOn, person, write } from '../../helpers/people.ts'
import { withReceiver, type TestReceiver } from '../../helpers/peers/receiver.ts'
import { degraded, goodOverride, register, trial } from '../../helpers/webhooks.ts'

type Headed = Parameters<typeof write>[1]

/** The principal as the tests expect to see it. */
interface Expected {
  /** For readers, in answers and events. */
  readonly shown: object
  readonly keyId: string
  readonly personId: string | null
  readonly principalId: string
}

interface Scene {
  readonly harness: Harness
  readonly receiver: TestReceiver
  readonly key: string
  readonly keyId: string
  readonly ownerId: string
}

async function withScene(engine: Engine, work: (scene: Scene) => Promise<void>): Promise<void> {
  await withReceiver((receiver) =>
    withHarness({ engine, settings: trial }, async (harness) => {
      const { key, record } = await harness.issue({ ownerLabel: 'Payments team' })
      await register(harness, key, receiver.url, { events: ['payment.override.created'] })
      await work({ harness, receiver, key, keyId: record.keyId, ownerId: record.ownerId })
    }),
  )
}

interface Recorded {
  readonly overridden: Answer['body']
  readonly reported: Answer['body']
  /** As the leaf ends: the review and the person who approved; empty for a direct override. */
  readonly approval: readonly (string | null)[]
}

async function reportBy(harness: Harness, by: Headed, requestId: string): Promise<Answer['body']> {
  const body = { outcome: 'COMPLETED' }
  const reported = await write(harness, by, `/api/v1/decision/${requestId}/outcome`, body)
  assert.equal(reported.status, 200, reported.text)
  return reported.body
}

/** A key overrides directly. */
async function actByKey(harness: Harness, by: Headed, requestId: string): Promise<Recorded> {
  const overridden = await write(harness, by, '/api/v1/override', { ...goodOverride, request_id: requestId })
  assert.equal(overridden.status, 200, overridden.text)
  assert.equal(overridden.body.approval, null)
  const reported = await reportBy(harness, by, requestId)
  return { overridden: overridden.body, reported, approval: [] }
}

/** A person proposes in the review, and another one approves. */
async function actByPerson(
  { harness, key, ownerId }: Scene,
  by: Headed,
  requestId: string,
): Promise<Recorded> {
  const { personId, sessionId, name } = await overrideInReview(harness, by, { requestId, ownerId })
  const { human_override: overridden } = (await harness.get(key, `/api/v1/audit/${requestId}`)).body
  const reviewId = `rev_${requestId.slice(-26).toLowerCase()}`
  const approver = { kind: 'person', id: personId, name, session_id: sessionId }
  assert.deepEqual(overridden.approval, { review_id: reviewId, approved_by: approver })
  const reported = await reportBy(harness, by, requestId)
  return { overridden, reported, approval: [reviewId, sessionId, personId, personId] }
}

/** Holds every place that tells of the override and the outcome against who made them. */
async function checkEverywhere(scene: Scene, requestId: string, recorded: Recorded, by: Expected) {
  const { harness, key, receiver, ownerId } = scene
  const { overridden, reported, approval } = recorded
  assert.deepEqual(overridden.created_by, by.shown, 'the answer')
  assert.deepEqual(reported.reported_by, by.shown, 'the answer')

  const audit = (await harness.get(key, `/api/v1/audit/${requestId}`)).body
  const history = (await harness.get(key, '/api/verifications')).body
  const item = history.find((one: { request_id: string }) => one.request_id === requestId)
  for (const seen of [audit, item]) {
    assert.deepEqual(seen.human_override, overridden)
    assert.deepEqual(seen.outcome, reported)
  }
  await harness.deliver()
  assert.deepEqual(receiver.requests.at(-1)?.json.data, overridden, 'the event')

  const { body: bundle, text } = await harness.get(key, `/api/v1/audit/export/${requestId}`)
  assert.equal(bundle.export_version, 8)
  const members = { key_id: by.keyId, person_id: by.personId, principal_id: by.principalId }
  for (const [member, shown] of [
    [bundle.human_override, 'created_by'],
    [bundle.outcome, 'reported_by'],
  ] as const) {
    const { key_id, person_id, principal_id } = member
    assert.deepEqual({ key_id, person_id, principal_id }, members, 'the export')
    assert.deepEqual(member[shown], by.shown)
  }
  checkLeaves(bundle, { ownerId, approval }, by)
  const csv = (await harness.get(key, `/api/v1/audit/export/${requestId}?format=csv`)).text
  for (const path of ['/human_override', '/outcome']) {
    assert.ok(csv.includes(`${path}/key_id,string,${by.keyId}\n`))
    assert.ok(csv.includes(`${path}/principal_id,string,${by.principalId}\n`))
    assert.ok(csv.includes(`${path}/person_id,${by.personId === null ? 'null,' : `string,${by.personId}`}\n`))
  }
  for (const file of [text, csv]) {
    const { findings, seal } = verifyBundle(file)
    assert.deepEqual(findings, [])
    assert.notEqual(seal, null)
  }
  assert.deepEqual((await checkedLog(harness.store)).findings, [])
}

/** Form 3 of both leaves ends with the person and the principal, form 4 also with the review and its approval. */
function checkLeaves(
  bundle: Answer['body'],
  { ownerId, approval }: { readonly ownerId: string; readonly approval: Recorded['approval'] },
  by: Expected,
): void {
  const { human_override: override, outcome, proof } = bundle
  assert.equal(proof.status, 'sealed')
  assert.deepEqual(JSON.parse(proof.override.leaf), [
    approval.length === 0 ? 'fairway/override/3' : 'fairway/override/4',
    override.override_id,
    override.request_id,
    ownerId,
    by.keyId,
    override.action,
    override.reason_code,
    override.personal_text.hash,
    override.original_decision,
    Date.parse(override.created_at),
    by.personId,
    by.principalId,
    ...approval,
  ])
  assert.deepEqual(JSON.parse(proof.outcome.leaf), [
    'fairway/outcome/3',
    outcome.outcome_id,
    outcome.request_id,
    ownerId,
    by.keyId,
    bundle.record.mode,
    bundle.record.corridor,
    outcome.outcome,
    outcome.occurred_at,
    Date.parse(outcome.reported_at),
    null,
    by.personId,
    by.principalId,
  ])
}

for (const engine of engines) {
  test(`${engine}: made by a person, an override and an outcome name the person, the session and the principal everywhere`, async () => {
    await withScene(engine, async (scene) => {
      const { harness, key, ownerId } = scene
      const requestId = await degraded(harness, key)
      const approver = await person(harness, 'approver', ownerId)
      const answers = await actByPerson(scene, approver, requestId)
      const { personId, sessionId, name } = approver
      await checkEverywhere(scene, requestId, answers, {
        shown: { kind: 'person', id: personId, name, session_id: sessionId },
        keyId: sessionId,
        personId,
        principalId: personId,
      })
      const lines = harness.log.map((line) => JSON.parse(line) as Record<string, unknown>)
      const own = lines.filter((line) => line['route'] === '/api/v1/reviews/:review_id/propose')
      assert.deepEqual(
        own.map((line) => [line['person_id'], line['session_id'], line['key_id']]),
        [[personId, sessionId, undefined]],
      )
      const refused = await write(harness, approver, '/api/v1/webhooks', {})
      const { status, person_id: who, session_id: how } = JSON.parse(harness.log.at(-1) ?? '')
      assert.deepEqual([refused.status, status, who, how], [403, 403, personId, sessionId], 'a refusal, too')
    })
  })

  test(`${engine}: made by a key, they name the key and its principal, which successors by rotation share`, async () => {
    await withScene(engine, async (scene) => {
      const { harness, key, keyId } = scene
      const { store, clock } = harness
      const first = await degraded(harness, key)
      const byKey = { headers: { authorization: `Bearer ${key}` } }
      await checkEverywhere(scene, first, await actByKey(harness, byKey, first), {
        shown: { kind: 'key', id: keyId, name: 'Payments team' },
        keyId,
        personId: null,
        principalId: keyId,
      })
      clock.advance(1_000)
      const rotated = await rotateKey({ keys: store.keys, clock, random }, keyId, 60_000)
      assert.ok(rotated.kind === 'rotated')
      const { key: newer, record } = rotated.issued
      const second = await degraded(harness, newer)
      const bySuccessor = { headers: { authorization: `Bearer ${newer}` } }
      await checkEverywhere(scene, second, await actByKey(harness, bySuccessor, second), {
        shown: { kind: 'key', id: record.keyId, name: 'Payments team' },
        keyId: record.keyId,
        personId: null,
        principalId: keyId,
      })
    })
  })

  test(`${engine}: a decision that a person asked for has the session in the place of the key, and an act ties it to the person`, async () => {
    await withScene(engine, async ({ harness, key, ownerId }) => {
      const viewer = await person(harness, 'viewer', ownerId)
      const { body } = await write(harness, viewer, '/api/v1/verify', { corridor: 'GB-NG', amount: 5 })
      const { text, body: bundle } = await harness.get(key, `/api/v1/audit/export/${body.request_id}`)
      assert.equal(bundle.record.key_id, viewer.sessionId)
      assert.deepEqual(verifyBundle(text).findings, [])
      const acts = await rowsOf(
        harness.databaseUrl,
        "SELECT subject, made_by, detail FROM acts WHERE kind = 'session.started'",
      )
      assert.deepEqual(
        acts.map(({ subject, made_by: by, detail }) => [subject, by, JSON.parse(String(detail))]),
        [[viewer.sessionId, viewer.personId, { person_id: viewer.personId, method: 'password' }]],
      )
      await harness.seal()
      const log = await checkedLog(harness.store)
      assert.deepEqual([log.findings, log.acts], [[], 2])
    })
  })

  test(`${engine}: outcomes in bulk name who reported them, and a report again keeps the first reporter`, async () => {
    await withScene(engine, async ({ harness, key, ownerId }) => {
      const ids = [await degraded(harness, key), await degraded(harness, key)]
      const [reviewer, other] = [
        await person(harness, 'reviewer', ownerId),
        await person(harness, 'reviewer', ownerId),
      ]
      const outcomes = ids.map((id) => ({ request_id: id, outcome: 'FAILED' }))
      assert.equal((await write(harness, reviewer, '/api/v1/outcomes', { outcomes })).status, 200)
      assert.equal((await write(harness, other, '/api/v1/outcomes', { outcomes })).status, 200)
      for (const id of ids) {
        const { body } = await harness.get(key, `/api/v1/audit/${id}`)
        const { personId, sessionId, name } = reviewer
        const by = { kind: 'person', id: personId, name, session_id: sessionId }
        assert.deepEqual(body.outcome.reported_by, by)
      }
    })
  })

  test(`${engine}: the name is the person's own of today, also after the person was removed`, async () => {
    await withScene(engine, async (scene) => {
      const { harness, key, ownerId } = scene
      const requestId = await degraded(harness, key)
      const approver = await person(harness, 'approver', ownerId)
      await actByPerson(scene, approver, requestId)
      const { store } = harness
      const known = (await store.people.find(approver.personId)) ?? assert.fail()
      await store.people.change(approver.personId, { ...known, name: 'Grace Example' }, null)
      const shown = async (): Promise<unknown> =>
        (await harness.get(key, `/api/v1/audit/${requestId}`)).body.human_override.created_by.name
      assert.equal(await shown(), 'Grace Example')
      await peopleOn(harness).remove(approver.personId)
      assert.equal(await shown(), 'Grace Example')
      const { text } = await harness.get(key, `/api/v1/audit/export/${requestId}`)
      assert.deepEqual(verifyBundle(text).findings, [])
    })
  })
}

/** An export in which somebody changed who approved is found, whether or not its hashes were mended. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { person, unlimited } from '../../helpers/people.ts'
import { deskOn, done, requestIdOf } from '../../helpers/reviews.ts'

type Bundle = Answer['body']

/** The exports of a decision whose override a key approved, a person approved, and nobody. */
async function exported(): Promise<Bundle[]> {
  const bundles: Bundle[] = []
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const approver = await person(harness, 'approver', desk.ownerId)
    for (const by of [desk.approver, approver]) {
      const reviewId = await desk.proposed()
      await done(harness, by, 'approve', reviewId)
      const url = `/api/v1/audit/export/${await requestIdOf(desk, reviewId)}`
      bundles.push((await harness.get(desk.proposer.key, url)).body)
    }
  })
  return bundles
}

type Approval = Bundle

/** Rewrites one thing of the approval. */
const changes: Readonly<Record<string, (approval: Approval, override: Bundle) => void>> = {
  'another review': (approval) => (approval.review_id = 'rev_00000000000000000000000000'),
  'another key or session': (approval) => (approval.key_id = 'key_0000000000000000'),
  'another person': (approval) => (approval.person_id = 'prs_0000000000000000'),
  'another principal': (approval) => (approval.principal_id = 'key_0000000000000000'),
  'the proposer as the approver': (approval, override) =>
    Object.assign(approval, {
      key_id: override.key_id,
      person_id: override.person_id,
      principal_id: override.principal_id,
      approved_by: structuredClone(override.created_by),
    }),
  'another one shown': (approval) => (approval.approved_by.id = 'key_0000000000000000'),
  'another kind shown': (approval) => (approval.approved_by.kind = 'operator'),
  'nobody shown': (approval) => delete approval.approved_by,
  'no principal': (approval) => delete approval.principal_id,
  'one member more': (approval) => (approval.note = 'forged'),
  'no approval': (_, override) => (override.approval = null),
  'the approval removed': (_, override) => delete override.approval,
}

const pathsOf = (text: string): string[] => verifyBundle(text).findings.map(({ path }) => path)

const mended = (bundle: Bundle): string => JSON.stringify({ ...bundle, integrity: forgedIntegrity(bundle) })

test('every change of who approved is found, with the hashes as they were and with mended ones', async () => {
  for (const bundle of await exported()) {
    assert.deepEqual(pathsOf(JSON.stringify(bundle)), [])
    assert.deepEqual(pathsOf(mended(bundle)), ['/integrity/signature'], 'the forger cannot sign')
    assert.match(bundle.proof.override.leaf, /^\["fairway\/override\/4",/)
    for (const [what, change] of Object.entries(changes)) {
      const copy = structuredClone(bundle)
      change(copy.human_override.approval, copy.human_override)
      assert.ok(pathsOf(JSON.stringify(copy)).includes('/human_override'), what)
      const found = pathsOf(mended(copy)).filter((path) => path !== '/integrity/signature')
      const isFound = found.includes('/human_override') || found.includes('/proof/override/leaf')
      assert.ok(isFound, `${what}: ${found.join()}`)
    }
  }
})

test('an approval that was taken away, in an export passed off as one of before, is found', async () => {
  for (const bundle of await exported()) {
    const copy = structuredClone(bundle)
    copy.export_version = 7
    delete copy.human_override.approval
    assert.ok(pathsOf(mended(copy)).includes('/proof/override/leaf'))
  }
})

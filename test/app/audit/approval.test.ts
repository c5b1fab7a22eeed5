/** The export of an approved override names both principals, and a forged approval is found. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromCsv, toCsv } from '../../../src/app/audit/csv-form.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { readVerifierKey } from '../../../src/app/log/checkpoint.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { person } from '../../helpers/people.ts'
import { act, clerkOf, done, goodProposal, reviewOf, type Headed } from '../../helpers/reviews.ts'
import { degraded, override } from '../../helpers/webhooks.ts'

// eslint-disable-next-line typescript/no-explicit-any -- a bundle is looked into and changed freely
type Json = any

interface Exported {
  readonly bundle: Json
  /** As GET /api/v1/audit/{request_id}/proof has it. */
  readonly proof: Json
  /** A second export, later. */
  readonly again: Json
  readonly csv: string
}

type Kind = 'key' | 'person'
interface Principal extends Headed {
  /** As exports show it. */
  readonly shown: object
  readonly principalId: string
}

async function principalOf(harness: Harness, kind: Kind, ownerId: string): Promise<Principal> {
  if (kind === 'key') {
    const { headers, shown, keyId } = clerkOf(await harness.issue({ ownerId, ownerLabel: 'desk' }))
    return { headers, shown, principalId: keyId }
  }
  const { headers, personId, name, sessionId } = await person(harness, 'approver', ownerId)
  return {
    headers,
    shown: { kind, id: personId, name, session_id: sessionId },
    principalId: personId,
  }
}

/** An override that one principal proposed and another approved. */
async function exportedBy(
  proposing: Kind,
  approving: Kind,
  work: (exported: Exported, proposer: Principal, approver: Principal) => void,
): Promise<void> {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue()
    const proposer = await principalOf(harness, proposing, record.ownerId)
    const approver = await principalOf(harness, approving, record.ownerId)
    const requestId = await degraded(harness, key)
    const reviewId = reviewOf(requestId)
    await done(harness, proposer, 'propose', reviewId)
    harness.clock.advance(1_000)
    await done(harness, approver, 'approve', reviewId, { reason: 'As proposed.' })
    const url = `/api/v1/audit/export/${requestId}`
    const { body: bundle } = await harness.get(key, url)
    const { body: proof } = await harness.get(key, `/api/v1/audit/${requestId}/proof`)
    harness.clock.advance(60_000)
    const { body: again } = await harness.get(key, url)
    const { text: csv } = await harness.get(key, `${url}?format=csv`)
    work({ bundle, proof, again, csv }, proposer, approver)
  })
}

const kinds = ['key', 'person'] as const

const pathsOf = (text: string, ...more: [Parameters<typeof verifyBundle>[1]?]): string[] =>
  verifyBundle(text, ...more).findings.map(({ path }) => path)

/** With every hash mended, and signed by somebody else. */
const mended = (bundle: Json): string => JSON.stringify({ ...bundle, integrity: forgedIntegrity(bundle) })

const trustedBy = (bundle: Json) =>
  readVerifierKey(bundle.integrity.signature.verifier_key) ?? assert.fail('no key')

test('an approved override is exported with both principals, proved by the log, and verifies without a server', async () => {
  for (const proposing of kinds) {
    for (const approving of kinds) {
      await exportedBy(proposing, approving, ({ bundle, proof, again }, proposer, approver) => {
        const { human_override: shown, record, export_version: version } = bundle
        assert.equal(version, 8)
        assert.deepEqual(shown.created_by, proposer.shown)
        assert.deepEqual(shown.approval.approved_by, approver.shown)
        assert.equal(shown.approval.review_id, reviewOf(record.request_id))
        assert.equal(shown.justification, goodProposal.justification)
        const { findings, coverage } = verifyBundle(JSON.stringify(bundle), trustedBy(bundle))
        assert.deepEqual([findings, coverage.isSigned], [[], true], `${proposing}, ${approving}`)
        const leaf = JSON.parse(proof.override.leaf) as string[]
        assert.equal(leaf[0], 'fairway/override/4')
        for (const { principalId } of [proposer, approver]) assert.ok(leaf.includes(principalId))
        assert.equal(bundle.proof.override.leaf, proof.override.leaf)
        assert.equal(again.integrity.bundle_hash, bundle.integrity.bundle_hash)
      })
    }
  }
})

test('an approval goes through CSV and back without loss, and a changed cell of it is found', async () => {
  await exportedBy('key', 'person', ({ bundle, again, csv }) => {
    assert.deepEqual(fromCsv(toCsv(bundle)), bundle)
    assert.deepEqual(fromCsv(csv), again)
    assert.deepEqual(pathsOf(csv, trustedBy(bundle)), [])
    const { approval } = bundle.human_override
    for (const cell of [
      `/human_override/approval/principal_id,string,${approval.principal_id}`,
      `/human_override/approval/approved_by/name,string,${approval.approved_by.name}`,
      `/human_override/approval/review_id,string,${approval.review_id}`,
    ]) {
      assert.ok(csv.includes(`${cell}\n`), cell)
      assert.ok(pathsOf(csv.replace(`${cell}\n`, `${cell}x\n`)).includes('/human_override'), cell)
    }
  })
})

const otherKey = 'key_0000000000000000'
const otherPerson = 'prs_0000000000000000'
const otherSession = 'ses_00000000000000000000000000'

/** Each rewrites something of who approved. */
const forgeries: Readonly<Record<string, (override: Json) => void>> = {
  'another principal': ({ approval }) => (approval.principal_id = otherKey),
  'no principal': ({ approval }) => (approval.principal_id = null),
  'the principal removed': ({ approval }) => delete approval.principal_id,
  'another key or session': ({ approval }) => (approval.key_id = otherKey),
  'no key or session': ({ approval }) => (approval.key_id = null),
  'another review': ({ approval }) => (approval.review_id = 'rev_00000000000000000000000000'),
  'no review': ({ approval }) => delete approval.review_id,
  'another person or key shown': ({ approval }) => (approval.approved_by.id = otherPerson),
  'the other kind shown': ({ approval }) => {
    const { approved_by: by } = approval
    by.kind = by.kind === 'key' ? 'person' : 'key'
  },
  'nobody shown': ({ approval }) => delete approval.approved_by,
  'one thing more shown': ({ approval }) => (approval.approved_by.role = 'approver'),
  'one thing more': ({ approval }) => (approval.note = 'forged'),
  'another key everywhere': (member) => {
    member.approval = {
      ...member.approval,
      key_id: otherKey,
      person_id: null,
      principal_id: otherKey,
      approved_by: { kind: 'key', id: otherKey, name: 'desk' },
    }
  },
  'another person everywhere': (member) => {
    member.approval = {
      ...member.approval,
      key_id: otherSession,
      person_id: otherPerson,
      principal_id: otherPerson,
      approved_by: { kind: 'person', id: otherPerson, name: 'desk', session_id: otherSession },
    }
  },
  'the approval removed': (member) => (member.approval = null),
  'the member removed': (member) => delete member.approval,
  'no object': (member) => (member.approval = 'yes'),
  'the approver as the proposer': (member) => {
    const { key_id, person_id, principal_id, approved_by } = member.approval
    Object.assign(member, { key_id, person_id, principal_id, created_by: approved_by })
  },
  'both the other way round': (member) => {
    const { approval, key_id, person_id, principal_id, created_by } = member
    Object.assign(member, {
      key_id: approval.key_id,
      person_id: approval.person_id,
      principal_id: approval.principal_id,
      created_by: approval.approved_by,
    })
    Object.assign(approval, { key_id, person_id, principal_id, approved_by: created_by })
  },
}

test('every change of who approved is found, with the hashes as they were and with mended ones', async () => {
  for (const approving of kinds) {
    await exportedBy('key', approving, ({ bundle }) => {
      assert.deepEqual(pathsOf(mended(bundle)), ['/integrity/signature'], 'the forger cannot sign')
      for (const [what, forge] of Object.entries(forgeries)) {
        const forged = structuredClone(bundle)
        forge(forged.human_override)
        const label = `approved by a ${approving}: ${what}`
        assert.ok(pathsOf(JSON.stringify(forged)).includes('/human_override'), label)
        const found = pathsOf(mended(forged))
        assert.ok(
          found.includes('/human_override') || found.includes('/proof/override/leaf'),
          `${label}: ${found.join()}`,
        )
      }
    })
  }
})

test('the name of an approver is not in the log: a changed one breaks the hash or, where that was mended, the signature', async () => {
  for (const approving of kinds) {
    await exportedBy('person', approving, ({ bundle }) => {
      const forged = structuredClone(bundle)
      forged.human_override.approval.approved_by.name = 'Another Name'
      assert.deepEqual(pathsOf(JSON.stringify(forged)), ['/human_override'])
      assert.deepEqual(pathsOf(mended(forged), trustedBy(bundle)), ['/integrity/signature'])
    })
  }
})

test('an approval that is added to an override without a review is found', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const id = await degraded(harness, key)
    await override(harness, key, id)
    const { body: bundle } = await harness.get(key, `/api/v1/audit/export/${id}`)
    assert.equal(bundle.human_override.approval, null)
    assert.deepEqual(pathsOf(JSON.stringify(bundle), trustedBy(bundle)), [])
    bundle.human_override.approval = {
      review_id: reviewOf(id),
      key_id: otherKey,
      person_id: null,
      principal_id: otherKey,
      approved_by: { kind: 'key', id: otherKey, name: 'desk' },
    }
    assert.ok(pathsOf(JSON.stringify(bundle)).includes('/human_override'))
    assert.ok(pathsOf(mended(bundle)).includes('/proof/override/leaf'))
  })
})

test('a GO that was approved has no override in its export, which verifies', async () => {
  await withHarness({}, async (harness) => {
    const proposer = await harness.issue()
    const { ownerId } = proposer.record
    const approver = await principalOf(harness, 'person', ownerId)
    const { body } = await harness.verify(proposer.key, { corridor: 'GB-NG', amount: 1000.07 })
    const reviewId = reviewOf(body.request_id)
    await done(harness, clerkOf(proposer), 'propose', reviewId)
    assert.equal((await act(harness, approver, 'approve', reviewId)).status, 200)
    const { body: bundle } = await harness.get(proposer.key, `/api/v1/audit/export/${body.request_id}`)
    assert.equal(bundle.human_override, null)
    assert.deepEqual(pathsOf(JSON.stringify(bundle), trustedBy(bundle)), [])
  })
})

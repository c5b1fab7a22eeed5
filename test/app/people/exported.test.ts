/** An export in which somebody changed who did it is found, whether or not its hashes were mended. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { readVerifierKey } from '../../../src/app/log/checkpoint.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { overrideInReview, person, write } from '../../helpers/people.ts'
import { degraded } from '../../helpers/webhooks.ts'

type Bundle = Answer['body']
type Member = Bundle

/** The export of a decision that a person overrode, and whose outcome a person reported. */
async function exported(): Promise<Bundle> {
  let bundle: Bundle = null
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue()
    const id = await degraded(harness, key)
    const approver = await person(harness, 'approver', record.ownerId)
    await overrideInReview(harness, approver, { requestId: id, ownerId: record.ownerId })
    await write(harness, approver, `/api/v1/decision/${id}/outcome`, { outcome: 'COMPLETED' })
    bundle = (await harness.get(key, `/api/v1/audit/export/${id}`)).body
  })
  return bundle
}

/** The members that name the principal of each, for readers and in the leaf. */
const places = [
  { member: 'human_override', shown: 'created_by', leaf: '/proof/override/leaf' },
  { member: 'outcome', shown: 'reported_by', leaf: '/proof/outcome/leaf' },
] as const

/** Rewrites one thing about who it was; `by` is what readers see. */
const changes: Readonly<Record<string, (member: Member, by: Member) => void>> = {
  'another person shown': (_, by) => (by.id = 'prs_0000000000000000'),
  'a key shown in the place of a person': (_, by) => (by.kind = 'key'),
  'another kind': (_, by) => (by.kind = 'operator'),
  'another session shown': (_, by) => (by.session_id = 'ses_00000000000000000000000000'),
  'no session shown': (_, by) => delete by.session_id,
  'no id shown': (_, by) => delete by.id,
  'no kind shown': (_, by) => delete by.kind,
  'no name shown': (_, by) => delete by.name,
  'one thing more shown': (_, by) => (by.note = 'forged'),
  'a key shown as if it had acted': (member, by) => {
    delete by.session_id
    Object.assign(by, { kind: 'key', id: member.key_id })
  },
  'another person': (member) => (member.person_id = 'prs_0000000000000000'),
  'no person': (member) => (member.person_id = null),
  'the person removed': (member) => delete member.person_id,
  'another principal': (member) => (member.principal_id = 'prs_0000000000000000'),
  'no principal': (member) => (member.principal_id = null),
  'the principal removed': (member) => delete member.principal_id,
  'another session': (member) => (member.key_id = 'ses_00000000000000000000000000'),
  'another person everywhere': (member, by) => {
    const id = 'prs_0000000000000000'
    Object.assign(member, { person_id: id, principal_id: id })
    by.id = id
  },
  'another session everywhere': (member, by) => {
    const id = 'ses_00000000000000000000000000'
    member.key_id = id
    by.session_id = id
  },
  'a key everywhere': (member, by) => {
    Object.assign(member, {
      key_id: 'key_0000000000000000',
      person_id: null,
      principal_id: 'key_0000000000000000',
    })
    delete by.session_id
    Object.assign(by, { kind: 'key', id: 'key_0000000000000000' })
  },
}

const pathsOf = (text: string, ...more: [Parameters<typeof verifyBundle>[1]?]): string[] =>
  verifyBundle(text, ...more).findings.map(({ path }) => path)

/** With every hash mended, and signed by somebody else. */
const mended = (bundle: Bundle): string => JSON.stringify({ ...bundle, integrity: forgedIntegrity(bundle) })

test('every change of who overrode or reported is found, with the hashes as they were and with mended ones', async () => {
  const bundle = await exported()
  assert.deepEqual(pathsOf(JSON.stringify(bundle)), [])
  assert.deepEqual(pathsOf(mended(bundle)), ['/integrity/signature'], 'the forger cannot sign')
  for (const { member, shown, leaf } of places) {
    for (const [what, change] of Object.entries(changes)) {
      const copy = structuredClone(bundle)
      change(copy[member], copy[member][shown])
      const label = `${member}: ${what}`
      assert.ok(pathsOf(JSON.stringify(copy)).includes(`/${member}`), label)
      const found = pathsOf(mended(copy)).filter((path) => path !== '/integrity/signature')
      assert.ok(found.includes(`/${member}`) || found.includes(leaf), `${label}: ${found.join()}`)
    }
  }
})

test('a principal that was taken away with its members, in an export passed off as one of before, is found', async () => {
  const bundle = await exported()
  for (const { member, shown, leaf } of places) {
    const copy = structuredClone(bundle)
    copy.export_version = 6
    for (const place of places) {
      for (const name of ['person_id', 'principal_id', place.shown]) delete copy[place.member][name]
    }
    delete copy[member][shown]
    assert.ok(pathsOf(mended(copy)).includes(leaf), member)
  }
})

test('the name alone is not in the log: a changed one breaks the hash and, where that was mended, the signature', async () => {
  const bundle = await exported()
  const { signature } = bundle.integrity
  const trusted = readVerifierKey(signature.verifier_key) ?? assert.fail('no key')
  assert.deepEqual(pathsOf(JSON.stringify(bundle), trusted), [])
  for (const { member, shown } of places) {
    const copy = structuredClone(bundle)
    copy[member][shown].name = 'Somebody Else'
    assert.deepEqual(pathsOf(JSON.stringify(copy), trusted), [`/${member}`])
    const kept = { ...copy, integrity: { ...forgedIntegrity(copy), signature } }
    for (const text of [mended(copy), JSON.stringify(kept)])
      assert.deepEqual(pathsOf(text, trusted), ['/integrity/signature'], member)
  }
})

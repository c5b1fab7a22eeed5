/** An export is signed as a whole: what was rewritten where the log proves nothing is found. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { readVerifierKey } from '../../../src/app/log/checkpoint.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'
import { withHarness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'
import { override } from '../../helpers/webhooks.ts'

// eslint-disable-next-line typescript/no-explicit-any -- a bundle is looked into and changed freely
type Json = any

const copy = (bundle: Json): Json => structuredClone(bundle)

/** Each rewrites something that no leaf of the log proves, and mends every hash. */
const rewritings: Readonly<Record<string, (bundle: Json) => void>> = {
  'the outcome removed': (bundle) => {
    bundle.outcome = null
    bundle.proof.outcome = null
  },
  'the override removed': (bundle) => {
    bundle.human_override = null
    bundle.proof.override = null
  },
  'the explanation rewritten': (bundle) => (bundle.explanation.summary = 'Nothing to see here.'),
  'the time of the export moved': (bundle) => (bundle.exported_at = '2030-01-01T00:00:00.000Z'),
}

/** How a forger deals with the signature: his own, none, or that of the true export. */
const signings: Readonly<Record<string, (forged: Json, original: Json) => Json>> = {
  'signed anew': (forged) => ({ ...forged, integrity: forgedIntegrity(forged) }),
  'the signature stripped': (forged) => {
    const { signature: _stripped, ...integrity } = forgedIntegrity(forged)
    return { ...forged, integrity }
  },
  'passed off as an old export': (forged) => {
    const old = { ...forged, export_version: 4 }
    return { ...old, integrity: forgedIntegrity(old) }
  },
  'the signature kept': (forged, original) => {
    const { signature } = original.integrity
    return { ...forged, integrity: { ...forgedIntegrity(forged), signature } }
  },
}

test('an export that was rewritten where the log proves nothing is found by its signature', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body: decision } = await harness.verify(key, { corridor: 'GB-NG', amount: 60_000 })
    const { request_id: id } = decision
    await override(harness, key, id)
    await report(harness, key, id, { outcome: 'FAILED' })
    const { body: original } = await harness.get(key, `/api/v1/audit/export/${id}`)
    const trusted = readVerifierKey(original.integrity.signature.verifier_key) ?? assert.fail('no key')
    const check = (bundle: Json) => verifyBundle(JSON.stringify(bundle), trusted)
    const { findings, coverage } = check(original)
    assert.deepEqual(findings, [])
    assert.equal(coverage.covered.length, 2)
    for (const [what, rewrite] of Object.entries(rewritings)) {
      for (const [how, sign] of Object.entries(signings)) {
        const forged = copy(original)
        rewrite(forged)
        const { integrity: _old, ...unsigned } = forged
        const found = check(sign(unsigned, original)).findings.map(({ path }) => path)
        assert.ok(found.includes('/integrity/signature'), `${what}, ${how}: ${found.join()}`)
      }
    }
  })
})

async function exported(): Promise<Json> {
  let bundle: Json = null
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })
    bundle = (await harness.get(key, `/api/v1/audit/export/${body.request_id}`)).body
  })
  return bundle
}

test('an export of before, of a record of before, is proved as far as the log proves it, and no further', async () => {
  const older = copy(await exported())
  older.record.evidence.revision = 2
  delete older.record.evidence.valid_s
  delete older.record.answer.valid_until
  delete older.record.answer.policy_version
  delete older.policies
  older.export_version = 4
  const { findings, coverage } = verifyBundle(JSON.stringify({ ...older, integrity: forgedIntegrity(older) }))
  assert.deepEqual(
    findings.map(({ path }) => path),
    ['/proof/record/leaf'],
    'its leaf is that of the newer record',
  )
  assert.deepEqual(coverage.covered, [])
  assert.match(coverage.notCovered.join(), /override, outcome and explanation/)
})

test('also without a trusted key, an export that is signed by another key than its log is found', async () => {
  const forged = copy(await exported())
  forged.explanation.summary = 'Nothing to see here.'
  const { findings } = verifyBundle(JSON.stringify({ ...forged, integrity: forgedIntegrity(forged) }))
  assert.deepEqual(
    findings.map(({ path }) => path),
    ['/integrity/signature'],
  )
})

/** Exports of every version verify as they did, as JSON and as CSV, and none can be passed off as one of another version. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { toCsv } from '../../../src/app/audit/csv-form.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { readVerifierKey } from '../../../src/app/log/checkpoint.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'

// eslint-disable-next-line typescript/no-explicit-any -- a bundle is looked into and changed freely
type Json = any

/** All but those of versions 3 and 4 were made alike. */
const files: Readonly<Record<number, string>> = {
  1: 'exports/version-1.json',
  2: 'exports/version-2.json',
  3: 'schema-8/overridden.json',
  4: 'revision-1/above-review-cap.json',
  5: 'exports/version-5.json',
  6: 'exports/version-6.json',
  7: 'exports/version-7.json',
  8: 'exports/version-8.json',
}
const versions = Object.keys(files).map(Number)

const read = (version: number): string =>
  readFileSync(new URL(`../../fixtures/${files[version]}`, import.meta.url), 'utf8')
const parsed = (version: number): Json => JSON.parse(read(version))

const pathsOf = (text: string, ...more: [Parameters<typeof verifyBundle>[1]?]): string[] =>
  verifyBundle(text, ...more).findings.map(({ path }) => path)

/** With every hash mended, and signed by somebody else. */
const mended = (bundle: Json): string => JSON.stringify({ ...bundle, integrity: forgedIntegrity(bundle) })

test('an export of every version verifies, as JSON and through CSV', () => {
  for (const version of versions) {
    const bundle = parsed(version)
    assert.equal(bundle.export_version, version)
    const { findings, humanOverride } = verifyBundle(read(version))
    assert.deepEqual(findings, [], `version ${version}`)
    assert.deepEqual(humanOverride, bundle.human_override)
    assert.deepEqual(pathsOf(toCsv(bundle)), [], `version ${version} as CSV`)
  }
})

test('a signed export of every version verifies under the key of its log, without a server', () => {
  for (const version of versions.filter((one) => one >= 5)) {
    const { integrity, proof } = parsed(version)
    const trusted = readVerifierKey(integrity.signature.verifier_key) ?? assert.fail('no key')
    const { findings, coverage, seal } = verifyBundle(read(version), trusted)
    assert.deepEqual([findings, coverage.isSigned], [[], true], `version ${version}`)
    assert.equal(seal?.verifierKey, proof.checkpoint.verifier_key)
    assert.equal(seal?.isOverridePending, false)
  }
})

test('every change of an override is found in an export of every version that proves it', () => {
  for (const version of versions.filter((one) => one >= 3)) {
    for (const [name, value] of Object.entries({ action: 'REJECT', reason_code: 'OTHER', key_id: 'key_x' })) {
      const forged = parsed(version)
      forged.human_override[name] = value
      assert.ok(pathsOf(JSON.stringify(forged)).includes('/human_override'), `version ${version}: ${name}`)
      const found = pathsOf(mended(forged)).filter((path) => path !== '/integrity/signature')
      assert.ok(found.length > 0, `version ${version}, mended: ${name}`)
    }
  }
})

test('an approval has no place in an export of a version before approvals', () => {
  const { approval } = parsed(8).human_override
  for (const version of versions.filter((one) => one < 8)) {
    for (const added of [approval, null]) {
      const forged = parsed(version)
      forged.human_override.approval = added
      assert.ok(pathsOf(mended(forged)).includes('/human_override'), `version ${version}: ${String(added)}`)
    }
  }
})

test('an override without a review cannot be passed off as approved, nor an approved one as unreviewed', () => {
  const unreviewed = parsed(7)
  const asNew = { ...unreviewed, export_version: 8 }
  assert.ok(pathsOf(mended(asNew)).includes('/human_override'), 'without the member')
  asNew.human_override = { ...unreviewed.human_override, approval: null }
  assert.deepEqual(pathsOf(mended(asNew)), ['/integrity/signature'], 'the same override, said in version 8')
  asNew.human_override.approval = parsed(8).human_override.approval
  assert.ok(pathsOf(mended(asNew)).includes('/proof/override/leaf'), 'with an approval')
  const approved = parsed(8)
  const { approval: _removed, ...override } = approved.human_override
  const asOld = { ...approved, export_version: 7, human_override: override }
  assert.ok(pathsOf(mended(asOld)).includes('/proof/override/leaf'), 'as one of before')
})

/** Exports of decisions of revision 1 verify as they did, although the same payment is answered differently today. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'

interface Exported {
  readonly export_version: number
  readonly exported_at: string
  readonly record: { readonly answer: Answer; readonly evidence: { readonly source?: string } }
  readonly source_record: { readonly evidence: { readonly source: string } } | null
  readonly explanation: {
    readonly counterfactuals: readonly { readonly kind: string; readonly change: string }[]
  }
  readonly human_override: unknown
  readonly timeline: unknown
}

interface Answer {
  readonly decision: string
  readonly score: number
  readonly reason_codes: readonly string[]
}

const read = (name: string): string =>
  readFileSync(new URL(`../../fixtures/revision-1/${name}.json`, import.meta.url), 'utf8')
const parsed = (name: string): Exported => JSON.parse(read(name)) as Exported

const names = [
  'live-unsupported',
  'live-unsupported-repeat',
  'live-below-threshold',
  'above-review-cap',
] as const

test('an export of revision 1 verifies, without findings or notices', () => {
  for (const name of names) {
    const { findings, notices } = verifyBundle(read(name))
    assert.deepEqual([findings, notices], [[], []], name)
  }
})

test('these exports have what revision 2 changed', () => {
  for (const name of names) {
    const { evidence, answer } = parsed(name).record
    assert.equal('revision' in evidence, false, name)
    assert.equal('request_currency' in answer, false, name)
  }
  assert.equal(parsed('live-unsupported').record.evidence.source, 'simulation')
  assert.equal(parsed('live-unsupported-repeat').source_record?.evidence.source, 'simulation')
  const { decision, score, reason_codes: codes } = parsed('live-below-threshold').record.answer
  assert.deepEqual([decision, score, codes], ['DEGRADED', 0.79, ['HEALTHY_PARTNER']])
  const profiles = parsed('above-review-cap').explanation.counterfactuals.filter(
    ({ kind }) => kind === 'profile',
  )
  assert.ok(profiles.length > 0 && profiles.every(({ change }) => !change.includes('review cap')))
})

test('a record of revision 1 that claims to be of revision 2, with its hashes made again, is found', () => {
  for (const name of names) {
    const {
      integrity: _old,
      proof,
      ...evidence
    } = JSON.parse(read(name)) as Exported & {
      readonly integrity: unknown
      readonly proof: unknown
    }
    const record = { ...evidence.record, evidence: { ...evidence.record.evidence, revision: 2 } }
    const forged = { ...evidence, record }
    const { findings } = verifyBundle(
      JSON.stringify({ ...forged, proof, integrity: forgedIntegrity(forged) }),
    )
    assert.ok(
      findings.some(({ path }) => path.startsWith('/record/')),
      `${name}: ${JSON.stringify(findings)}`,
    )
  }
})

/** A GO of revision 5 that no partner could take stays a GO: its export verifies, and a backtest decides it as it was. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { toCsv } from '../../../src/app/audit/csv-form.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { readVerifierKey } from '../../../src/app/log/checkpoint.ts'
import { compilePolicy } from '../../../src/app/policy/compile.ts'
import { createPolicyLibrary } from '../../../src/app/policy/library.ts'
import { redecide } from '../../../src/app/policy/redecide.ts'
import type { PolicyRecord } from '../../../src/app/ports/policies.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'

// eslint-disable-next-line typescript/no-explicit-any -- a bundle is looked into and changed freely
type Json = any

const read = (name: string): string =>
  readFileSync(new URL(`../../fixtures/revision-5/${name}.json`, import.meta.url), 'utf8')
const parsed = (name: string): Json => JSON.parse(read(name))

const names = ['too-large-go', 'too-large-above-cap'] as const

test('an export of revision 5 verifies, recomputed and signed, as JSON and as CSV', () => {
  for (const name of names) {
    const bundle = parsed(name)
    const trusted = readVerifierKey(bundle.integrity.signature.verifier_key) ?? assert.fail('no key')
    for (const text of [read(name), toCsv(bundle)]) {
      const { findings, notices, notRecomputed, coverage } = verifyBundle(text, trusted)
      assert.deepEqual([findings, notices, notRecomputed, coverage.isSigned], [[], [], null, true], name)
    }
  }
})

test('these exports have what revision 6 changed', () => {
  const [go, capped] = names.map((name) => parsed(name))
  for (const { record } of [go, capped]) {
    assert.equal(record.evidence.revision, 5)
    assert.equal(record.evidence.partners.too_large, true)
    assert.ok(!record.answer.reason_codes.includes('NO_PARTNER_AVAILABLE'))
  }
  assert.deepEqual([go.record.decision, go.record.answer.recommended_partner], ['GO', null])
  assert.match(go.explanation.summary, /^GO: a payment of 30,001 GBP/)
})

test('a record of revision 5 that claims to be of revision 6, with its hashes made again, is found', () => {
  for (const name of names) {
    const { integrity: _old, proof, ...evidence } = parsed(name)
    evidence.record.evidence.revision = 6
    const { findings } = verifyBundle(
      JSON.stringify({ ...evidence, proof, integrity: forgedIntegrity(evidence) }),
    )
    assert.ok(
      findings.some(({ path }) => path.startsWith('/record/')),
      `${name}: ${JSON.stringify(findings)}`,
    )
  }
})

test('a backtest decides a record of revision 5 as it was decided', async () => {
  const compiled = compilePolicy({
    name: 'Idle',
    rules: [{ id: 'never', when: 'false', then: 'NO-GO', message: 'Never.' }],
  })
  const policy = compiled.kind === 'compiled' ? compiled.as('pol_1') : assert.fail(JSON.stringify(compiled))
  const library = createPolicyLibrary({ find: () => Promise.resolve(null) })
  for (const name of names) {
    const { record } = parsed(name)
    const row: PolicyRecord = {
      requestId: record.request_id,
      ownerId: 'own_1',
      mode: record.mode,
      corridor: record.corridor,
      verdict: record.decision,
      amount: record.amount,
      currency: record.currency,
      evaluatedAtMs: Date.parse(record.evaluated_at),
      recordedAtMs: Date.parse(record.recorded_at),
      cooldownSourceId: null,
      answer: JSON.stringify(record.answer),
      evidence: JSON.stringify(record.evidence),
    }
    const redecided = await redecide({ record: row, outcome: null }, { policy, ownerId: 'own_1' }, library)
    assert.deepEqual([redecided?.from, redecided?.to], [record.decision, record.decision], name)
  }
})

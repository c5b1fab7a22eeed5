/** A country code that ISO 3166 has not assigned is named in a warning beside the decision. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { post, postCsv } from '../../helpers/post.ts'

const warningOf = (codes: string, path = '/corridor') => ({
  code: 'UNKNOWN_COUNTRY',
  message: `ISO 3166 has not assigned the country code ${codes}.`,
  path,
})

for (const engine of engines) {
  test(`verify warns of an unassigned country in both modes, and stores and repeats the warning (${engine})`, () =>
    withHarness({ engine }, async (harness) => {
      for (const prefix of ['pk_test_', 'pk_live_'] as const) {
        const { key } = await harness.issue({ prefix })
        const body = { corridor: 'zz-qq', amount: 100, idempotency_key: 'once' }
        const first = await harness.verify(key, body)
        assert.deepEqual([first.status, first.body.decision], [200, 'DEGRADED'])
        assert.deepEqual(first.body.warnings, [warningOf('ZZ or QQ')])
        const again = await harness.verify(key, body)
        assert.deepEqual([again.body.idempotency_hit, again.body.warnings], [true, first.body.warnings])
        const exported = await harness.get(key, `/api/v1/audit/export/${first.body.request_id}`)
        assert.deepEqual(verifyBundle(exported.text).findings, [])
        const half = await harness.verify(key, { corridor: 'GB-QQ', memo: 'x' })
        assert.deepEqual(half.body.warnings.slice(1), [warningOf('QQ')])
        assert.equal(half.body.warnings[0].code, 'UNKNOWN_MEMBER')
      }
    }))
}

test('an assigned country has no such warning, on a supported corridor or another', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const corridor of ['GB-NG', 'UK-NG', 'US-MX', 'AQ-XK', 'Kosovo-France'])
      assert.equal('warnings' in (await harness.verify(key, { corridor })).body, false, corridor)
  }))

test('a repeat during a cooldown has the warning, too', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const blocked = await harness.verify(key, { corridor: 'ZZ-ZZ', amount: 600_000 })
    assert.equal(blocked.body.decision, 'NO-GO')
    const repeat = await harness.verify(key, { corridor: 'ZZ-ZZ', amount: 5 })
    assert.equal(repeat.body.cooldown.source_request_id, blocked.body.request_id)
    assert.deepEqual(repeat.body.warnings, [warningOf('ZZ')])
    const exported = await harness.get(key, `/api/v1/audit/export/${repeat.body.request_id}`)
    assert.deepEqual(verifyBundle(exported.text).findings, [])
  }))

test('the demo, ranking and replay warn at the member that has the code', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const requests: readonly (readonly [url: string, body: object, expected: object[]])[] = [
      ['/api/v1/demo-verify', { corridor: 'ZZ-QQ' }, [warningOf('ZZ or QQ')]],
      [
        '/api/v1/demo-verify',
        { sender_country: 'ZZ', destination_country: 'NG' },
        [warningOf('ZZ', '/sender_country')],
      ],
      [
        '/api/v1/demo-verify',
        { sender_country: 'ZZ', destination_country: 'QQ' },
        [warningOf('ZZ', '/sender_country'), warningOf('QQ', '/destination_country')],
      ],
      ['/api/v1/demo-compare', { payment: { corridor: 'GB-QQ' } }, [warningOf('QQ', '/payment/corridor')]],
      ['/api/v1/decision/compare', { corridor: 'ZZ-NG', partners: ['a', 'b'] }, [warningOf('ZZ')]],
      ['/api/v1/replay', { corridor: 'ZZ-QQ' }, [warningOf('ZZ or QQ')]],
    ]
    for (const [url, body, expected] of requests) {
      const answer = await post(harness, url, body, { key })
      assert.deepEqual([answer.status, answer.body.warnings], [200, expected], url)
    }
    const plain = await post(harness, '/api/v1/demo-verify', { corridor: 'US-MX' })
    assert.equal('warnings' in plain.body, false)
  }))

test('a batch names the unassigned codes of all its rows', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const warnings = ['Ignored columns: "note".', 'Country codes that ISO 3166 has not assigned: "ZZ", "QQ".']
    const csv = 'corridor,note\nGB-NG,x\nZZ-QQ,x\nUS-MX,x\nGB-ZZ,x\n'
    const assessed = await postCsv(harness, '/api/v1/batch-assess', csv, { key })
    assert.deepEqual([assessed.status, assessed.body.warnings], [200, warnings])
    const kept = await postCsv(harness, '/api/v1/batch-reports', csv, { key })
    const { body } = await harness.get(key, `/api/v1/batch-reports/${kept.body.report_id}`)
    assert.deepEqual(body.report.warnings, warnings)
    const known = await postCsv(harness, '/api/v1/batch-assess', 'corridor\nUS-MX\n', { key })
    assert.deepEqual(known.body.warnings, [])
  }))

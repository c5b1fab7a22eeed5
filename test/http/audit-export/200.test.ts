/** GET /api/v1/audit/export/{id}: a bundle that stands for itself, as JSON or CSV. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import canonicalize from 'canonicalize'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { override } from '../../helpers/webhooks.ts'

const exportUrl = (id: string, query = ''): string => `/api/v1/audit/export/${id}${query}`

/** As anyone would who has read the documentation: not with our own code. */
const recomputed = (record: unknown): string =>
  createHash('sha256')
    .update(canonicalize(record) ?? '')
    .digest('hex')

for (const engine of engines) {
  test(`the bundle holds record, explanation and timeline, and anyone can recompute its hash (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue()
      const decided = await harness.verify(key, {
        corridor: 'GB-NG',
        amount: 85_000.5,
        correlation_id: 'Größe "1", = +',
      })
      const id = String(decided.body.request_id)
      const { status, headers, body } = await harness.get(key, exportUrl(id))
      assert.equal(status, 200)
      assert.equal(headers['content-disposition'], `attachment; filename="audit-${id}.json"`)
      assert.equal(body.exported_at, new Date(harness.clock.nowMs()).toISOString())
      // The correlation id is kept apart from the stored answer, and stands in the record.
      const { idempotency_hit: _hit, response_ms: _ms, correlation_id: apart, ...answer } = decided.body
      assert.deepEqual(body.record.answer, answer)
      assert.equal(body.record.correlation_id, apart)
      const audit = (await harness.get(key, `/api/v1/audit/${id}`)).body
      const {
        human_override: overridden,
        outcome,
        request_currency: requestCurrency,
        settlement_currency: settlementCurrency,
        ...members
      } = audit
      // The answer in the record says both. The record stays as every export of it has it.
      assert.deepEqual([answer.request_currency, answer.currency], [requestCurrency, settlementCurrency])
      assert.ok(!('request_currency' in body.record) && !('settlement_currency' in body.record))
      for (const [name, value] of Object.entries(members)) assert.deepEqual(body.record[name], value, name)
      assert.equal(body.record.key_id, record.keyId)
      assert.equal(body.human_override, overridden)
      assert.equal(body.outcome, outcome)
      const { integrity, exported_at: _at, proof: _proof, ...rest } = body
      assert.equal(integrity.bundle_hash, recomputed(rest))
      assert.deepEqual(body.explanation, (await harness.get(key, `/api/v1/decision/${id}/explanation`)).body)
      assert.deepEqual(body.timeline, (await harness.get(key, `/api/v1/decision/${id}/timeline`)).body)
      assert.equal(body.integrity.algorithm, 'SHA-256')
      assert.equal(body.integrity.canonicalisation, 'RFC 8785')
      assert.equal(body.integrity.record_hash, recomputed(body.record))
    })
  })

  test(`the hash is the same in every export, whatever was said of the decision since (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue()
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 60_000 })
      const hashNow = async (): Promise<string> => {
        const found = await harness.get(key, exportUrl(body.request_id))
        return found.body.integrity.record_hash as string
      }
      const first = await hashNow()
      harness.clock.advance(86_400_000)
      const made = await override(harness, key, body.request_id)
      assert.equal(await hashNow(), first)
      const found = await harness.get(key, exportUrl(body.request_id))
      const {
        key_id: keyId,
        person_id: personId,
        principal_id: principalId,
        form,
        personal_text: personal,
        ...told
      } = found.body.human_override
      assert.deepEqual(told, made.body)
      assert.deepEqual([keyId, personId, principalId], [record.keyId, null, record.keyId])
      assert.deepEqual([form, Object.keys(personal)], [2, ['hash', 'salt']])
      const other = await harness.sibling()
      const elsewhere = await other.get(key, exportUrl(body.request_id))
      assert.equal(elsewhere.body.integrity.record_hash, first)
      await other.close()
    })
  })
}

test('as CSV it is a download with a value a line, which says the same and verifies as well', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, {
      corridor: 'GB-NG',
      amount: 1000.08,
      correlation_id: '=1+1 "quoted", lines',
    })
    const json = await harness.get(key, exportUrl(body.request_id))
    const csv = await harness.get(key, exportUrl(body.request_id, '?format=csv'))
    assert.match(String(csv.headers['content-type']), /^text\/csv/)
    assert.equal(csv.headers['content-disposition'], `attachment; filename="audit-${body.request_id}.csv"`)
    assert.ok(csv.text.startsWith('path,type,value\n'))
    assert.ok(csv.text.includes(`/integrity/record_hash,string,${json.body.integrity.record_hash}\n`))
    assert.doesNotMatch(csv.text, /,=|,"=/, 'a spreadsheet would run it')
    for (const text of [json.text, csv.text]) {
      const verified = verifyBundle(text)
      assert.deepEqual(verified.findings, [])
      assert.equal(verified.computed.record_hash, json.body.integrity.record_hash)
      assert.equal(verified.notRecomputed, null)
    }
    const asked = await harness.send({
      method: 'GET',
      url: exportUrl(body.request_id),
      headers: { authorization: `Bearer ${key}`, accept: 'text/csv' },
    })
    assert.equal(asked.text, csv.text)
    for (const { headers } of [json, csv, asked]) assert.equal(headers['vary'], 'Accept')
  })
})

test('the bundle of a cooldown record carries its source, whose hash is that of its own export', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const source = await harness.verify(key, { corridor: 'GB-NG', amount: 1.08 })
    const hit = await harness.verify(key, { corridor: 'GB-NG', amount: 2 })
    const { body, text } = await harness.get(key, exportUrl(hit.body.request_id))
    const original = await harness.get(key, exportUrl(source.body.request_id))
    assert.equal(body.record.cooldown_source_request_id, source.body.request_id)
    assert.equal(recomputed(body.source_record), original.body.integrity.record_hash)
    assert.deepEqual(body.explanation.cooldown, { source_request_id: source.body.request_id })
    assert.deepEqual(verifyBundle(text).findings, [])
    assert.equal(original.body.source_record, null)
  })
})

test('400: a format that there is not', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { status, body } = await harness.get(key, exportUrl('x', '?format=xml'))
    assert.equal(status, 400)
    assert.deepEqual(body.errors, [{ path: '/format', message: 'must be one of json, csv' }])
  })
})

/** POST /api/v1/batch-assess: 401, 403, 413, 415 and 429. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { withHarness } from '../../helpers/harness.ts'
import { post, postCsv } from '../../helpers/post.ts'

const url = '/api/v1/batch-assess'
const good = { transactions: [{ corridor: 'GB-NG' }] }
const mebibyte = 1_048_576

/** A good body of so many bytes. */
const jsonOf = (bytes: number): string => {
  const lead = '{"transactions":[{"corridor":"GB-NG"}],"x":"'
  return `${lead}${'y'.repeat(bytes - lead.length - 2)}"}`
}
const csvOf = (bytes: number): string => {
  const lead = 'corridor,note\nGB-NG,'
  return `${lead}${'y'.repeat(bytes - lead.length)}`
}

test('401 without a key, whatever the body; 403 without the scope decision:read', async () => {
  await withHarness({}, async (harness) => {
    assert.equal((await post(harness, url, good)).status, 401)
    assert.equal((await postCsv(harness, url, 'junk')).status, 401)
    const auditor = await harness.issue({ scopes: ['audit:read'] })
    const refused = await post(harness, url, good, { key: auditor.key })
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /decision:read/)
    const reader = await harness.issue({ scopes: ['decision:read'] })
    assert.equal((await post(harness, url, good, { key: reader.key })).status, 200)
  })
})

test('a body of 1 MiB is taken, one byte more and 2 MiB are 413, as JSON and as CSV', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    assert.equal(Buffer.byteLength(jsonOf(mebibyte)), mebibyte)
    assert.equal((await post(harness, url, jsonOf(mebibyte), { key })).status, 200)
    assert.equal((await postCsv(harness, url, csvOf(mebibyte), { key })).status, 200)
    for (const bytes of [mebibyte + 1, 2 * mebibyte]) {
      for (const answer of [
        await post(harness, url, jsonOf(bytes), { key }),
        await postCsv(harness, url, csvOf(bytes), { key }),
      ]) {
        assert.equal(answer.status, 413, String(bytes))
        assert.equal(answer.body.code, 'PAYLOAD_TOO_LARGE')
        assert.match(answer.body.message, /1048576 bytes/)
      }
    }
  })
})

test('415 for another type, charset or encoding, and the message names both types', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const type of [
      'text/plain',
      'text/tab-separated-values',
      'application/vnd.ms-excel',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
      'text/csv; charset=utf-16',
      'text/csv; charset=iso-8859-1',
      'application/json; charset=utf-16',
      'nonsense',
    ]) {
      const answer = await post(harness, url, 'corridor\nGB-NG\n', { key, headers: { 'content-type': type } })
      assert.equal(answer.status, 415, type)
      assert.equal(answer.body.code, 'UNSUPPORTED_MEDIA_TYPE')
    }
    const plain = await post(harness, url, 'x', { key, headers: { 'content-type': 'text/plain' } })
    assert.match(plain.body.message, /application\/json.*text\/csv/)
    const packed = await postCsv(harness, url, gzipSync('corridor\nGB-NG\n'), {
      key,
      headers: { 'content-encoding': 'gzip' },
    })
    assert.equal(packed.status, 415)
    const untyped = await harness.send({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${key}` },
      payload: 'corridor\nGB-NG\n',
    })
    assert.equal(untyped.status, 415)
  })
})

test('no other route takes CSV, and none says that it does', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const path of ['verify', 'demo-verify', 'demo-compare', 'decision/compare']) {
      const answer = await postCsv(harness, `/api/v1/${path}`, 'corridor\nGB-NG\n', { key })
      assert.equal(answer.status, 415, path)
      assert.doesNotMatch(answer.body.message, /csv/)
    }
  })
})

test('429: by default 60 a minute a key, in a window of its own', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const other = await harness.issue()
    for (let left = 59; left >= 0; left -= 1) {
      const answer = await postCsv(harness, url, 'corridor\nGB-NG\n', { key })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['ratelimit-policy'], '"batch";q=60;w=60')
      assert.match(String(answer.headers['ratelimit']), new RegExp(`^"batch";r=${left};`))
    }
    harness.clock.advance(20_000)
    const refused = await post(harness, url, good, { key })
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['retry-after'], '40')
    assert.equal(
      (await post(harness, url, good, { key: other.key })).status,
      200,
      'another key is not touched',
    )
    assert.equal((await harness.verify(key, { corridor: 'GB-NG' })).status, 200)
    assert.equal((await harness.get(key, '/api/verifications')).status, 200)
    harness.clock.advance(39_999)
    assert.equal((await post(harness, url, good, { key })).status, 429)
    harness.clock.advance(1)
    assert.equal((await post(harness, url, good, { key })).status, 200)
  })
})

test('FAIRWAY_LIMIT_BATCH sets the limit', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_BATCH: '2/10' } }, async (harness) => {
    const { key } = await harness.issue()
    const statuses = []
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await post(harness, url, good, { key })).status)
    assert.deepEqual(statuses, [200, 200, 429])
    harness.clock.advance(10_000)
    assert.equal((await post(harness, url, good, { key })).status, 200)
  })
})

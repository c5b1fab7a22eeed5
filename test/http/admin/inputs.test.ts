/** Input of the routes of the administration: bodies that may be missing, and cursors that must be known. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { received } from '../../helpers/access.ts'
import { person, read } from '../../helpers/people.ts'

const admin = '/api/v1/admin'

test('what needs no body takes a request without one, and the document says so', async () => {
  await withHarness({}, async (harness) => {
    const { headers } = await person(harness, 'admin', null)
    const bare = (path: string): Promise<Answer> =>
      harness.send({ method: 'POST', url: `${admin}/${path}`, headers })
    const { record } = await harness.issue({ scopes: ['decision:read'] })
    assert.equal((await bare(`keys/${record.keyId}/rotate`)).status, 200)
    assert.equal((await bare(`access-requests/${(await received(harness)).id}/approve`)).status, 200)
    assert.equal((await bare(`access-requests/${(await received(harness)).id}/reject`)).status, 200)
    assert.equal((await bare('feeds/check')).status, 200)
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'text/csv', 'application/json']) {
      const empty = { 'content-type': type, 'content-length': '0' }
      const answer = await harness.send({
        method: 'POST',
        url: `${admin}/feeds/check`,
        headers: { ...headers, ...empty },
      })
      assert.equal(answer.status, 200, type)
    }
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    const filled = { method: 'POST', url: `${admin}/feeds/check`, headers: form, payload: 'a=1' } as const
    assert.equal((await harness.send(filled)).status, 415)
    const refused = await bare('keys')
    assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_REQUEST'])
    const { paths } = (await harness.get(null, '/openapi.json')).body
    const required = (path: string): unknown => paths[`${admin}/${path}`].post.requestBody.required
    assert.deepEqual(
      ['keys/{key_id}/rotate', 'access-requests/{access_request_id}/reject', 'feeds/check', 'keys'].map(
        required,
      ),
      [false, false, false, true],
    )
  })
})

test('a cursor of a key that there is not is refused, and does not end the list', async () => {
  await withHarness({}, async (harness) => {
    const boss = await person(harness, 'admin', null)
    await harness.issue()
    const cursor = Buffer.from(`key_${'0'.repeat(16)}`).toString('base64url')
    const { status, body } = await read(harness, boss, `${admin}/keys?cursor=${cursor}`)
    assert.deepEqual([status, body.errors?.[0].path], [400, '/cursor'])
  })
})

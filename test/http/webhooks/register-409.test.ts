/** POST /api/v1/webhooks: one endpoint for one URL of an owner. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { post } from '../../helpers/post.ts'
import { ask, degraded, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const url = 'https://93.184.215.14/hook?a=1'

for (const engine of engines) {
  test(`a URL that the owner has registered is 409, in any spelling, until it is removed (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const first = await register(harness, key, url)
      for (const same of [url, 'https://93.184.215.14:443/hook?a=1', 'HTTPS://93.184.215.14/./hook?a=1']) {
        const refused = await post(harness, webhooksUrl, { url: same }, { key })
        assert.equal(refused.status, 409, same)
        assert.equal(refused.body.code, 'WEBHOOK_EXISTS')
        assert.match(refused.body.message, /rotate its secret/)
      }
      assert.equal((await harness.get(key, webhooksUrl)).body.length, 1)
      await register(harness, key, `${url}2`)
      await register(harness, (await harness.issue()).key, url)
      await ask(harness, key, 'DELETE', `${webhooksUrl}/${first.webhook_id}`)
      await register(harness, key, url)
    })
  })

  test(`a final dot of the name and an empty query make no other URL (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const { url: kept } = await register(harness, key, 'http://localhost.:9/hook?')
      assert.equal(kept, 'http://localhost:9/hook')
      for (const same of [
        'http://localhost:9/hook',
        'http://localhost.:9/hook',
        'http://localhost:9/hook?',
      ]) {
        assert.equal((await post(harness, webhooksUrl, { url: same }, { key })).status, 409, same)
      }
    })
  })

  test(`what an earlier version removed beside this one is free again (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      await register(harness, key, url)
      // It knows nothing of unique URLs.
      await rowsOf(harness.databaseUrl, "UPDATE webhooks SET place = NULL, secrets = '[]', removed_at_ms = 1")
      await register(harness, key, url)
    })
  })

  test(`of many who register one URL at once, one does (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const other = engine === 'postgres' ? await harness.sibling() : harness
      try {
        const { key } = await harness.issue()
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, caller) =>
            post(caller % 2 === 0 ? harness : other, webhooksUrl, { url }, { key }),
          ),
        )
        const registered = answers.filter(({ status }) => status === 200)
        const refused = answers.filter(({ status }) => status === 409)
        assert.deepEqual([registered.length, refused.length], [1, 7])
      } finally {
        if (other !== harness) await other.close()
      }
    })
  })

  test(`duplicates of before keep working, each with its own events, and no further one is taken (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        await register(harness, key, receiver.url)
        const { webhook_id: id } = await register(harness, key, `${receiver.url}/second`)
        // As an earlier version left them: two with one URL, neither held to be unique.
        await rowsOf(harness.databaseUrl, `UPDATE webhooks SET unique_url = NULL, url = '${receiver.url}'`)
        const decided = await degraded(harness, key)
        await harness.deliver()
        assert.equal(receiver.requests.length, 2)
        for (const { json, path } of receiver.requests) {
          assert.deepEqual([json.data.request_id, path], [decided, '/hook'])
        }
        assert.equal((await post(harness, webhooksUrl, { url: receiver.url }, { key })).status, 409)
        await ask(harness, key, 'DELETE', `${webhooksUrl}/${id}`)
        assert.equal((await post(harness, webhooksUrl, { url: receiver.url }, { key })).status, 409)
      }),
    )
  })
}

/** POST /api/v1/webhooks: 20 endpoints an owner, whoever comes at once. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { another, ask, publicUrl, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const add = (harness: Harness, key: string): Promise<Answer> =>
  post(harness, webhooksUrl, { url: another(publicUrl) }, { key })

const countOf = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

for (const engine of engines) {
  test(`the 21st is refused, removing one frees one place, and other owners are not touched (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const made: string[] = []
      for (let place = 0; place < 20; place += 1) made.push((await add(harness, key)).body.webhook_id)
      const refused = await add(harness, key)
      assert.equal(refused.status, 422)
      assert.equal(refused.body.code, 'UNPROCESSABLE')
      assert.match(refused.body.message, /20 endpoints/)
      assert.equal((await add(harness, (await harness.issue()).key)).status, 200)
      const removed = made.splice(7, 1)
      assert.equal((await ask(harness, key, 'DELETE', `${webhooksUrl}/${removed[0]}`)).status, 200)
      const next = await add(harness, key)
      assert.equal(next.status, 200)
      assert.equal((await add(harness, key)).status, 422)
      const listed = (await harness.get(key, webhooksUrl)).body as { webhook_id: string }[]
      assert.deepEqual(
        listed.map(({ webhook_id: id }) => id).toSorted(),
        [...made, String(next.body.webhook_id)].toSorted(),
      )
    })
  })

  test(`of 30 at once exactly 20 are registered, and of 5 more for 2 free places exactly 2 (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      // Two instances share a PostgreSQL; an embedded store has one.
      const other = engine === 'postgres' ? await harness.sibling() : harness
      const atOnce = (count: number, key: string): Promise<Answer[]> =>
        Promise.all(
          Array.from({ length: count }, (_, caller) => add(caller % 2 === 0 ? harness : other, key)),
        )
      try {
        const { key } = await harness.issue()
        const first = await atOnce(30, key)
        assert.deepEqual([countOf(first, 200), countOf(first, 422)], [20, 10])
        const listed = (await harness.get(key, webhooksUrl)).body as { webhook_id: string }[]
        const told = first.filter(({ status }) => status === 200).map(({ body }) => String(body.webhook_id))
        assert.deepEqual(listed.map(({ webhook_id: id }) => id).toSorted(), told.toSorted())
        const gone = await Promise.all(
          told.slice(0, 2).map((id) => ask(other, key, 'DELETE', `${webhooksUrl}/${id}`)),
        )
        assert.equal(countOf(gone, 200), 2)
        const more = await atOnce(5, key)
        assert.deepEqual([countOf(more, 200), countOf(more, 422)], [2, 3])
        assert.equal((await other.get(key, webhooksUrl)).body.length, 20)
      } finally {
        if (other !== harness) await other.close()
      }
    })
  })
}

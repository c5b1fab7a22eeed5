/** Reviews of another owner: unknown to every read and act, whoever asks, and in no list or figure. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { person, unlimited } from '../../helpers/people.ts'
import {
  act,
  deskOn,
  idsIn,
  readReviews,
  requestIdOf,
  reviewsUrl,
  type ActName,
  type Headed,
} from '../../helpers/reviews.ts'
import { anonymous } from '../../helpers/webhooks.ts'

const acts: readonly ActName[] = ['claim', 'release', 'comment', 'propose', 'approve', 'reject']

for (const engine of engines) {
  test(`${engine}: a review of another owner is answered like one that there is not, by every route, and stays as it is`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const [desk, other] = [await deskOn(harness), await deskOn(harness)]
      const foreign = await other.proposed()
      const before = await other.show(foreign)
      const requestId = await requestIdOf(other, foreign)
      const own = await desk.open()
      const callers: Readonly<Record<string, Headed>> = {
        key: desk.proposer,
        person: await person(harness, ['reviewer', 'approver'], desk.ownerId),
      }
      const ids = [
        foreign,
        'rev_01m7ek86879492mkk2679nv0e3',
        requestId,
        own.toUpperCase(),
        `${own}x`,
        'rev_',
        'x',
        '%00',
        '..%2f',
        'x'.repeat(200),
      ]
      for (const [name, caller] of Object.entries(callers)) {
        const seen = new Set<string>()
        for (const id of ids) {
          const url = `${reviewsUrl}/${id}`
          const answers: Answer[] = [
            await harness.send({ method: 'GET', url, headers: { ...caller.headers } }),
          ]
          for (const kind of acts) answers.push(await act(harness, caller, kind, id))
          for (const answer of answers) {
            assert.equal(answer.status, 404, `${name}, ${id}: ${answer.text}`)
            seen.add(anonymous(answer))
          }
        }
        assert.equal(seen.size, 1, [...seen].join('\n'))
        assert.deepEqual(idsIn(await readReviews(harness, caller)), [own])
        assert.equal((await readReviews(harness, caller, '/summary')).waiting, 1)
      }
      assert.deepEqual(await other.show(foreign), before)
    })
  })
}

test('an admin of the installation sees the reviews of the owner that it has chosen, and no other', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const [desk, other] = [await deskOn(harness), await deskOn(harness)]
    const [own, foreign] = [await desk.open(), await other.proposed()]
    const { headers } = await person(harness, ['admin', 'approver'], null)
    const forOwner = { headers: { ...headers, 'x-fairway-owner': desk.ownerId } }
    assert.deepEqual(idsIn(await readReviews(harness, forOwner)), [own])
    assert.equal((await act(harness, forOwner, 'approve', foreign)).status, 404)
    assert.equal((await act(harness, forOwner, 'claim', own)).status, 200)
    const { status } = await harness.send({ method: 'GET', url: reviewsUrl, headers: { ...headers } })
    assert.equal(status, 403, 'without an owner there is nothing to see')
  })
})

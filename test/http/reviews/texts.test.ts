/** Comments, justifications and reasons: kept to the letter, bounded in length and number, and never blank. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { errorsOf } from '../../helpers/post.ts'
import { act, conflict, deskOn, done, goodProposal, refusalOf, type ActName } from '../../helpers/reviews.ts'

/** The text of each act that has one, with the rest of its body. */
const bodies = {
  comment: { member: 'text', of: (text: unknown) => ({ text }) },
  propose: { member: 'justification', of: (text: unknown) => ({ ...goodProposal, justification: text }) },
  approve: { member: 'reason', of: (text: unknown) => ({ reason: text }) },
  reject: { member: 'reason', of: (text: unknown) => ({ reason: text }) },
} as const satisfies Partial<Record<ActName, { member: string; of: (text: unknown) => object }>>

const acts = Object.keys(bodies) as (keyof typeof bodies)[]

const good = [
  'x',
  'x'.repeat(2_000),
  '  kept with its space  ',
  'first line\nsecond line\r\n\tindented',
  `it's "so" <b>& \\ ; DROP TABLE reviews; --`,
  'Überprüft ☕ 支払い \u{1f980} \u202etrevni',
  '\u{1f980}'.repeat(2_000),
]

const wrong: readonly unknown[] = [
  '',
  ' ',
  '\n\t ',
  '\u200b\u2060',
  '\u0000',
  'a\u0000b',
  'a\u0007b',
  'a\u001bb',
  'a\u007fb',
  'a\u0085b',
  'x'.repeat(2_001),
  '\u{1f980}'.repeat(2_001),
  7,
  true,
  ['x'],
  { text: 'x' },
]

for (const engine of engines) {
  test(`${engine}: a text is kept to the letter, whatever it is written in`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const commented = await desk.open()
      for (const text of good) {
        await done(harness, desk.proposer, 'comment', commented, bodies.comment.of(text))
        const reviewId = await desk.open()
        const { proposal } = await done(harness, desk.proposer, 'propose', reviewId, bodies.propose.of(text))
        assert.equal(proposal.justification, text)
        const rejected = await done(harness, desk.approver, 'reject', reviewId, bodies.reject.of(text))
        assert.equal(rejected.resolution.reason, text)
        await done(harness, desk.proposer, 'propose', reviewId)
        await done(harness, desk.approver, 'approve', reviewId, bodies.approve.of(text))
        const { resolution, history } = await desk.show(reviewId)
        assert.equal(resolution.reason, text)
        assert.deepEqual(
          history.map((change: Answer['body']) => change.text),
          [null, text, text, goodProposal.justification, text],
        )
      }
      const { comments } = await desk.show(commented)
      assert.deepEqual(
        comments.map(({ by, text }: Answer['body']) => [by, text]),
        good.map((text) => [desk.proposer.shown, text]),
      )
    })
  })

  test(`${engine}: a review takes 100 comments, from whomever, and everything else goes on`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.open()
      for (let count = 0; count < 100; count += 1) {
        const clerk = count % 2 === 0 ? desk.proposer : desk.approver
        await done(harness, clerk, 'comment', reviewId, { text: `Comment ${count}.` })
      }
      for (const clerk of [desk.proposer, desk.approver]) {
        const refused = await act(harness, clerk, 'comment', reviewId)
        assert.deepEqual(refusalOf(refused), conflict)
        assert.equal(refused.body.message, 'A review has at most 100 comments.')
      }
      const { comments } = await desk.show(reviewId)
      assert.deepEqual(
        comments.map(({ text }: { text: string }) => text),
        Array.from({ length: 100 }, (_, count) => `Comment ${count}.`),
      )
      await done(harness, desk.proposer, 'propose', reviewId)
      assert.equal((await done(harness, desk.approver, 'approve', reviewId)).status, 'approved')
    })
  })
}

test('a text that is blank, too long, no text, or has control characters is 400, and changes nothing', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const reviewId = await desk.proposed()
    const before = await desk.show(reviewId)
    for (const name of acts) {
      const { member, of } = bodies[name]
      for (const text of wrong) {
        const refused = await act(harness, desk.approver, name, reviewId, of(text))
        assert.equal(refused.status, 400, `${name}: ${JSON.stringify(text)?.slice(0, 40)} ${refused.text}`)
        assert.equal(errorsOf(refused)[0]?.[0], `/${member}`)
      }
    }
    for (const name of ['comment', 'propose', 'reject'] as const)
      for (const body of [{}, { [bodies[name].member]: null }, { wrong: 'x' }])
        assert.equal((await act(harness, desk.approver, name, reviewId, body)).status, 400, name)
    assert.deepEqual(await desk.show(reviewId), before)
  })
})

test('a body that is no JSON object, of another type or too large is refused before anything is done', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const reviewId = await desk.proposed()
    const before = await desk.show(reviewId)
    const send = async (name: ActName, type: string, payload: string): Promise<number> => {
      const { status } = await harness.send({
        method: 'POST',
        url: `/api/v1/reviews/${reviewId}/${name}`,
        headers: { ...desk.approver.headers, 'content-type': type },
        payload,
      })
      return status
    }
    for (const name of acts) {
      for (const payload of ['[]', '"x"', '7', '{', 'null'])
        assert.equal(await send(name, 'application/json', payload), 400, `${name} ${payload}`)
      assert.equal(await send(name, 'text/plain', 'x'), 415, name)
      assert.equal(await send(name, 'application/json', `{"x":"${'y'.repeat(65_536)}"}`), 413, name)
    }
    assert.deepEqual(await desk.show(reviewId), before)
  })
})

/** GET /api/v1/policies: newest first, by cursor, and by status. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { idle, policiesUrl, teamOn, type Team } from '../../helpers/policies.ts'
import { errorsOf } from '../../helpers/post.ts'

const unlimited = { FAIRWAY_LIMIT_KEYED: '1000000/60' }
const idsIn = ({ body }: Answer): string[] =>
  (body.policies as { policy_id: string }[]).map(({ policy_id: id }) => id)

/** Follows the cursor to the end: the ids of each page. */
async function pages(harness: Harness, { author }: Team, query: string): Promise<string[][]> {
  const found: string[][] = []
  for (let cursor: string | null = null, turn = 0; turn < 50; turn += 1) {
    const more = cursor === null ? '' : `&cursor=${cursor}`
    const answer = await harness.get(author.key, `${policiesUrl}?${query}${more}`)
    assert.equal(answer.status, 200, answer.text)
    found.push(idsIn(answer))
    cursor = answer.body.next_cursor as string | null
    const [, link] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? '')) ?? []
    assert.equal(link === undefined ? null : new URL(link, 'http://x').searchParams.get('cursor'), cursor)
    if (cursor === null) return found
  }
  return assert.fail('the cursor never ends')
}

for (const engine of engines) {
  test(`${engine}: more policies than fit on a page are listed once each, newest first`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const [team, other] = [await teamOn(harness), await teamOn(harness)]
      const created: string[] = []
      for (let count = 0; count < 62; count += 1) {
        created.push(await team.create({ ...idle, name: `Policy ${count}` }))
        if (count % 20 === 0) await other.create(idle)
        // Several fall into one millisecond.
        if (count % 3 === 0) harness.clock.advance(1)
      }
      const newest = created.toReversed()
      const first = await team.list()
      assert.deepEqual(idsIn(first), newest.slice(0, 50), 'fifty on a page unless asked for otherwise')
      assert.deepEqual((await pages(harness, team, 'limit=25')).flat(), newest)
      assert.deepEqual(
        (await pages(harness, team, 'limit=31')).map(({ length }) => length),
        [31, 31],
        'no empty page at the end',
      )
      assert.deepEqual((await pages(harness, team, 'limit=500')).flat(), newest)
    })
  })
}

test('policies of one status are found on every page, however far apart they are', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const team = await teamOn(harness)
    const retired: string[] = []
    for (let count = 0; count < 120; count += 1) {
      if (count % 40 === 0) retired.push(await team.putInForce(idle))
      else await team.create(idle)
    }
    const active = await team.putInForce(idle)
    const candidate = await team.create(idle)
    await team.makeCandidate(candidate)
    assert.deepEqual(await pages(harness, team, 'status=active'), [[active]])
    assert.deepEqual(await pages(harness, team, 'status=candidate'), [[candidate]])
    assert.deepEqual(await pages(harness, team, 'status=retired&limit=2'), [
      retired.slice(1).toReversed(),
      retired.slice(0, 1),
    ])
    const drafts = (await pages(harness, team, 'status=draft&limit=50')).flat()
    assert.deepEqual([drafts.length, new Set(drafts).size], [117, 117])
    const { body } = await team.list('?status=draft&limit=1')
    assert.deepEqual([body.active, body.candidate], [active, candidate])
  })
})

test('a query that is not understood is refused', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const rule = 'must come from the Link header of a previous page'
    for (const cursor of ['x', 'bm9ib2R5', Buffer.from('pol_1').toString('base64url'), 'é'.repeat(3)]) {
      const answer = await team.list(`?cursor=${encodeURIComponent(cursor)}`)
      assert.deepEqual([answer.status, errorsOf(answer)], [400, [['/cursor', rule]]], cursor)
    }
    for (const [query, path] of [
      ['?status=new', '/status'],
      ['?status=', '/status'],
      ['?limit=0', '/limit'],
      ['?limit=501', '/limit'],
      ['?limit=ten', '/limit'],
      ['?page=2', '/page'],
      ['?owner=own_1', '/owner'],
    ] as const) {
      const answer = await team.list(query)
      assert.deepEqual([answer.status, errorsOf(answer)[0]?.[0]], [400, path], query)
    }
  })
})

test('the cursor of a policy that another owner has shows nothing of theirs', async () => {
  await withHarness({}, async (harness) => {
    const [team, other] = [await teamOn(harness), await teamOn(harness)]
    const own = await team.create(idle)
    harness.clock.advance(1)
    const theirs = await other.create(idle)
    const cursor = Buffer.from(theirs).toString('base64url')
    assert.deepEqual(idsIn(await team.list(`?cursor=${cursor}`)), [own])
  })
})

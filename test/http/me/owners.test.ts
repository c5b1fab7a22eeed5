/** GET /api/v1/owners: the owners that an admin of the installation may choose. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { person, read } from '../../helpers/people.ts'
import { received } from '../../helpers/access.ts'
import { errorsOf } from '../../helpers/post.ts'

const url = '/api/v1/owners'

for (const engine of engines) {
  test(`${engine}: all owners are listed on pages, those of sandboxes too, and a search finds one by name or id`, async () => {
    await withHarness({ engine }, async (harness) => {
      const expected = new Map<string, [string, boolean]>()
      for (const [name, prefix] of [
        ['Acme Payments', 'svc-live-'],
        ['Beta 100%', 'pk_test_'],
        ['Gamma', 'pk_live_'],
      ] as const) {
        const { ownerId } = (await harness.issue({ ownerLabel: name, prefix })).record
        expected.set(ownerId, [name, prefix !== 'pk_test_'])
      }
      await received(harness, { name: 'Visitor' })
      const sandbox =
        (await harness.store.keys.list()).find(({ type }) => type === 'sandbox') ?? assert.fail()
      expected.set(sandbox.ownerId, [sandbox.ownerLabel, false])
      const admin = await person(harness, 'admin', null)
      const seen = new Map<string, [string, boolean]>()
      let next: string | undefined = `${url}?limit=3`
      for (let pages = 1; next !== undefined; pages += 1) {
        const { status, body, headers } = await read(harness, admin, next)
        assert.equal(status, 200)
        assert.equal(body.owners.length, pages === 1 ? 3 : 1)
        for (const owner of body.owners) seen.set(owner.owner_id, [owner.name, owner.has_live_key])
        next = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1]
        assert.equal(body.next_cursor === null, next === undefined)
        if (next !== undefined) assert.ok(next.includes(`cursor=${body.next_cursor}`))
      }
      assert.deepEqual(seen, new Map([...expected].toSorted(([one], [other]) => (one < other ? -1 : 1))))
      const found = async (query: string): Promise<string[]> => {
        const { body } = await read(harness, admin, `${url}?query=${encodeURIComponent(query)}`)
        return body.owners.map(({ name }: { name: string }) => name)
      }
      assert.deepEqual(await found('acme'), ['Acme Payments'])
      assert.deepEqual(await found('%'), ['Beta 100%'])
      assert.deepEqual(await found(sandbox.ownerId), [sandbox.ownerLabel])
      assert.deepEqual(await found('nobody at all'), [])
    })
  })
}

test('a cursor of another list, an unknown parameter and a limit out of range are 400', async () => {
  await withHarness({}, async (harness) => {
    const admin = await person(harness, 'admin', null)
    const cases: readonly (readonly [string, string])[] = [
      ['cursor=nonsense', '/cursor'],
      [`cursor=${Buffer.from("own_' OR 1=1 -- 9").toString('base64url')}`, '/cursor'],
      ['limit=0', '/limit'],
      ['limit=100000', '/limit'],
      ['page=2', '/page'],
      [`query=${'x'.repeat(201)}`, '/query'],
      ['query=%00', '/query'],
    ]
    for (const [query, path] of cases) {
      const answer = await read(harness, admin, `${url}?${query}`)
      assert.equal(answer.status, 400, query)
      assert.equal(errorsOf(answer)[0]?.[0], path, query)
    }
  })
})

test('an admin of one owner, every other role and every key are refused', async () => {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue()
    for (const role of ['viewer', 'approver', 'admin'] as const) {
      const { status, body } = await read(harness, await person(harness, role, record.ownerId), url)
      assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], role)
    }
    assert.equal((await harness.get(key, url)).status, 403)
    assert.equal((await harness.get(null, url)).status, 401)
  })
})

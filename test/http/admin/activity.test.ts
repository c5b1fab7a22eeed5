/** The activity log: every act, newest first, with who did it and its place in the sealed log; filtered and exported. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { person, read, write, type SignedInPerson } from '../../helpers/people.ts'

const url = '/api/v1/admin/activity'

interface Act {
  readonly act_id: string
  readonly kind: string
  readonly subject: string
  readonly by: { readonly kind: string; readonly id: string; readonly name: string }
  readonly leaf_index: number | null
}

async function actsOf(harness: Harness, admin: SignedInPerson, query = ''): Promise<Act[]> {
  const { status, body, text } = await read(harness, admin, `${url}?${query}`)
  assert.equal(status, 200, text)
  return body.activity
}

async function someActs(harness: Harness) {
  const admin = await person(harness, 'admin', null)
  const { keyId } = (await harness.issue()).record
  harness.clock.advance(1_000)
  await write(harness, admin, '/api/v1/admin/keys', { type: 'test', owner: 'Payouts' })
  harness.clock.advance(1_000)
  await write(harness, admin, `/api/v1/admin/keys/${keyId}/revoke`, {})
  harness.clock.advance(1_000)
  await write(harness, admin, '/api/v1/admin/people', { email: 'b@example.com', roles: ['admin'] })
  return { admin, keyId }
}

for (const engine of engines) {
  test(`${engine}: acts are listed newest first with the name of who did them, and each has its leaf once sealed`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { admin } = await someActs(harness)
      await harness.seal()
      const acts = await actsOf(harness, admin)
      assert.deepEqual(
        acts.slice(0, 3).map(({ kind, by }) => [kind, by.kind, by.id, by.name]),
        ['person.invited', 'key.revoked', 'key.created'].map((kind) => [
          kind,
          'person',
          admin.personId,
          admin.name,
        ]),
      )
      const operator = acts.find(({ kind, by }) => kind === 'person.invited' && by.id === 'ops')
      assert.deepEqual(operator?.by, { kind: 'operator', id: 'ops', name: 'ops' })
      const leaves = acts.map(({ leaf_index: index }) => index)
      assert.ok(leaves.every((index) => index !== null))
      assert.equal(new Set(leaves).size, acts.length)
      for (const { act_id: id, leaf_index: index } of acts) {
        const [leaf] = await harness.store.log.find([id])
        assert.equal(leaf?.index, index)
      }
    })
  })

  test(`${engine}: acts are found by kind, group, person, subject and time, page by page`, async () => {
    await withHarness({ engine }, async (harness) => {
      const startMs = harness.clock.nowMs()
      const { admin, keyId } = await someActs(harness)
      const kinds = async (query: string): Promise<string[]> =>
        (await actsOf(harness, admin, query)).map(({ kind }) => kind)
      assert.deepEqual(await kinds('kind=key.revoked'), ['key.revoked'])
      assert.deepEqual(await kinds(`kind=key&by=${admin.personId}`), ['key.revoked', 'key.created'])
      for (const none of ['ke', 'ke_', '___', 'k_y.revoked'])
        assert.deepEqual(await kinds(`kind=${none}`), [], none)
      assert.deepEqual(await kinds(`subject=${keyId}`), ['key.revoked'])
      const at = (ms: number): string => encodeURIComponent(new Date(startMs + ms).toISOString())
      assert.deepEqual(await kinds(`from=${at(1_500)}&to=${at(2_500)}`), ['key.revoked'])
      const all = await actsOf(harness, admin)
      const walked: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body } = await read(
          harness,
          admin,
          `${url}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        )
        walked.push(...body.activity.map((act: Act) => act.act_id))
        cursor = body.next_cursor
      }
      assert.deepEqual(
        walked,
        all.map(({ act_id: id }) => id),
      )
    })
  })
}

test('the export has the same acts as the list, and no cell that a spreadsheet would run', async () => {
  await withHarness({}, async (harness) => {
    const { admin } = await someActs(harness)
    await harness.store.acts.record({
      actId: `act_${'0'.repeat(26)}`,
      kind: 'feeds.reloaded',
      subject: '',
      by: '=cmd()',
      atMs: harness.clock.nowMs(),
      detail: {},
    })
    const { text, headers } = await read(harness, admin, `${url}?format=csv`)
    assert.match(String(headers['content-type']), /^text\/csv/)
    const rows: Record<string, string>[] = parse(text, { columns: true })
    assert.deepEqual(
      rows.map(({ act_id: id }) => id),
      (await actsOf(harness, admin)).map(({ act_id: id }) => id),
    )
    assert.ok(!/(?:^|,)"?=cmd/m.test(text))
    const bad = ['kind=Key', 'from=yesterday', 'cursor=AAAA', 'page=2', 'from=2026-02-01&to=2026-01-01']
    for (const query of bad) assert.equal((await read(harness, admin, `${url}?${query}`)).status, 400, query)
  })
})

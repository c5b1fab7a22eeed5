/** A further key for an owner: it reads and writes the same records, and every other key still makes an owner of its own. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask, serve } from '../../helpers/process/process.ts'

interface Issued {
  readonly key: string
  readonly key_id: string
  readonly owner: string
  readonly owner_id: string
}

for (const engine of engines) {
  test(`${engine}: keys issued for an owner share its records, and its id is in every JSON of keys`, async () => {
    const database = await freshDatabase(engine)
    const environment = { DATABASE_URL: database.url }
    const json = async (...args: string[]): Promise<Issued & Issued[]> =>
      JSON.parse((await runInProcess([...args, '--json'], environment)).stdout) as Issued & Issued[]
    try {
      const first = await json('keys', 'issue', '--type', 'test', '--owner', 'Payments team')
      const other = await json('keys', 'issue', '--type', 'test', '--owner', 'Payments team')
      const further = await json('keys', 'issue', '--type', 'live', '--for-owner', first.owner_id)
      const forFirst = ['--for-owner', first.owner_id, '--owner', 'Night shift']
      const named = await json('keys', 'issue', '--type', 'test', ...forFirst)
      const rotated = await json('keys', 'rotate', other.key_id)
      assert.match(first.owner_id, /^own_[0-9a-z]+$/)
      assert.notEqual(other.owner_id, first.owner_id)
      assert.deepEqual([further.owner_id, further.owner], [first.owner_id, 'Payments team'])
      assert.deepEqual([named.owner_id, named.owner], [first.owner_id, 'Night shift'])
      assert.equal(rotated.owner_id, other.owner_id)
      const listed = await json('keys', 'list')
      assert.deepEqual(
        new Map(listed.map((key) => [key.key_id, key.owner_id])),
        new Map([first, other, further, named, rotated].map((key) => [key.key_id, key.owner_id])),
      )
      const server = await serve(environment)
      try {
        const decided = await ask(server.url, first.key, { corridor: 'GB-NG', amount: 5 })
        const { request_id: id } = (await decided.json()) as { request_id: string }
        const seenBy = async (key: string): Promise<number> =>
          (
            await checkedFetch(`${server.url}/api/v1/audit/${id}`, {
              headers: { authorization: `Bearer ${key}` },
            })
          ).status
        assert.deepEqual([await seenBy(further.key), await seenBy(rotated.key)], [200, 404])
      } finally {
        await server.stop()
      }
    } finally {
      await database.drop()
    }
  })
}

test('a mistake about the owner of a key is one clear line, and issues nothing', async () => {
  const database = await freshDatabase('sqlite')
  const environment = { DATABASE_URL: database.url }
  const cases: [string[], RegExp][] = [
    [[], /name the owner: --owner NAME, or --for-owner OWNER_ID/],
    [
      ['--for-owner', 'own_nope'],
      /there is no owner own_nope: fairway keys list --json shows every owner_id/,
    ],
    [['--for-owner', 'own_nope', '--owner', 'x'], /there is no owner own_nope/],
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await runInProcess(['keys', 'issue', '--type', 'test', ...args], environment)
    assert.deepEqual([code, message.test(stderr)], [1, true], stderr)
  }
  assert.equal((await runInProcess(['keys', 'list', '--json'], environment)).stdout, '[]\n')
  await database.drop()
})

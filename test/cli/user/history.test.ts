/** History a page after another: no more than was asked for, and all where all were. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairwayClient } from '../../../client/src/index.ts'
import { readAll } from '../../../src/cli/user/history.ts'

/** A server with so many records that gives at most 500 at once; it remembers what it was asked. */
function serverWith(total: number) {
  const asked: string[] = []
  const fetch = (address: string): Promise<Response> => {
    const { searchParams } = new URL(address)
    asked.push(searchParams.toString())
    const from = Number(searchParams.get('cursor') ?? 0)
    const to = Math.min(total, from + Number(searchParams.get('limit')))
    const items = Array.from({ length: to - from }, (_, index) => ({ request_id: String(from + index) }))
    const headers = to < total ? { link: `<?cursor=${to}>; rel="next"` } : undefined
    return Promise.resolve(new Response(JSON.stringify(items), headers === undefined ? {} : { headers }))
  }
  const client = new FairwayClient({ baseUrl: 'http://127.0.0.1', apiKey: 'k', runtime: { fetch } })
  return { asked, client }
}

const call = <Result>(request: () => Promise<Result>): Promise<Result> => request()

test('pages are walked until there are as many as were asked for', async () => {
  const { asked, client } = serverWith(2_000)
  const { records, hasMore } = await readAll({ call }, client, { limit: 1_200, corridor: 'GB-NG' })
  assert.deepEqual(
    records.map((record) => record.request_id),
    Array.from({ length: 1_200 }, (_, index) => String(index)),
  )
  assert.equal(hasMore, true)
  assert.deepEqual(asked, [
    'corridor=GB-NG&limit=500',
    'corridor=GB-NG&limit=500&cursor=500',
    'corridor=GB-NG&limit=200&cursor=1000',
  ])
})

test('all means all', async () => {
  const { asked, client } = serverWith(1_001)
  const { records, hasMore } = await readAll({ call }, client, { limit: 20, all: true })
  assert.deepEqual([records.length, hasMore, asked.length], [1_001, false, 3])
})

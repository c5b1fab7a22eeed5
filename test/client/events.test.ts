/** The event stream of the TypeScript client: it ends by its signal, and gives the server time to wait. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FairwayClient } from '../../client/src/index.ts'
import { startHarness, type Harness } from '../helpers/harness.ts'
import { withScript } from '../helpers/peers/scripted.ts'

let harness: Harness
let baseUrl: string

before(async () => {
  harness = await startHarness()
  baseUrl = await harness.app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => harness.close())

async function newClient(): Promise<FairwayClient> {
  const { key: apiKey } = await harness.issue()
  return new FairwayClient({ baseUrl, apiKey })
}

async function decide(client: FairwayClient): Promise<string> {
  const result = await client.verify({ corridor: 'GB-NG', amount: 5 })
  assert.ok(!result.held)
  return result.request_id
}

test('a loop gets what there is, and what is recorded while it waits, until its signal ends it', async () => {
  const client = await newClient()
  const made = [await decide(client), await decide(client)]
  await harness.journal.passed('events')
  const seen: string[] = []
  const ending = new AbortController()
  const reason = new Error('enough')
  await assert.rejects(async () => {
    for await (const { subject } of client.events({ limit: 1 }, { signal: ending.signal })) {
      seen.push(subject)
      if (seen.length === 2) {
        made.push(await decide(client))
        await harness.journal.passed('events')
      }
      if (seen.length === 3) ending.abort(reason)
    }
  }, reason)
  assert.deepEqual(seen, made)
})

test('a request may take the time of its limits beyond that for which the server waits', async () => {
  const page = { events: [], next: 'evt_1' }
  await withScript([{ status: 200, body: page }], async (server) => {
    const timeouts: number[] = []
    const runtime = {
      after: (ms: number) => {
        timeouts.push(ms)
        return () => {}
      },
    }
    const options = { baseUrl: server.url, apiKey: 'k', runtime }
    await new FairwayClient(options).events({ wait_s: 30 }).page()
    const quick = new FairwayClient({ ...options, timeoutMs: 2_000, totalTimeoutMs: 1_500 })
    await quick.events({ wait_s: 30 }).page()
    await quick.events({}, { timeoutMs: 100 }).page()
    assert.deepEqual(timeouts, [40_000, 31_500, 100])
  })
})

/** The client's event stream: it follows, stops on request, and goes on from any event. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FairwayClient, UnexpectedAnswerError } from '../../client/src/index.ts'
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

test('without following, a loop ends after the last event; an id of any of them is a place to go on from', async () => {
  const client = await newClient()
  const made = [await decide(client), await decide(client), await decide(client)]
  const events = []
  for await (const event of client.events({ follow: false, limit: 2 })) events.push(event)
  assert.deepEqual(
    events.map(({ subject }) => subject),
    made,
  )
  const rest = []
  for await (const { subject } of client.events({ after: events[0]?.id ?? '', follow: false }))
    rest.push(subject)
  assert.deepEqual(rest, made.slice(1))
})

test('a loop that follows waits at least a second for each answer, even when asked not to wait', async () => {
  const pages = [{ status: 200, body: { events: [{ id: 'evt_1' }], next: 'evt_1' } }]
  for (const [wait, sent] of [
    [0, 1],
    [5, 5],
    [undefined, 20],
  ] as const) {
    await withScript(pages, async (server) => {
      const client = new FairwayClient({ baseUrl: server.url, apiKey: 'k' })
      for await (const _ of client.events(wait === undefined ? {} : { wait_s: wait })) break
      assert.match(server.asked[0]?.url ?? '', new RegExp(`wait_s=${sent}$`))
    })
  }
})

test('a loop asks for the largest pages by default', async () => {
  const pages = [{ status: 200, body: { events: [], next: 'evt_1' } }]
  for (const [limit, sent] of [
    [undefined, 'limit=1000&wait_s=0'],
    [7, 'limit=7&wait_s=0'],
  ] as const) {
    await withScript(pages, async (server) => {
      const client = new FairwayClient({ baseUrl: server.url, apiKey: 'k' })
      for await (const _ of client.events({ follow: false, ...(limit !== undefined && { limit }) }))
        assert.fail('there is none')
      assert.deepEqual(
        server.asked.map(({ url }) => url),
        [`/api/v1/events?${sent}`],
      )
    })
  }
})

test('a request waits longer for its answer than the server waits for an event', async () => {
  const page = { events: [], next: 'evt_1' }
  await withScript([{ status: 200, body: page }], async (server) => {
    const timeouts: number[] = []
    const runtime = {
      after: (ms: number) => {
        timeouts.push(ms)
        return () => {}
      },
    }
    const client = new FairwayClient({ baseUrl: server.url, apiKey: 'k', runtime })
    await client.events({ wait_s: 30 }).page()
    assert.deepEqual(
      server.asked.map(({ url }) => url),
      ['/api/v1/events?wait_s=30'],
    )
    assert.ok(
      timeouts.every((ms) => ms > 30_000),
      String(timeouts),
    )
  })
})

test('an answer with events and the cursor that was sent is refused: they would come for ever', async () => {
  const event = { id: 'evt_1', type: 'payment.decision.created' }
  await withScript([{ status: 200, body: { events: [event], next: 'evt_1' } }], async ({ url }) => {
    const client = new FairwayClient({ baseUrl: url, apiKey: 'k' })
    await assert.rejects(async () => {
      for await (const _ of client.events({ after: 'evt_1' })) assert.fail('it was taken')
    }, UnexpectedAnswerError)
  })
})

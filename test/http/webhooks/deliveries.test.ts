/** GET /api/v1/webhooks/{webhook_id}/deliveries: what was sent to an endpoint, and how it fared. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { openTestReceiver, withReceiver, type Reaction } from '../../helpers/peers/receiver.ts'
import { another, ask, publicUrl, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const deliveriesUrl = (id: string, query = ''): string => `${webhooksUrl}/${id}/deliveries${query}`

const sendTest = async (harness: Harness, key: string, id: string): Promise<string> =>
  (await ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`)).body.event_id

/** Walks all pages: the ids of each. */
async function walk(harness: Harness, key: string, url: string): Promise<string[][]> {
  const pages: string[][] = []
  let next: string | undefined = url
  while (next !== undefined) {
    const answer = await harness.get(key, next)
    assert.equal(answer.status, 200, answer.text)
    pages.push(answer.body.map((item: { event_id: string }) => item.event_id))
    next = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1]
  }
  return pages
}

/** A minute after each failed attempt; all five within as many. */
const quick = { ...trial, FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '60,60,60,60' }

async function deliverAll(harness: Harness): Promise<void> {
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    await harness.deliver()
    harness.clock.advance(60_000)
  }
}

for (const engine of engines) {
  test(`pages follow each other without a gap or a repeat, newest first, of this endpoint alone (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id } = await register(harness, key, receiver.url)
        const { webhook_id: other } = await register(harness, key, another(receiver.url))
        assert.deepEqual(await walk(harness, key, deliveriesUrl(id)), [[]])
        const made: string[] = []
        for (let index = 0; index < 7; index += 1) {
          if (index % 2 === 0) harness.clock.advance(1)
          made.unshift(await sendTest(harness, key, id))
          await sendTest(harness, key, other)
        }
        await harness.deliver()
        assert.deepEqual(await walk(harness, key, deliveriesUrl(id, '?limit=3')), [
          made.slice(0, 3),
          made.slice(3, 6),
          made.slice(6),
        ])
        assert.deepEqual(await walk(harness, key, deliveriesUrl(id, '?limit=7')), [made])
        assert.deepEqual(await walk(harness, key, deliveriesUrl(id)), [made])
        const first = await harness.get(key, deliveriesUrl(id, '?limit=5'))
        await sendTest(harness, key, id)
        const link = /^<([^>]+)>/.exec(String(first.headers['link']))?.[1] ?? ''
        assert.deepEqual(await walk(harness, key, link), [made.slice(5)], 'what is new disturbs nothing')
      }),
    )
  })

  test(`every attempt is shown with its outcome, and the next one with its time, until it is dropped (${engine})`, async () => {
    const reactions = [500, 302, 404, 429, 599]
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const { webhook_id: id } = await register(harness, key, receiver.url)
          const { body } = await harness.verify(key, { corridor: 'GB-NG' })
          const shown = async () => (await harness.get(key, deliveriesUrl(id))).body
          const attempts: object[] = []
          const delays = [60_000, 300_000, 900_000, 1_800_000]
          for (const [place, status] of reactions.entries()) {
            await harness.deliver()
            const at = harness.clock.nowMs()
            const times = { at: new Date(at).toISOString(), duration_ms: 0 }
            const ended = { outcome: 'failed', status_code: status, error: null }
            attempts.push({ attempt: place + 1, ...times, ...ended })
            const delay = delays[place]
            const dueAt = new Date(at + (delay ?? 0)).toISOString()
            const [item, ...more] = await shown()
            assert.deepEqual(more, [])
            const { event_id: eventId, ...rest } = item
            assert.equal(eventId, `evt_${String(body.request_id).slice(-26).toLowerCase()}`)
            assert.deepEqual(rest, {
              event: 'payment.decision.created',
              request_id: body.request_id,
              status: delay === undefined ? 'dropped' : 'pending',
              created_at: '2026-03-01T12:00:00.000Z',
              next_attempt: delay === undefined ? null : { attempt: place + 2, due_at: dueAt },
              attempts,
            })
            harness.clock.advance((delay ?? 86_400_000) - 1)
            await harness.deliver()
            assert.equal(receiver.requests.length, place + 1, 'never sooner')
            harness.clock.advance(1)
          }
          await harness.deliver()
          assert.equal(receiver.requests.length, 5, 'what is dropped is not sent again')
        }),
      ({ json }) => reactions[json.attempt - 1] ?? 200,
    )
  })

  test(`status=dropped shows those that were given up alone, page by page (${engine})`, async () => {
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: quick }, async (harness) => {
          const { key } = await harness.issue()
          const { webhook_id: id } = await register(harness, key, receiver.url)
          const ids: string[] = []
          for (let amount = 0; amount < 6; amount += 1) {
            const { body } = await harness.verify(key, { corridor: 'GB-NG', amount })
            ids.unshift(`evt_${String(body.request_id).slice(-26).toLowerCase()}`)
          }
          assert.deepEqual(await walk(harness, key, deliveriesUrl(id, '?status=dropped')), [[]])
          await deliverAll(harness)
          const dropped = ids.filter((_, place) => place % 2 === 0)
          const paged = await walk(harness, key, deliveriesUrl(id, '?status=dropped&limit=2'))
          assert.deepEqual(paged, [dropped.slice(0, 2), dropped.slice(2)])
          assert.deepEqual((await walk(harness, key, deliveriesUrl(id))).flat(), ids)
          const { body } = await harness.get(key, deliveriesUrl(id))
          assert.deepEqual(
            body.map((item: { status: string }) => item.status),
            ids.map((_, place) => (place % 2 === 0 ? 'dropped' : 'delivered')),
          )
        }),
      ({ json }) => (json.data.amount % 2 === 1 ? 500 : 202),
    )
  })

  test(`an attempt under way is pending, with the time when it was due and not the end of its lease (${engine})`, async () => {
    const arrived = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<Reaction>()
    const receiver = await openTestReceiver(() => {
      arrived.resolve()
      return answer.promise
    })
    try {
      await withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id } = await register(harness, key, receiver.url)
        await sendTest(harness, key, id)
        await arrived.promise
        harness.clock.advance(2_000)
        const [under] = (await harness.get(key, deliveriesUrl(id))).body
        assert.deepEqual([under.status, under.attempts], ['pending', []])
        assert.equal(under.created_at, '2026-03-01T12:00:00.000Z')
        assert.deepEqual(under.next_attempt, { attempt: 1, due_at: under.created_at })
        answer.resolve(204)
        await harness.deliver()
        const [over] = (await harness.get(key, deliveriesUrl(id))).body
        assert.deepEqual([over.status, over.next_attempt], ['delivered', null])
        assert.deepEqual(
          over.attempts.map((one: { status_code: number; outcome: string }) => [
            one.status_code,
            one.outcome,
          ]),
          [[204, 'delivered']],
        )
      })
    } finally {
      await receiver.close()
    }
  })
}

test('an attempt without an answer says why: nobody listens, or the address is not allowed any more', async () => {
  const receiver = await openTestReceiver()
  await withHarness({ settings: trial }, async (harness) => {
    const { key } = await harness.issue()
    const { webhook_id: id } = await register(harness, key, receiver.url)
    await receiver.close()
    await sendTest(harness, key, id)
    await harness.deliver()
    const { databaseUrl, clock } = harness
    const strict = await assemble(databaseUrl, clock, { settings: { FAIRWAY_LIMIT_KEYED: '1000/60' } })
    try {
      clock.advance(60_000)
      await strict.deliver()
      const [item] = (await strict.get(key, deliveriesUrl(id))).body
      assert.deepEqual(
        item.attempts.map((one: Record<string, unknown>) => [
          one['status_code'],
          one['outcome'],
          one['error'],
        ]),
        [
          [null, 'failed', 'connection_failed'],
          [null, 'failed', 'address_refused'],
        ],
      )
    } finally {
      await strict.close()
    }
  })
})

test('400: a query that cannot be meant is refused with its path', async () => {
  const cursorOf = (text: string): string => `cursor=${Buffer.from(text).toString('base64url')}`
  const cases: readonly (readonly [string, string])[] = [
    ['limit=0', '/limit'],
    ['limit=501', '/limit'],
    ['limit=-1', '/limit'],
    ['limit=ten', '/limit'],
    ['limit=1.5', '/limit'],
    ['limit=', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['status=delivered', '/status'],
    ['status=DROPPED', '/status'],
    ['status=', '/status'],
    ['cursor=', '/cursor'],
    ['cursor=nonsense', '/cursor'],
    ['cursor=%00', '/cursor'],
    [cursorOf('evt_'), '/cursor'],
    [cursorOf('evt_0123456789012345678901234\u0000'), '/cursor'],
    [cursorOf('SVC-2026-01M7EK86879492MKK2679NV0E3'), '/cursor'],
    [`cursor=${'x'.repeat(129)}`, '/cursor'],
    ['any=thing', '/any'],
    ['limit=1&page=2', '/page'],
    ['Status=dropped', '/Status'],
  ]
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { webhook_id: id } = await register(harness, key, publicUrl)
    for (const [query, path] of cases) {
      const answer = await harness.get(key, deliveriesUrl(id, `?${query}`))
      assert.equal(answer.status, 400, query)
      assert.equal(answer.body.errors[0].path, path, query)
    }
    for (const limit of [1, 500]) {
      assert.equal((await harness.get(key, deliveriesUrl(id, `?limit=${limit}`))).status, 200)
    }
  })
})

/** GET and DELETE of /api/v1/webhooks: an owner's endpoints, to that owner alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { rotateKey } from '../../../src/app/access/keys.ts'
import { engines } from '../../helpers/database/databases.ts'
import { assemble, withHarness } from '../../helpers/harness.ts'
import { openTestReceiver, withReceiver } from '../../helpers/peers/receiver.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import {
  idleHealth,
  anonymous,
  another,
  ask,
  publicUrl,
  register,
  trial,
  webhooksUrl,
} from '../../helpers/webhooks.ts'

test('400: the list has no parameters, so one that is given is refused', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const name of ['page', 'limit', 'cursor', 'status']) {
      const { status, body } = await harness.get(key, `${webhooksUrl}?${name}=2`)
      assert.deepEqual([status, body.errors[0].path], [400, `/${name}`])
    }
  })
})

for (const engine of engines) {
  test(`a list holds the owner's own endpoints, oldest first, also after a restart (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const stranger = await harness.issue()
      assert.deepEqual((await harness.get(key, webhooksUrl)).body, [])
      const made: string[] = []
      for (const description of ['first', 'second', 'third']) {
        made.push((await register(harness, key, `${publicUrl}/${description}`, { description })).webhook_id)
        harness.clock.advance(1_000)
      }
      await register(harness, stranger.key, publicUrl)
      const list = await harness.get(key, webhooksUrl)
      const expected = ['first', 'second', 'third'].map((description, place) => ({
        webhook_id: made[place],
        url: `${publicUrl}/${description}`,
        events: ['payment.decision.created', 'payment.override.created'],
        description,
        status: 'active',
        suspended_at: null,
        failing_since: null,
        created_at: `2026-03-01T12:00:0${place}.000Z`,
        health: idleHealth,
      }))
      assert.deepEqual(list.body, expected)
      const restarted = await assemble(harness.databaseUrl, harness.clock, { engine })
      try {
        assert.deepEqual((await restarted.get(key, webhooksUrl)).body, expected)
        for (const one of expected) {
          assert.deepEqual((await restarted.get(key, `${webhooksUrl}/${one.webhook_id}`)).body, one)
        }
      } finally {
        await restarted.close()
      }
    })
  })

  test(`404: a foreign, removed, unknown or malformed id gets one and the same body everywhere (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const stranger = await harness.issue()
      const { webhook_id: foreign } = await register(harness, stranger.key, publicUrl)
      const { webhook_id: own } = await register(harness, key, publicUrl)
      const { webhook_id: removed } = await register(harness, key, another(publicUrl))
      await ask(harness, key, 'DELETE', `${webhooksUrl}/${removed}`)
      const malformed = ['0', '%20', '%ff%fe', '%zz', '..%2f', encodeURIComponent("' OR 1=1 --")]
      const ids = [foreign, removed, 'whk_0123456789abcdef', own.toUpperCase(), `${own}x`, ...malformed]
      ids.push('x'.repeat(5_000), encodeURIComponent('\u{1f980}'), '%00', `${own}%00`)
      const routes = [
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/deliveries'],
        ['POST', '/test'],
        ['POST', '/rotate-secret'],
      ] as const
      const seen = new Set<string>()
      for (const id of ids) {
        for (const [method, rest] of routes) {
          const answer = await ask(harness, key, method, `${webhooksUrl}/${id}${rest}`)
          assert.equal(answer.status, 404, `${method} ${id}${rest}: ${answer.text}`)
          seen.add(anonymous(answer))
        }
      }
      assert.equal(seen.size, 1, [...seen].join('\n'))
      const kept = await harness.get(stranger.key, `${webhooksUrl}/${foreign}`)
      assert.equal(kept.status, 200, 'what was tried did nothing to it')
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT * FROM webhook_deliveries')).length, 0)
    })
  })

  test(`a removed endpoint is gone at once and gets nothing more, not even what waited for it (${engine})`, async () => {
    let status = 500
    const receiver = await openTestReceiver(() => status)
    try {
      await withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: gone } = await register(harness, key, receiver.url, { description: 'gone' })
        const { webhook_id: kept } = await register(harness, key, another(receiver.url))
        await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
        await harness.deliver()
        assert.equal(receiver.requests.length, 2, 'both were tried, and both refused')
        const removed = await ask(harness, key, 'DELETE', `${webhooksUrl}/${gone}`)
        assert.equal(removed.status, 200)
        assert.deepEqual(removed.body, { webhook_id: gone, status: 'deleted' })
        assert.equal((await ask(harness, key, 'DELETE', `${webhooksUrl}/${gone}`)).status, 404)
        assert.equal((await harness.get(key, `${webhooksUrl}/${gone}`)).status, 404)
        const list = (await harness.get(key, webhooksUrl)).body as { webhook_id: string }[]
        assert.deepEqual(
          list.map(({ webhook_id: id }) => id),
          [kept],
        )
        status = 204
        harness.clock.advance(60_000)
        await harness.verify(key, { corridor: 'GB-NG', amount: 6 })
        await harness.deliver()
        assert.equal(receiver.requests.length, 4, 'the retry and the new event of the other one alone')
        const secrets = await rowsOf(harness.databaseUrl, 'SELECT secrets FROM webhooks WHERE place IS NULL')
        assert.deepEqual(
          secrets.map((row) => row['secrets']),
          ['[]'],
        )
      })
    } finally {
      await receiver.close()
    }
  })
}

test('the owner keeps its endpoints, and their events, when its key is rotated', async () => {
  await withReceiver((receiver) =>
    withHarness({ settings: trial }, async (harness) => {
      const first = await harness.issue()
      const { webhook_id: id } = await register(harness, first.key, receiver.url)
      const deps = { keys: harness.store.keys, clock: harness.clock, random: systemRandom }
      const rotated = await rotateKey(deps, first.record.keyId, 0)
      assert.equal(rotated.kind, 'rotated')
      const key = rotated.kind === 'rotated' ? rotated.issued.key : ''
      assert.equal((await harness.get(key, `${webhooksUrl}/${id}`)).status, 200)
      const { body } = await harness.verify(key, { corridor: 'GB-NG' })
      await harness.deliver()
      assert.deepEqual(
        receiver.requests.map(({ json }) => json.data.request_id),
        [body.request_id],
      )
    }),
  )
})

test('an empty JSON body, or none, is as good where none is needed', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const payload of [undefined, '', '{}', '{"any":"thing"}']) {
      const { webhook_id: id } = await register(harness, key, publicUrl)
      const answer = await harness.send({
        method: 'DELETE',
        url: `${webhooksUrl}/${id}`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(payload === undefined ? {} : { payload }),
      })
      assert.equal(answer.status, 200, answer.text)
    }
  })
})

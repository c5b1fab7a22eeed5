/** The recipe for a Python worker: it sends what Fairway allows, once, and everything else waits, is refused, or goes to a person. */

import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { PayoutQueues, type Settings } from '../../helpers/payout-queue.ts'
import { refused, withScript, type Scripted } from '../../helpers/peers/scripted.ts'
import { nowhere } from '../../helpers/process/user.ts'

let queues: PayoutQueues

before(async () => {
  queues = await PayoutQueues.open()
})

after(() => queues.close())

test('GO with PROCEED is sent with the values that were asked about, and nothing else is sent', () =>
  queues.withQueue(async ({ add, run, states, row, sent, client }) => {
    add({
      'p-1': '250.50',
      'p-2': '1000.01',
      'p-3': '1000.07',
      'p-4': '60000',
      'p-5': '1000.08',
      'p-6': '1000.09',
      'p-7': '1000',
    })
    const { code, stdout } = await run()
    assert.equal(code, 0)
    assert.deepEqual(sent(), ['p-1 250.50 GBP to Ada', 'p-7 1000 GBP to Ada'])
    assert.deepEqual(states(), {
      'p-1': 'sent',
      'p-2': 'review',
      'p-3': 'review',
      'p-4': 'review',
      'p-5': 'refused',
      'p-6': 'waiting',
      'p-7': 'sent',
    })
    const notes = ['p-2', 'p-3', 'p-4', 'p-5'].map((id) => row(id).note)
    assert.deepEqual(notes, ['DEGRADED BLOCK', 'GO CONFIRM_PAYEE', 'DEGRADED MANUAL_APPROVAL', 'NO-GO BLOCK'])
    const id = row('p-1').request_id ?? ''
    assert.match(stdout, new RegExp(`^p-1: sent: ${id}$`, 'm'))
    const { decision, amount, currency, corridor, correlation_id } = await client.audit(id)
    assert.deepEqual(
      [decision, amount, currency, corridor, correlation_id],
      ['GO', 250.5, 'GBP', 'GB-NG', 'p-1'],
    )
    await run()
    assert.equal(sent().length, 2, 'a second run sends nothing again')
  }))

test('warnings of an answer are named on standard error', () =>
  queues.withQueue(async ({ add, run, states, db }) => {
    add({ 'p-1': '1000' })
    db.exec("UPDATE payouts SET corridor = 'GB-QQ'")
    const { stderr } = await run()
    assert.equal(stderr, 'p-1: warning: ISO 3166 has not assigned the country code QQ.\n')
    assert.deepEqual(states(), { 'p-1': 'review' })
  }))

test('a hold and a rate limit wait as long as Fairway says, and are asked about again with the same key', () =>
  queues.withQueue(async ({ add, run, row, sent, pass }) => {
    add({ 'p-1': '1000' })
    const wait = { 'retry-after': '1000000' }
    const script = [refused(503, 'SIGNALS_UNAVAILABLE', wait), refused(429, 'RATE_LIMITED', wait)]
    await withScript(script, async ({ url, asked }) => {
      for (const [count, note] of ['SIGNALS_UNAVAILABLE it is.', 'RATE_LIMITED it is.'].entries()) {
        await run({ FAIRWAY_URL: url })
        assert.deepEqual([row('p-1').state, row('p-1').note], ['waiting', note])
        assert.ok(row('p-1').not_before > Date.now() / 1000 + 500_000)
        await run({ FAIRWAY_URL: url })
        assert.equal(asked.length, count + 1, 'it is not asked about before its time')
        pass()
      }
      assert.deepEqual(new Set(asked.map(({ json }) => json.idempotency_key)), new Set(['p-1/1']))
    })
    assert.deepEqual(sent(), [])
    await run()
    assert.deepEqual(sent(), ['p-1 1000 GBP to Ada'])
  }))

test('a hold without a time to wait is not asked about in a loop', () =>
  queues.withQueue(async ({ add, run, states }) => {
    add({ 'p-1': '1000' })
    await withScript([refused(503, 'OVERLOADED', { 'retry-after': '0' })], async ({ url, asked }) => {
      await run({ FAIRWAY_URL: url })
      assert.deepEqual([asked.length, states()], [1, { 'p-1': 'waiting' }])
    })
  }))

test('without an answer every payout waits, after one question, and is sent once there is one', () =>
  queues.withQueue(async ({ add, run, states, sent, pass, db }) => {
    add({ 'p-1': '1000', 'p-2': '2000' })
    const waiting = { 'p-1': 'waiting', 'p-2': 'waiting' }
    const { code } = await run({ FAIRWAY_URL: await nowhere() })
    assert.deepEqual([code, states()], [0, waiting])
    const none: Scripted[] = [
      'drop',
      'half',
      refused(500, 'INTERNAL_ERROR'),
      refused(408, 'REQUEST_TIMEOUT'),
      { status: 502, text: '<p>a proxy</p>' },
      { status: 400, text: '<p>a proxy</p>' },
      { status: 404, text: 'another service' },
      { status: 301, headers: { location: 'http://127.0.0.1:1/' } },
      { status: 200, text: '<p>a proxy</p>' },
      { status: 200, body: { decision: 'MAYBE' } },
    ]
    for (const one of none) {
      pass()
      await withScript([one], async ({ url, asked }) => {
        const { code: end, stderr } = await run({ FAIRWAY_URL: url })
        assert.deepEqual([end, asked.length, states()], [0, 1, waiting], stderr)
      })
    }
    const order = db.prepare('SELECT id FROM payouts ORDER BY not_before').all()
    assert.deepEqual(
      order.map(({ id }) => id),
      ['p-2', 'p-1'],
      'the one without an answer comes last',
    )
    pass()
    await run()
    assert.deepEqual(sent(), ['p-1 1000 GBP to Ada', 'p-2 2000 GBP to Ada'])
  }))

test('a key that is not accepted ends the worker, nothing is sent, and the payouts stay due', () =>
  queues.withQueue(async ({ add, run, states, sent }) => {
    add({ 'p-1': '1000', 'p-2': '1000' })
    const check = async (settings: Settings): Promise<void> => {
      const { code, stderr } = await run(settings)
      assert.equal(code, 1)
      assert.match(stderr, /^Fairway does not accept the API key: nothing more is sent$/m)
      assert.deepEqual([states(), sent()], [{ 'p-1': 'waiting', 'p-2': 'waiting' }, []])
    }
    const key = `pk_test_${'a'.repeat(32)}`
    await check({ FAIRWAY_API_KEY: key })
    await withScript([refused(403, 'FORBIDDEN')], async ({ url, asked }) => {
      await check({ FAIRWAY_URL: url })
      assert.equal(asked.length, 1)
    })
    await run()
    assert.deepEqual(states(), { 'p-1': 'sent', 'p-2': 'sent' })
  }))

test('without a usable key, address or queue it ends with a message, and makes no queue', () =>
  queues.withQueue(async ({ folder, start, run, add, sent }) => {
    add({ 'p-1': '1000' })
    const cases = [
      [{ FAIRWAY_API_KEY: '' }, /api_key must be the key exactly as issued/],
      [{ FAIRWAY_API_KEY: 'pk_test_with\nline' }, /api_key must be the key exactly as issued/],
      [{ FAIRWAY_URL: '127.0.0.1:8080' }, /base_url must be a complete URL/],
    ] as const
    for (const [settings, message] of cases) {
      const { code, stderr } = await run(settings)
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.ok(!/Traceback|with\nline/.test(stderr))
    }
    const absent = await start({}, 'payout_worker.py', ['absent.db', '--once']).ended
    assert.deepEqual([absent.code, absent.stderr], [1, 'absent.db: unable to open database file\n'])
    assert.ok(!existsSync(join(folder, 'absent.db')))
    const withoutKey = 'import os, payout_worker\ndel os.environ["FAIRWAY_API_KEY"]\npayout_worker.main()\n'
    writeFileSync(join(folder, 'without_key.py'), withoutKey)
    const { code, stderr } = await run({}, 'without_key.py')
    assert.deepEqual([code, stderr], [1, 'Set FAIRWAY_API_KEY to a key with the scope decision:read\n'])
    assert.deepEqual(sent(), [])
  }))

test('a row that is no payout is refused with the reason, and the next one is sent', () =>
  queues.withQueue(async ({ db, add, run, states, row, sent, decided }) => {
    const insert = db.prepare(
      "INSERT INTO payouts (id, corridor, amount, currency, payee) VALUES (?, ?, ?, ?, 'x')",
    )
    const bad: [string, string, string | Uint8Array, string, RegExp][] = [
      ['p-1', 'GB-NG', 'a thousand', 'GBP', /amount is not a number/],
      ['p-2', 'GB-NG', '12,50', 'GBP', /amount is not a number/],
      ['p-3', 'GB-NG', '', 'GBP', /amount is not a number/],
      ['p-4', 'GB-NG', 'NaN', 'GBP', /amount is not a number/],
      ['p-5', 'GB-NG', '1e400', 'GBP', /cannot be sent/],
      ['p-6', 'GB-NG', '0.12345678901234567', 'GBP', /cannot be sent exactly/],
      ['p-7', 'GB-NG', new Uint8Array([49]), 'GBP', /./],
      ['p-8', 'GB-NG', '-1', 'GBP', /not above 0/],
      ['p-9', 'GB-NG', '0.00', 'GBP', /not above 0/],
      ['p-10', 'Britain to Nigeria', '1000', 'GBP', /corridor/],
      ['p-11', 'GB-NG', '1000', 'XXQ', /currency/],
      ['p-12\n', 'GB-NG', '1000', 'GBP', /idempotency key/],
      ['p-13-ü', 'GB-NG', '1000', 'GBP', /idempotency key/],
      ['p'.repeat(300), 'GB-NG', '1000', 'GBP', /idempotency key/],
    ]
    for (const [id, corridor, amount, currency] of bad) insert.run(id, corridor, amount, currency)
    add({ good: '1000' })
    const { code, stderr } = await run()
    assert.equal(code, 0, stderr)
    for (const [id, , , , note] of bad) {
      assert.equal(row(id).state, 'refused', id)
      assert.match(row(id).note ?? '', note)
    }
    assert.equal(states()['good'], 'sent')
    assert.deepEqual([sent(), await decided()], [['good 1000 GBP to Ada'], [1000]])
  }))

test('a payout that was changed after the question goes to a person; in a new round it is sent', () =>
  queues.withQueue(async ({ db, client, add, run, row, sent }) => {
    add({ 'p-1': '1000' })
    await client.verify({ corridor: 'GB-NG', amount: 10, currency: 'GBP' }, { idempotencyKey: 'p-1/1' })
    await run()
    assert.deepEqual([row('p-1').state, sent()], ['review', []])
    db.exec("UPDATE payouts SET state = 'waiting', round = round + 1")
    await run()
    assert.deepEqual([row('p-1').state, sent()], ['sent', ['p-1 1000 GBP to Ada']])
  }))

test('a GO that has expired is not sent: Fairway decides anew', () =>
  queues.withQueue(async ({ client, add, run, row, sent, pass, decided }) => {
    add({ 'p-1': '1000' })
    const body = { corridor: 'GB-NG', amount: 1000, currency: 'GBP', correlation_id: 'p-1' }
    const asked = await client.verify(body, { idempotencyKey: 'p-1/1' })
    assert.ok(!asked.held)
    const { valid_until: _validUntil, ...endless } = asked
    for (const late of [{ ...asked, valid_until: '2026-01-01T00:00:00.000Z' }, endless])
      await withScript([{ status: 200, body: late }], async ({ url }) => {
        const { code, stderr } = await run({ FAIRWAY_URL: url })
        assert.equal(code, 0, stderr)
        assert.deepEqual([row('p-1').state, row('p-1').note], ['waiting', 'the decision has expired'])
        pass()
      })
    assert.deepEqual(sent(), [])
    await run()
    assert.deepEqual([sent(), await decided()], [['p-1 1000 GBP to Ada'], [1000, 1000]])
    assert.deepEqual([row('p-1').round, row('p-1').request_id === asked.request_id], [3, false])
  }))

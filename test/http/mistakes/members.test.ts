/** A mistake in a body is refused or told of, never ignored: every payment is decided as its caller meant it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstRepeated, membersIn } from '../../../src/core/reference/repeated-members.ts'
import { check } from '../../helpers/check.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { degraded, goodOverride, publicUrl } from '../../helpers/webhooks.ts'

async function storedBy(harness: Harness, key: string): Promise<number> {
  return ((await harness.get(key, '/api/verifications')).body as unknown[]).length
}

test('a member that differs from a known one only in case, hyphens or underscores is refused, and names the right one', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const misspelt: [string, string, unknown][] = [
      ['Amount', 'amount', 600_000],
      ['AMOUNT', 'amount', 600_000],
      ['idempotencyKey', 'idempotency_key', 'k'],
      ['idempotency-key', 'idempotency_key', 'k'],
      ['Currency', 'currency', 'NGN'],
      ['correlationId', 'correlation_id', 'order 7'],
      ['correlationid', 'correlation_id', 'order 7'],
    ]
    for (const [name, known, value] of misspelt) {
      const { status, body } = await harness.verify(key, { corridor: 'GB-NG', [name]: value })
      assert.equal(status, 400, name)
      assert.deepEqual(body.errors, [
        { path: `/${name}`, message: `is not a member of the request; use ${known}` },
      ])
    }
    const both = await harness.verify(key, { Corridor: 'GB-NG', amount: -1 })
    assert.deepEqual(
      both.body.errors.map(({ path }: { path: string }) => path),
      ['/Corridor', '/corridor', '/amount'],
    )
    assert.equal(await storedBy(harness, key), 0)
  })
})

test('every other endpoint with a body refuses a misspelt member and tells of an unknown one', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const overridden = await degraded(harness, key)
    const decided = await degraded(harness, key)
    const requests: [string, Record<string, unknown>, string][] = [
      ['/api/v1/demo-verify', { amount: 5 }, 'Currency'],
      ['/api/v1/demo-compare', { payment: { amount: 5 } }, 'Profiles'],
      ['/api/v1/replay', { corridor: 'GB-NG' }, 'occurredAt'],
      ['/api/v1/decision/compare', { corridor: 'GB-NG', partners: ['a', 'b'] }, 'Amount'],
      ['/api/v1/webhooks', { url: publicUrl }, 'Events'],
      ['/api/v1/override', { request_id: overridden, ...goodOverride }, 'reasonCode'],
      [`/api/v1/decision/${decided}/outcome`, { outcome: 'COMPLETED' }, 'occurredAt'],
      ['/api/v1/batch-assess', { transactions: [{ corridor: 'GB-NG' }] }, 'reportName'],
    ]
    for (const [url, body, misspelt] of requests) {
      const refused = await post(harness, url, { ...body, [misspelt]: 'x' }, { key })
      assert.equal(refused.status, 400, `${url}: ${refused.text}`)
      assert.equal(refused.body.errors[0].path, `/${misspelt}`, url)
      const told = await post(harness, url, { ...body, colour: 'red' }, { key })
      assert.equal(told.status, 200, `${url}: ${told.text}`)
      assert.match(JSON.stringify(told.body.warnings), /colour/, url)
      const plain = await post(
        harness,
        url,
        { ...body, ...(url.endsWith('webhooks') ? { url: `${publicUrl}/2` } : {}) },
        { key },
      )
      assert.equal(plain.body.warnings?.length ?? 0, 0, url)
    }
  })
})

test('a nested member is held to the same: the payment of demo-compare, and the rows of a batch', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const compare = await post(harness, '/api/v1/demo-compare', { payment: { Amount: 5, colour: 'red' } })
    assert.equal(compare.status, 400)
    assert.deepEqual(compare.body.errors, [
      { path: '/payment/Amount', message: 'is not a member of the request; use amount' },
    ])
    const rows = [{ corridor: 'GB-NG' }, { corridor: 'GB-NG', Amount: 5 }, { corridor: 'GB-NG', rail: null }]
    const batch = await post(harness, '/api/v1/batch-assess', { transactions: rows }, { key })
    assert.equal(batch.status, 400)
    assert.deepEqual(
      batch.body.errors.map(({ row, column, message }: Record<string, unknown>) => [row, column, message]),
      [[2, 'amount', 'must be named amount, not Amount']],
    )
    const emptied = await post(
      harness,
      '/api/v1/batch-assess',
      { transactions: [{ corridor: 'GB-NG', rail: null, currency: null }] },
      { key },
    )
    assert.equal(emptied.status, 200, emptied.text)
    const nothing = await post(
      harness,
      '/api/v1/batch-assess',
      { transactions: [{ corridor: 'GB-NG', amount: null }] },
      { key },
    )
    assert.equal(nothing.status, 400)
  })
})

test('any other unknown member is ignored and named in the answer, in its replay and nowhere else', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const body = { corridor: 'GB-NG', amount: 5, memo: 'rent', 'x/y~': 1, idempotency_key: 'once' }
    const first = await harness.verify(key, body)
    const message = 'This member is unknown and was ignored.'
    assert.deepEqual(first.body.warnings, [
      { code: 'UNKNOWN_MEMBER', message, path: '/memo' },
      { code: 'UNKNOWN_MEMBER', message, path: '/x~1y~0' },
    ])
    const again = await harness.verify(key, body)
    assert.equal(again.body.idempotency_hit, true)
    assert.deepEqual(again.body.warnings, first.body.warnings)
    const plain = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    assert.ok(!('warnings' in plain.body))
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`unknown${place}`, place]))
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', ...many })).body.warnings.length, 21)
  })
})

test('a repeat during a cooldown has its own amount, currency and warnings', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const source = await harness.verify(key, { corridor: 'GB-NG', amount: 1.08, memo: 'rent' })
    assert.equal(source.body.decision, 'NO-GO')
    assert.deepEqual([source.body.amount, source.body.request_currency], [1.08, 'GBP'])
    const repeat = await harness.verify(key, { corridor: 'GB-NG', amount: 7, currency: 'ngn' })
    assert.equal(repeat.body.cooldown.source_request_id, source.body.request_id)
    assert.deepEqual([repeat.body.amount, repeat.body.request_currency], [7, 'NGN'])
    assert.ok(!('warnings' in repeat.body))
    assert.equal((await harness.verify(key, { corridor: 'NG-GB' })).body.amount, null)
  })
})

test('null is absent, but an amount of null is refused', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { status, body } = await harness.verify(key, {
      corridor: 'GB-NG',
      amount: 5,
      currency: null,
      correlation_id: null,
      idempotency_key: null,
    })
    assert.equal(status, 200)
    assert.deepEqual(
      [body.request_currency, body.correlation_id, body.warnings],
      ['GBP', undefined, undefined],
    )
    const nothing = await harness.verify(key, { corridor: 'GB-NG', amount: null })
    assert.deepEqual(
      [nothing.status, nothing.body.errors],
      [400, [{ path: '/amount', message: 'must be a number' }]],
    )
    const without = await harness.verify(key, { corridor: null })
    assert.deepEqual(without.body.errors, [{ path: '/corridor', message: 'is required' }])
    assert.equal(await storedBy(harness, key), 1)
  })
})

test('the fingerprint is that of the body as sent', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const body = { corridor: 'GB-NG', amount: 5, currency: null, idempotency_key: 'k' }
    assert.equal((await harness.verify(key, body)).status, 200)
    assert.equal((await harness.verify(key, body)).body.idempotency_hit, true)
    const { currency: _left, ...without } = body
    assert.equal((await harness.verify(key, without)).status, 409)
  })
})

test('a currency is taken in any case, and written in upper case', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const currency of ['gbp', 'Gbp', 'GBP']) {
      const { status, body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5, currency })
      assert.deepEqual([status, body.request_currency], [200, 'GBP'])
      assert.equal((await harness.get(key, `/api/v1/audit/${body.request_id}`)).body.currency, 'GBP')
    }
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', currency: 'gbx' })).status, 400)
  })
})

test('a member given twice is refused, wherever it is', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const cases: [string, string][] = [
      ['{"corridor":"GB-NG","amount":600000,"amount":1}', '/amount'],
      ['{"corridor":"GB-NG", "amount" : 1 ,\n"am\\u006funt":600000}', '/amount'],
      ['{"corridor":"GB-NG","memo":{"a":[1,{"b":1,"b":2}]}}', '/memo/a/1/b'],
      ['{"corridor":"GB-NG","":1,"":2}', '/'],
    ]
    for (const [text, path] of cases) {
      const { status, body } = await harness.verify(key, text)
      assert.deepEqual(
        [status, body.errors],
        [400, [{ path, message: 'is given twice; send it once' }]],
        text,
      )
    }
    const fine = await harness.verify(
      key,
      '{"corridor":"GB-NG","memo":{"corridor":"a:b\\":{"},"more":{"corridor":1}}',
    )
    assert.equal(fine.status, 200, fine.text)
    assert.equal(await storedBy(harness, key), 1)
  })
})

const objects = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, member) => sum + objects(member), own)
}

test('any JSON has as many members as its objects, and none of them twice', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (value, space) => {
      const text = JSON.stringify(value, null, space)
      const kept: unknown = JSON.parse(text)
      assert.equal(membersIn(Buffer.from(text)), objects(kept))
      assert.equal(firstRepeated(text), '')
    }),
    { numRuns: 1_000 },
  )
})

test('a second member of any name is found in any object', () => {
  const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 6 })
  fc.assert(
    fc.property(anyObject, fc.nat(), (object, at) => {
      const names = Object.keys(object).filter((name) => name !== '__proto__')
      if (names.length === 0) return
      const name = names[at % names.length] ?? ''
      const text = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:0}`
      assert.ok(membersIn(Buffer.from(text)) > objects(JSON.parse(text)))
      assert.notEqual(firstRepeated(text), '')
    }),
    { numRuns: 500 },
  )
})

test('the first member given twice is named by its path', () => {
  check<string, string>(
    [
      ['{}', ''],
      ['[{"a":1},{"a":1}]', ''],
      ['{"a":1,"b":{"a":1}}', ''],
      ['{"a":1,"a":1}', '/a'],
      ['[0,{"a/b":[{"c":1,"c":2}]}]', '/1/a~1b/0/c'],
      ['{"a\\"b":1,"a\\"b":1}', '/a"b'],
    ],
    firstRepeated,
  )
})

test('a list refuses a parameter that it does not know, and says which', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const webhook = await post(harness, '/api/v1/webhooks', { url: publicUrl }, { key })
    const lists = [
      '/api/verifications',
      '/api/v1/verifications/summary',
      '/api/v1/webhooks',
      `/api/v1/webhooks/${webhook.body.webhook_id}/deliveries`,
    ]
    for (const list of lists) {
      assert.equal((await harness.get(key, list)).status, 200, list)
      for (const parameter of ['page', 'offset']) {
        const { status, body } = await harness.get(key, `${list}?${parameter}=2`)
        assert.equal(status, 400, list)
        assert.deepEqual(body.errors, [
          { path: `/${parameter}`, message: 'is not a parameter of this list; see the API reference' },
        ])
      }
    }
  })
})

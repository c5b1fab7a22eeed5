/** A misspelt amount is never a GO: a member that is likely a misspelling of a known one is refused, wherever it is. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { post, postCsv } from '../../helpers/post.ts'
import { degraded, goodOverride, publicUrl } from '../../helpers/webhooks.ts'

const pathsOf = ({ body }: Answer): string[] => body.errors.map(({ path }: { path: string }) => path)
const messageOf = ({ body }: Answer): string => body.errors[0].message

const misspelt: readonly (readonly [name: string, known: string, value: unknown])[] = [
  ['ammount', 'amount', 600_000],
  ['amout', 'amount', 600_000],
  ['amoumt', 'amount', 600_000],
  ['amuont', 'amount', 600_000],
  ['Ammount', 'amount', 600_000],
  ['amounts', 'amount', 600_000],
  ['value', 'amount', 600_000],
  ['amt', 'amount', 600_000],
  ['amnt', 'amount', 600_000],
  ['total', 'amount', 600_000],
  ['sum', 'amount', 600_000],
  ['amount_minor', 'amount', 60_000_000],
  ['amountMinor', 'amount', 60_000_000],
  ['curency', 'currency', 'NGN'],
  ['curenccy', 'currency', 'NGN'],
  ['ccy', 'currency', 'NGN'],
  ['currency_code', 'currency', 'NGN'],
]

for (const engine of engines) {
  test(`a misspelt amount or currency is 400, names the right one and leaves no record (${engine})`, () =>
    withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const live = await harness.issue({ prefix: 'pk_live_' })
      for (const [name, known, value] of misspelt) {
        const message = `is not a member of the request; use ${known}`
        for (const caller of [key, live.key]) {
          const { status, body } = await harness.verify(caller, { corridor: 'GB-NG', [name]: value })
          assert.deepEqual([status, body.errors], [400, [{ path: `/${name}`, message }]], name)
        }
      }
      const stored = await harness.get(key, '/api/verifications')
      assert.deepEqual(stored.body, [])
    }))
}

test('the other members of a payment are held to the same', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const names: readonly (readonly [name: string, known: string])[] = [
      ['idempotency_kye', 'idempotency_key'],
      ['idempotencykeys', 'idempotency_key'],
      ['idempotncyKey', 'idempotency_key'],
      ['corelation_id', 'correlation_id'],
      ['corelation_ids', 'correlation_id'],
    ]
    for (const [name, known] of names) {
      const answer = await harness.verify(key, { corridor: 'GB-NG', amount: 5, [name]: 'order 7' })
      assert.deepEqual([answer.status, pathsOf(answer)], [400, [`/${name}`]], name)
      assert.equal(messageOf(answer), `is not a member of the request; use ${known}`)
    }
    const corridor = await harness.verify(key, { coridor: 'GB-NG' })
    assert.deepEqual(pathsOf(corridor), ['/coridor', '/corridor'])
  }))

test('another name for a member that is given is ignored with a warning, and so is any other unknown member', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const body = {
      corridor: 'GB-NG',
      amount: 5,
      currency: 'GBP',
      total: 600_000,
      ccy: 'NGN',
      customer_id: 'c-1',
      to_currency: 'NGN',
      idempotency_key: 'once',
    }
    const { status, body: answer } = await harness.verify(key, body)
    assert.deepEqual([status, answer.decision], [200, 'GO'])
    assert.deepEqual(
      answer.warnings.map(({ code, path }: Record<string, string>) => [code, path]),
      ['/total', '/ccy', '/customer_id', '/to_currency'].map((path) => ['UNKNOWN_MEMBER', path]),
    )
    // A currency of null counts as absent.
    const absent = await harness.verify(key, { corridor: 'GB-NG', amount: 5, currency: null, ccy: 'NGN' })
    assert.deepEqual([absent.status, pathsOf(absent)], [400, ['/ccy']])
    // The fingerprint is that of the body as sent, with what was ignored.
    assert.equal((await harness.verify(key, body)).body.idempotency_hit, true)
    const { customer_id: _left, ...without } = body
    assert.equal((await harness.verify(key, without)).status, 409)
  }))

async function refusals(harness: Harness, key: string): Promise<[string, Answer, string][]> {
  const overridden = await degraded(harness, key)
  const decided = await degraded(harness, key)
  const requests: readonly (readonly [url: string, body: object, misspelt: string])[] = [
    ['/api/v1/demo-verify', { ammount: 600_000 }, '/ammount'],
    ['/api/v1/demo-verify', { value: 600_000 }, '/value'],
    ['/api/v1/demo-verify', { sender_country: 'GB', destination_cuontry: 'NG' }, '/destination_cuontry'],
    ['/api/v1/demo-compare', { payment: { ammount: 600_000 } }, '/payment/ammount'],
    ['/api/v1/demo-compare', { payment: { total: 600_000 } }, '/payment/total'],
    ['/api/v1/demo-compare', { payment: {}, profile: ['BALANCED'] }, '/profile'],
    ['/api/v1/decision/compare', { corridor: 'GB-NG', partners: ['a', 'b'], ammount: 6 }, '/ammount'],
    ['/api/v1/decision/compare', { corridor: 'GB-NG', partners: ['a', 'b'], ccy: 'NGN' }, '/ccy'],
    ['/api/v1/replay', { corridor: 'GB-NG', amt: 600_000 }, '/amt'],
    ['/api/v1/replay', { corridor: 'GB-NG', actual_outcom: 'FAILED' }, '/actual_outcom'],
    ['/api/v1/batch-assess', { transactions: [{ corridor: 'GB-NG' }], reprot_name: 'x' }, '/reprot_name'],
    ['/api/v1/webhooks', { url: publicUrl, event: ['payment.decision.created'] }, '/event'],
    ['/api/v1/override', { request_id: overridden, ...goodOverride, reason_cod: 'X' }, '/reason_cod'],
    [`/api/v1/decision/${decided}/outcome`, { outcome: 'COMPLETED', ocurred_at: 'x' }, '/ocurred_at'],
  ]
  const answers: [string, Answer, string][] = []
  for (const [url, body, path] of requests) answers.push([url, await post(harness, url, body, { key }), path])
  return answers
}

test('every other body is held to the same', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const [url, answer, path] of await refusals(harness, key)) {
      assert.equal(answer.status, 400, `${url} ${path}: ${answer.text}`)
      assert.equal(pathsOf(answer)[0], path, url)
      assert.match(messageOf(answer), /^is not a member of the request; use [a-z_]+$/, url)
    }
  }))

test('a misspelt parameter is refused, and any other is ignored', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const payment = { corridor: 'GB-NG', amount: 20 }
    const answerTo = (path: string) =>
      path.startsWith('/api/v1/verify') ? post(harness, path, payment, { key }) : harness.get(key, path)
    for (const [path, name, known] of [
      ['/api/v1/verify?Mode=shadow', 'Mode', 'mode'],
      ['/api/v1/verify?moed=shadow', 'moed', 'mode'],
      ['/api/v1/corridors/GB-NG?ammount=600000', 'ammount', 'amount'],
      ['/api/v1/corridors/GB-NG?value=600000', 'value', 'amount'],
      ['/api/v1/audit/checkpoint?form=1', 'form', 'from'],
    ] as const) {
      const { status, body } = await answerTo(path)
      const message = `is not a parameter of the request; use ${known}`
      assert.deepEqual([status, body.errors], [400, [{ path: `/${name}`, message }]], path)
    }
    assert.deepEqual((await harness.get(key, '/api/verifications')).body, [])
    assert.equal((await answerTo('/api/v1/verify?mode=shadow&trace=1')).status, 200)
    assert.equal((await answerTo('/api/v1/corridors/GB-NG?amount=5&value=6')).status, 200)
  }))

test('a misspelt member of a row is a fault of its row, and a misspelt column refuses the file', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const url of ['/api/v1/batch-assess', '/api/v1/batch-reports']) {
      const rows = [
        { corridor: 'GB-NG', amount: 1, customer_id: 'c-1' },
        { corridor: 'GB-NG', ammount: 600_000 },
        { corridor: 'GB-NG', total: 600_000 },
        { corridor: 'GB-NG', amount: 1, total: 600_000 },
      ]
      const json = await post(harness, url, { transactions: rows }, { key })
      assert.equal(json.status, 400, url)
      assert.deepEqual(
        json.body.errors.map(({ row, column, message }: Record<string, unknown>) => [row, column, message]),
        [
          [2, 'amount', 'must be named amount, not ammount'],
          [3, 'amount', 'must be named amount, not total'],
        ],
      )
      const csv = await postCsv(harness, url, 'corridor,ammount,Curency\nGB-NG,600000,GBP\n', { key })
      assert.equal(csv.status, 400)
      assert.equal(
        messageOf(csv),
        'has a column that must be named amount, not ammount, a column that must be named currency, not Curency',
      )
      const value = await postCsv(harness, url, 'corridor,value\nGB-NG,600000\n', { key })
      assert.match(messageOf(value), /must be named amount, not value$/)
    }
    const ignored = await postCsv(
      harness,
      '/api/v1/batch-assess',
      'corridor,amount,value,customer_id\nGB-NG,5,600000,c-1\n',
      { key },
    )
    assert.deepEqual(
      [ignored.status, ignored.body.warnings],
      [200, ['Ignored columns: "value", "customer_id".']],
    )
  }))

test('a misspelt column or member of outcomes is refused', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const id = await degraded(harness, key)
    const csv = await postCsv(harness, '/api/v1/outcomes', `request_id,outcome,patner\n${id},FAILED,p\n`, {
      key,
    })
    assert.equal(csv.status, 400)
    assert.equal(messageOf(csv), 'has a column that must be named partner, not patner')
    const outcomes = [{ request_id: id, outcome: 'FAILED', ocurredAt: '2026-01-01' }]
    const json = await post(harness, '/api/v1/outcomes', { outcomes }, { key })
    assert.deepEqual([json.status, messageOf(json)], [400, 'must be named occurred_at, not ocurredAt'])
  }))

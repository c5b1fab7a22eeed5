/** Addresses of providers: what a payment says goes where it belongs and nowhere else. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { compileTemplate } from '../../../src/adapters/feeds/template.ts'
import type { RouteQuery } from '../../../src/app/ports/feeds.ts'
import { check, corridorOf, currencyOf } from '../../helpers/check.ts'

const payment = (amount: number | null = 1_250.5, corridor = 'GB-NG', currency = 'GBP'): RouteQuery => ({
  corridor: corridorOf(corridor),
  currency: currencyOf(currency),
  amount,
  ownerId: 'owner',
  partner: null,
})

function compiled(text: string) {
  const template = compileTemplate(text)
  return typeof template === 'string' ? assert.fail(`${text} ${template}`) : template
}

const host = 'https://provider.example'

test('places are filled from the payment, in the path and in the query', () => {
  check<[string, RouteQuery], string>(
    [
      [[host, payment()], '/'],
      [[`${host}/risk`, payment()], '/risk'],
      [[`${host}/risk/{corridor}/{currency}`, payment()], '/risk/GB-NG/GBP'],
      [[`${host}/r?c={corridor}&a={amount}&u={currency}`, payment()], '/r?c=GB-NG&a=1250.5&u=GBP'],
      [[`${host}/r?pair={corridor}:{currency}`, payment()], '/r?pair=GB-NG:GBP'],
      [[`${host}/r?a={amount}&b={amount}`, payment(7)], '/r?a=7&b=7'],
      [[`${host}/r?a={amount}`, payment(0)], '/r?a=0'],
      [[`${host}/r?a={amount}`, payment(0.1)], '/r?a=0.1'],
      [[`${host}/r?a={amount}`, payment(1e15)], '/r?a=1000000000000000'],
      [[`${host}/a%20b?x=%7B&y=a+b`, payment()], '/a%20b?x=%7B&y=a+b'],
    ],
    ([text, query]) => compiled(text).render(query),
  )
})

test('without an amount its parameter is left out, and the others stay', () => {
  check<string, string>(
    [
      [`${host}/r?a={amount}`, '/r'],
      [`${host}/r?c={corridor}&a={amount}`, '/r?c=GB-NG'],
      [`${host}/r?a={amount}&c={corridor}`, '/r?c=GB-NG'],
      [`${host}/r?x=1&a={amount}&y=2`, '/r?x=1&y=2'],
      [`${host}/r/{corridor}`, '/r/GB-NG'],
    ],
    (text) => compiled(text).render(payment(null)),
  )
})

test('whatever a place is filled with stays in its place', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    fc.constantFrom('&x=1', '/../', '#', '?', '%', '$&', '{amount}', 'qZamountZq'),
  )
  const template = compiled(`${host}/risk/{corridor}?u={currency}&end=1`)
  fc.assert(
    fc.property(hostile, hostile, (corridor, currency) => {
      const url = new URL(template.render(payment(1, `x${corridor}`, currency)), host)
      assert.deepEqual(
        [...url.searchParams],
        [
          ['u', currency],
          ['end', '1'],
        ],
      )
      assert.equal(decodeURIComponent(url.pathname), `/risk/x${corridor}`)
    }),
  )
})

test('a template tells its origin and the places that it has', () => {
  const { origin, names } = compiled('http://LOCALHOST:9100/a?x={amount}&y={corridor}')
  assert.deepEqual([origin, names], ['http://localhost:9100', ['corridor', 'amount']])
  assert.deepEqual(compiled(`${host}:443/`).origin, host)
  assert.deepEqual(compiled(`${host}/`).names, [])
})

test('what is no address of a provider is refused with a reason', () => {
  const rows: [string, RegExp][] = [
    ['', /must be a URL/],
    ['provider.example/risk', /must be a URL/],
    ['/risk', /must be a URL/],
    ['ftp://provider.example/', /http or https/],
    ['file:///etc/passwd', /http or https/],
    ['https://me:secret@provider.example/', /user or password/],
    ['https://me@provider.example/', /user or password/],
    [`${host}/#part`, /fragment/],
    [`${host}/{amount}`, /\{amount\} only as the complete value of a parameter/],
    [`${host}/?amount=1{amount}`, /\{amount\} only as the complete value/],
    [`${host}/?amount={amount}{currency}`, /\{amount\} only as the complete value/],
    [`${host}/{owner}`, /unknown placeholder \{owner\}: use \{corridor\}, \{amount\}, \{currency\}/],
    [`${host}/{}`, /unknown placeholder \{\}/],
    [`${host}/{corridor`, /brace/],
    [`${host}/corridor}`, /brace/],
    ['https://{corridor}.example/', /path or the query/],
    ['https://{currency}/', /path or the query/],
    ['https://provider.example:{amount}/', /must be a URL/],
    ['{corridor}://provider.example/', /must be|path or the query/],
  ]
  for (const [text, reason] of rows) {
    const template = compileTemplate(text)
    assert.match(typeof template === 'string' ? template : 'taken', reason, text)
  }
})

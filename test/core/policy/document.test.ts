/** The document of a policy: every fault at once with its place, and nothing that is laxer than the contract. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../src/core/policy/document.ts'
import { check } from '../../helpers/check.ts'

type Fault = readonly [path: string, message: string]

function faultsOf(document: unknown): readonly Fault[] {
  const read = readDocument(document)
  return read.kind === 'read' ? [] : read.faults.map(({ path, message }) => [path, message])
}

const rule = { id: 'one', when: 'true', then: 'NO-GO', message: 'Stop.' }
const named = (more: object) => ({ name: 'Named', ...more })
const ruled = (...rules: readonly unknown[]) => named({ rules })
const capped = (caps: unknown) => named({ caps })
const cap = (review: unknown, block: unknown) => ({ review_above: review, block_above: block })

test('a whole document is read as it is', () => {
  const document = {
    name: 'Hard stops',
    require_amount: true,
    caps: { NGN: cap(20_000, 200_000), GBP: cap(0, 0), USD: cap(50_000, 500_000) },
    go_floor: 0.85,
    no_go_below: 0.5,
    rules: [rule, { ...rule, id: 'a-2_b', then: 'DEGRADED' }],
  }
  assert.deepEqual(readDocument(document), { kind: 'read', document })
  assert.deepEqual(faultsOf({ name: 'Nothing but a name' }), [])
  assert.deepEqual(faultsOf({ name: 'Empty', caps: {}, rules: [] }), [])
})

test('a document is an object with a name and no member that is not known', () => {
  const members = 'is not known; the members are name, require_amount, caps, go_floor, no_go_below, rules'
  check<unknown, readonly Fault[]>(
    [
      [null, [['', 'must be a JSON object']]],
      [[], [['', 'must be a JSON object']]],
      ['policy', [['', 'must be a JSON object']]],
      [{}, [['/name', 'is required']]],
      [{ name: '  ' }, [['/name', 'must be a text that is not empty']]],
      [{ name: 5 }, [['/name', 'must be a text that is not empty']]],
      [{ name: 'a\u0000b' }, [['/name', 'must not contain control characters']]],
      [{ name: 'a\ud800b' }, [['/name', 'must not contain control characters']]],
      [{ name: 'n'.repeat(100) }, []],
      [{ name: 'n'.repeat(101) }, [['/name', 'must have at most 100 characters']]],
      [named({ status: 'active' }), [['/status', members]]],
      [named({ 'a/b~c': 1 }), [['/a~1b~0c', members]]],
      [named({ constructor: 1 }), [['/constructor', members]]],
      [named({ require_amount: 'yes' }), [['/require_amount', 'must be true or false']]],
      [named({ require_amount: null }), [['/require_amount', 'must be true or false']]],
    ],
    faultsOf,
  )
})

test('floors are at least as strict as the contract, in whole hundredths', () => {
  const range = (from: number) => `must be from ${from} to 1: a policy is at least as strict as the contract`
  const step = 'must be a multiple of 0.01, as scores are'
  check<object, readonly Fault[]>(
    [
      [{ go_floor: 0.8, no_go_below: 0.48 }, []],
      [{ go_floor: 1, no_go_below: 1 }, []],
      [{ go_floor: 0.79 }, [['/go_floor', range(0.8)]]],
      [{ go_floor: 1.01 }, [['/go_floor', range(0.8)]]],
      [{ no_go_below: 0.47 }, [['/no_go_below', range(0.48)]]],
      [{ go_floor: 0.855 }, [['/go_floor', step]]],
      [{ go_floor: '0.9' }, [['/go_floor', 'must be a number']]],
      [{ go_floor: null }, [['/go_floor', 'must be a number']]],
      [{ go_floor: { toString: 1, valueOf: 2 } }, [['/go_floor', 'must be a number']]],
      [{ no_go_below: 0.81 }, [['/no_go_below', 'must be at most 0.80, which is go_floor']]],
      [{ go_floor: 0.9, no_go_below: 0.91 }, [['/no_go_below', 'must be at most 0.9, which is go_floor']]],
    ],
    (floors) => faultsOf(named(floors)),
  )
  for (let hundredths = 80; hundredths <= 100; hundredths += 1)
    assert.deepEqual(faultsOf(named({ go_floor: hundredths / 100, no_go_below: 0.48 })), [])
})

test('caps are those of currencies, at least as strict as the contract, review before block', () => {
  const range = (to: number) => `must be from 0 to ${to}: a policy is at least as strict as the contract`
  check<unknown, readonly Fault[]>(
    [
      [[], [['/caps', 'must be an object with a member for each currency']]],
      [{ NGN: cap(50_000.01, 500_000) }, [['/caps/NGN/review_above', range(50_000)]]],
      [{ NGN: cap(50_000, 500_000.01) }, [['/caps/NGN/block_above', range(500_000)]]],
      [{ NGN: cap(-1, 1) }, [['/caps/NGN/review_above', range(50_000)]]],
      [{ NGN: cap(300, 200) }, [['/caps/NGN/review_above', 'must be at most block_above']]],
      [{ NGN: { review_above: 1 } }, [['/caps/NGN/block_above', 'is required']]],
      [{ NGN: cap('1', 2) }, [['/caps/NGN/review_above', 'must be a number']]],
      [{ NGN: cap({ toString: 1, valueOf: 2 }, 2) }, [['/caps/NGN/review_above', 'must be a number']]],
      [{ NGN: 5 }, [['/caps/NGN', 'must have review_above and block_above']]],
      [
        { NGN: { ...cap(1, 2), above: 3 } },
        [['/caps/NGN/above', 'is not known; the members are review_above, block_above']],
      ],
      [{ ngn: cap(1, 2) }, [['/caps/ngn', 'must be an ISO 4217 code, like GBP']]],
      [{ XYZ: cap(1, 2) }, [['/caps/XYZ', 'must be an ISO 4217 code, like GBP']]],
      [
        JSON.parse('{"__proto__": 5}'),
        [
          ['/caps/__proto__', 'must be an ISO 4217 code, like GBP'],
          ['/caps/__proto__', 'must have review_above and block_above'],
        ],
      ],
    ],
    (caps) => faultsOf(capped(caps)),
  )
})

test('rules have an id of their own, a verdict that stops, and a message', () => {
  const idRule = 'must have 1 to 64 lower-case letters, digits, hyphens or underscores'
  check<readonly unknown[], readonly Fault[]>(
    [
      [[5], [['/rules/0', 'must be an object']]],
      [[null, rule], [['/rules/0', 'must be an object']]],
      [[rule, rule], [['/rules/1/id', 'is the id of an earlier rule']]],
      [[{ ...rule, id: 'require_amount' }], [['/rules/0/id', 'is reserved']]],
      [[{ ...rule, id: 'i'.repeat(64) }], []],
      [[{ ...rule, id: 'i'.repeat(65) }], [['/rules/0/id', idRule]]],
      [[{ ...rule, id: 'Payee' }], [['/rules/0/id', idRule]]],
      [[{ ...rule, id: '-a' }], [['/rules/0/id', idRule]]],
      [[{ ...rule, id: 'a\n' }], [['/rules/0/id', idRule]]],
      [[{ ...rule, id: 7 }], [['/rules/0/id', idRule]]],
      [[{ ...rule, then: 'GO' }], [['/rules/0/then', 'must be one of DEGRADED, NO-GO']]],
      [[{ ...rule, then: ['NO-GO'] }], [['/rules/0/then', 'must be one of DEGRADED, NO-GO']]],
      [[{ ...rule, message: '' }], [['/rules/0/message', 'must be a text that is not empty']]],
      [[{ ...rule, message: 'm'.repeat(300) }], []],
      [[{ ...rule, message: 'm'.repeat(301) }], [['/rules/0/message', 'must have at most 300 characters']]],
      [[{ ...rule, when: true }], [['/rules/0/when', 'must be an expression']]],
      [[{ ...rule, if: 'true' }], [['/rules/0/if', 'is not known; the members are id, when, then, message']]],
    ],
    (rules) => faultsOf(ruled(...rules)),
  )
  assert.deepEqual(faultsOf(named({ rules: {} })), [['/rules', 'must be a list']])
})

test('all faults are reported at once', () => {
  const document = { rules: [{}], go_floor: 2, caps: { NGN: {} }, more: 1 }
  assert.deepEqual(
    faultsOf(document).map(([path]) => path),
    [
      '/more',
      '/name',
      '/caps/NGN/review_above',
      '/caps/NGN/block_above',
      '/go_floor',
      '/rules/0/id',
      '/rules/0/when',
      '/rules/0/then',
      '/rules/0/message',
    ],
  )
})

/** Documents of policies are read whole: every fault is reported with its place, and only bounded expressions pass. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { compilePolicy } from '../../../src/app/policy/compile.ts'
import type { DocumentFault } from '../../../src/core/policy/document.ts'
import { canonicalJson } from '../../../src/core/reference/canonical-json.ts'
import { check } from '../../helpers/check.ts'

type Place = readonly [path: string, message: string, position?: number]

const placeOf = ({ path, message, position }: DocumentFault): Place =>
  position === undefined ? [path, message] : [path, message, position]

function faultsOf(document: unknown): Place[] {
  const compiled = compilePolicy(document)
  return compiled.kind === 'faulty' ? compiled.faults.map(placeOf) : []
}

const stop = { id: 'one', then: 'NO-GO', message: 'Stop.' } as const
const ruled = (...expressions: readonly string[]) => ({
  name: 'Rules',
  rules: expressions.map((when, place) => ({ ...stop, id: `rule-${place}`, when })),
})

/** The one fault of an expression, or null. */
function faultIn(when: string): readonly [string, number] | null {
  const faults = faultsOf(ruled(when))
  if (faults.length === 0) return null
  const [[path, message, position] = assert.fail()] = faults
  assert.deepEqual([faults.length, path], [1, '/rules/0/when'], when)
  return [message, position ?? assert.fail(`${when}: no position`)]
}

const unknownName = (name: string): string =>
  `has the unknown variable ${name}; the variables are amount, currency, corridor, origin, destination, mode, score, confidence, volatility, flagged, partner, hour, weekday, signals, risk, calendar`
const unsupported = (name: string): string => `has the function ${name}, which is not supported`
const kind = 'has a value of a kind that is not supported; use numbers, texts, true and false'
const unbounded = (name: string): string => `can use ${name} only on flagged: its time would have no bound`
const quotient = 'can divide only by a number other than 0'

test('an expression that is not CEL is refused at the character that is wrong', () => {
  check<string, readonly [string, number] | null>(
    [
      ['amount >', ['is not valid: unexpected token: EOF', 9]],
      ['(', ['is not valid: unexpected token: EOF', 2]],
      ['amount > 1.0 &&', ['is not valid: unexpected token: EOF', 16]],
      ['.amount > 1.0', ['is not valid: unexpected token: DOT', 1]],
      ['amount > 1e400', ['is not valid: invalid number: Infinity', 10]],
      ['if', ['is not valid: reserved identifier: if', 1]],
      ['é == 1', ['is not valid: unexpected character: é', 1]],
    ],
    faultIn,
  )
})

test('a type error is refused, and so is an expression that is not true or false', () => {
  check<string, readonly [string, number] | null>(
    [
      ['amount > "a"', ['is not valid: no such overload: double > string', 1]],
      ['hour == 1 && amount == 5', ['is not valid: no such overload: double == int', 14]],
      ['currency + 1', ['is not valid: no such overload: string + int', 1]],
      ['amount % 2.0 == 1.0', ['is not valid: no such overload: double % double', 1]],
      ['amount > 1.0 && score', ["is not valid: logical operator requires bool operands, got 'double'", 1]],
      [
        'amount > 1.0 ? 1 : false',
        ["is not valid: ternary branches must have the same type, got 'int' and 'bool'", 1],
      ],
      ['currency.startsWith()', ["is not valid: found no matching overload for 'string.startsWith()'", 1]],
      ['score', ['must be true or false, and is double', 1]],
      ['"GB"', ['must be true or false, and is string', 1]],
      ['signals', ['must be true or false, and is SignalFacts', 1]],
      ['flagged', ['must be true or false, and is list<string>', 1]],
      ['signals.fraud_flags', ['must be true or false, and is int', 1]],
    ],
    faultIn,
  )
})

test('a variable or member that there is not is refused where it stands', () => {
  check<string, readonly [string, number] | null>(
    [
      ['foo > 1.0', [unknownName('foo'), 1]],
      ['\n\n  amount > foo', [unknownName('foo'), 14]],
      ['flagged.all(x, y)', [unknownName('y'), 16]],
      ['flagged.all(x, true) && x == "a"', [unknownName('x'), 25]],
      ['signals.foo', ['is not valid: no such key: foo', 9]],
      ['risk.cop', ['is not valid: no such key: cop', 6]],
      ['calendar.closed', ['is not valid: no such key: closed', 10]],
      ['signals.cop_overridden.x', ["is not valid: cannot index type 'bool'", 24]],
      ['amount.x', ["is not valid: cannot index type 'double'", 8]],
      ['flagged.length > 1', ["is not valid: list index must be int, got 'string'", 9]],
    ],
    faultIn,
  )
})

test('nothing outside the payment can be reached', () => {
  for (const name of ['constructor', 'globalThis', 'process', 'this', 'require', 'Object', 'google'])
    assert.deepEqual(faultIn(name), [unknownName(name), 1])
  check<string, readonly [string, number] | null>(
    [
      ['__proto__', ['is not valid: reserved identifier: __proto__', 1]],
      ['flagged.exists(__proto__, true)', ['is not valid: reserved identifier: __proto__', 16]],
      ['signals.constructor', ['is not valid: no such key: constructor', 9]],
      ['signals.__proto__', ['is not valid: no such key: __proto__', 9]],
      ['signals.toString()', [unsupported('toString'), 1]],
      ['currency.constructor', ["is not valid: cannot index type 'string'", 10]],
      ['signals["constructor"]', ['has the operator [], which is not supported', 1]],
      ['flagged.exists(x, x.constructor == "a")', ["is not valid: cannot index type 'string'", 21]],
    ],
    faultIn,
  )
})

test('a macro walks flagged alone, not inside another, under a name of its own', () => {
  check<string, readonly [string, number] | null>(
    [
      ['[1, 2].all(x, x > 0)', [unbounded('all'), 1]],
      ['true || ["GB"].exists(x, x == origin)', [unbounded('exists'), 9]],
      ['currency.exists_one(x, true)', [unbounded('exists_one'), 1]],
      ['(flagged + flagged).all(x, true)', [unbounded('all'), 2]],
      [
        'flagged.all(x, flagged.all(y, x == y))',
        ['has all inside another macro: its time would have no bound', 16],
      ],
      [
        'flagged.exists(x, x == "a" && flagged.exists_one(y, true))',
        ['has exists_one inside another macro: its time would have no bound', 31],
      ],
      ['flagged.map(x, x) == flagged', [unsupported('map'), 1]],
      ['size(flagged.filter(x, true)) > 0', [unsupported('filter'), 6]],
      ['flagged.all(amount, true)', ['uses the name amount for another variable', 1]],
      ['flagged.exists(signals, true)', ['uses the name signals for another variable', 1]],
      ['flagged.all(x)', ['must give all a name and a condition', 1]],
      [
        'flagged.all("x", true)',
        ['is not valid: all(var, predicate) invalid predicate iteration variable', 13],
      ],
    ],
    faultIn,
  )
})

test('functions without a bound, other operators and other kinds of values are refused', () => {
  const calls = [
    'matches(currency, "a")',
    'has(signals.cop_overridden)',
    'dyn(amount) > 1',
    'int(amount) > 1',
  ]
  for (const call of [...calls, 'timestamp("2020-01-01T00:00:00Z") == 1', 'type(amount) == double'])
    assert.deepEqual(faultIn(call), [unsupported(/^\w+/.exec(call)?.[0] ?? ''), 1])
  check<string, readonly [string, number] | null>(
    [
      ['hour == 1 || currency.matches("(a+)+$")', [unsupported('matches'), 14]],
      ['flagged[0] == "x"', ['has the operator [], which is not supported', 1]],
      ['{} == {}', ['has the operator map, which is not supported', 1]],
      ['{"a": 1}["a"] == 1', ['is not valid: exceeded maxMapEntries (0)', 2]],
      ['partner == null', [kind, 12]],
      ['null == partner', [kind, 1]],
      ['1u == 1u', [kind, 1]],
      ['b"a" == b"a"', [kind, 1]],
      ['cel.bind(x, 1, x > 0)', ['is not valid: exceeded maxCallArguments (2)', 16]],
      ['signals.?a', ['is not valid: expected IDENTIFIER, got QUESTION', 9]],
    ],
    faultIn,
  )
})

test('a division is by a number other than 0, because 0 by 0 is no number and compares as false', () => {
  check<string, readonly [string, number] | null>(
    [
      ['amount / score > 1.0', [quotient, 1]],
      ['amount / 0.0 > 1.0', [quotient, 1]],
      ['amount / -0.0 > 1.0', [quotient, 1]],
      ['hour == 1 && hour / 0 == 1', [quotient, 14]],
      ['amount / (2.0 - 2.0) > 1.0', [quotient, 1]],
      ['amount / 2.0 > 1.0', null],
      ['hour / 2 == 1', null],
    ],
    faultIn,
  )
})

test('whatever a rule may need is accepted', () => {
  const accepted = [
    'true',
    'signals.cop_overridden',
    'confidence < 0.8 && amount > 10000.0',
    'amount > 10000',
    'signals.fraud_flags > 0 || !signals.operation_valid',
    'signals.fx_volatility == "high"',
    'risk.network_healthy < 0.5 && volatility >= 0.05',
    'currency in ["GBP", "NGN"] && !(corridor == "GB-NG")',
    "origin != destination || mode == 'live'",
    'hour < 6 || hour >= 22 || weekday in [0, 6]',
    'partner.startsWith("al") || partner.endsWith("a") || partner.contains("ph")',
    'size(flagged) > 1 && flagged.size() < 4',
    'flagged.exists(one, one in ["fraud_flags", "cop_overridden"])',
    'flagged.all(one, one.size() > 3 && amount > 1.0)',
    'flagged.exists_one(one, one == "fx_volatility")',
    'calendar.open ? score < 0.9 : score < 0.95',
    '(-amount + 2.5) * 3.0 - 1.0 < 0.0 && hour % 2 == 0',
    'signals.historical_failure_rate > 0.1 // A comment.',
  ]
  check<string, readonly [string, number] | null>(
    accepted.map((when) => [when, null]),
    faultIn,
  )
  assert.deepEqual(faultsOf(ruled(...accepted)), [])
})

test('an expression has at most 2,048 bytes of UTF-8', () => {
  const tooLong = 'must have at most 2048 bytes'
  const padded = (text: string, bytes: number): string => text + ' '.repeat(bytes - Buffer.byteLength(text))
  check<string, readonly Place[]>(
    [
      [padded('true', 2_048), []],
      [padded('true', 2_049), [['/rules/0/when', tooLong]]],
      [padded('currency == "é☕😀"', 2_048), []],
      [padded('currency == "é☕😀"', 2_049), [['/rules/0/when', tooLong]]],
      ['', [['/rules/0/when', 'must be an expression']]],
      [' \n', [['/rules/0/when', 'must be an expression']]],
    ],
    (when) => faultsOf(ruled(when)),
  )
})

test('a document has at most 100 rules', () => {
  assert.deepEqual(faultsOf(ruled(...Array<string>(100).fill('hour == 1'))), [])
  assert.deepEqual(faultsOf(ruled(...Array<string>(101).fill('hour =='))), [
    ['/rules', 'must have at most 100 rules'],
  ])
})

/** Each is three steps, and one more for each `||` between two. */
const alternatives = (count: number): string =>
  Array.from({ length: count }, () => '(false || false)').join('||')
const times = (count: number, when: string): string[] => Array.from({ length: count }, () => when)

test('an expression has a bounded number of parts and a bounded depth', () => {
  const nested = (depth: number): string => `${'!('.repeat(depth)}true${')'.repeat(depth)}`
  assert.equal(faultIn(nested(20)), null)
  assert.equal(faultIn(nested(60))?.[0], 'is not valid: exceeded maxDepth (50)')
  assert.equal(faultIn(`hour in [${'1,'.repeat(510)}1]`)?.[0], 'is not valid: exceeded maxListElements (500)')
  assert.equal(faultIn(alternatives(104))?.[0], undefined)
  assert.match(faultIn(`hour == 1${'-1'.repeat(1_000)}`)?.[0] ?? '', /^is not valid: exceeded max/)
})

test('the steps of all rules together are bounded, and inside a macro each counts seven times', () => {
  const tooLong =
    'must take at most 2000 steps together: a step is a name, value or operator; inside a macro it counts 7 times'
  const plain = times(5, alternatives(96))
  assert.equal(5 * (96 * 4 - 1), 1_915)
  assert.deepEqual(faultsOf(ruled(...plain, ...times(85, 'true'))), [])
  assert.deepEqual(faultsOf(ruled(...plain, ...times(86, 'true'))), [['/rules', tooLong]])
  // The macro and its list are two steps; what is inside it is done for each of seven signals.
  const walked = times(2, `flagged.all(x, ${alternatives(25)})`)
  assert.equal(2 * (2 + 7 * (25 * 4 - 1)), 1_390)
  assert.deepEqual(faultsOf(ruled(...walked, ...times(93, 'true'))), [])
  const fortyThree = alternatives(11)
  assert.deepEqual(faultsOf(ruled(...walked, ...times(14, fortyThree), ...times(8, 'true'))), [])
  assert.deepEqual(faultsOf(ruled(...walked, ...times(14, fortyThree), ...times(9, 'true'))), [
    ['/rules', tooLong],
  ])
})

test('every faulty rule of a document is reported, each with its own path', () => {
  assert.deepEqual(faultsOf(ruled('true', 'foo', 'hour == 1', 'score', 'amount >')), [
    ['/rules/1/when', unknownName('foo'), 1],
    ['/rules/3/when', 'must be true or false, and is double', 1],
    ['/rules/4/when', 'is not valid: unexpected token: EOF', 9],
  ])
})

test('a compiled policy has its document, floors, caps and rules, and the hash of the canonical document', () => {
  const document = {
    name: 'Hard stops',
    require_amount: true,
    caps: { NGN: { review_above: 20_000, block_above: 200_000 } },
    go_floor: 0.85,
    no_go_below: 0.57,
    rules: [{ id: 'payee', when: 'signals.cop_overridden', then: 'NO-GO', message: 'Not confirmed.' }],
  }
  const compiled = compilePolicy(document)
  if (compiled.kind === 'faulty') return assert.fail(JSON.stringify(compiled.faults))
  const { rules, caps, ...policy } = compiled.as('pol_1')
  const sha256 = hash('sha256', canonicalJson(document), 'hex')
  const floors = { goFloor: 85, degradedFloor: 57 }
  assert.deepEqual(policy, { policyId: 'pol_1', name: 'Hard stops', document, sha256, ...floors })
  assert.deepEqual([...caps], [['NGN', { reviewAbove: 20_000, blockAbove: 200_000 }]])
  assert.deepEqual(
    rules.map(({ id, then, message }) => [id, then, message]),
    [
      ['require_amount', 'DEGRADED', 'The policy asks for an amount, and the payment has none.'],
      ['payee', 'NO-GO', 'Not confirmed.'],
    ],
  )
  const plain = compilePolicy({ name: 'Plain', require_amount: false })
  const {
    goFloor,
    degradedFloor,
    rules: none,
  } = plain.kind === 'compiled' ? plain.as('pol_2') : assert.fail()
  assert.deepEqual([goFloor, degradedFloor, none], [80, 48, []])
})

/** Compiled rules see the facts of one payment and nothing else, and a rule that needs a missing fact fires. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePolicy } from '../../../src/app/policy/compile.ts'
import { describedVariables } from '../../../src/app/policy/expression.ts'
import { factsOf, type Circumstances, type Facts } from '../../../src/core/decision/facts.ts'
import { factorsOf } from '../../../src/core/decision/score.ts'
import { isFlagged, type Readings } from '../../../src/core/decision/signals.ts'
import { firedRules } from '../../../src/core/decision/tightening.ts'
import { check, corridorOf, currencyOf, readingsWith } from '../../helpers/check.ts'

interface Given extends Partial<Circumstances> {
  readonly amount?: number | null
  readonly readings?: Readings
}

/** A payment about which everything is known, unless a test leaves something out. */
function factsWith({ amount = 1_000, readings = readingsWith({}), ...around }: Given = {}): Facts {
  return factsOf(
    {
      corridor: corridorOf('GB-NG'),
      amount,
      currency: currencyOf('GBP'),
      readings,
      factors: factorsOf(readings, (signal) => isFlagged(signal, readings)),
      scoreHundredths: 97,
      confidenceHundredths: 95,
    },
    {
      mode: 'live',
      source: 'live',
      volatility: 0.02,
      partner: 'alpha',
      isCalendarOpen: true,
      // A Tuesday.
      atMs: Date.UTC(2026, 10, 17, 12, 59),
      ...around,
    },
  )
}

/** A live corridor without data, for which no calendar is declared. */
const nothingKnown = factsWith({ amount: null, source: 'none', partner: null, isCalendarOpen: null })

type Effect = 'fires' | 'fails' | 'idle'

function effectOf(when: string, facts: Facts): Effect {
  const compiled = compilePolicy({ name: 'One', rules: [{ id: 'a', when, then: 'NO-GO', message: 'Stop.' }] })
  if (compiled.kind === 'faulty') return assert.fail(`${when}: ${JSON.stringify(compiled.faults)}`)
  const [fired] = firedRules({ owner: compiled.as('pol_1'), installation: null }, facts)
  return fired === undefined ? 'idle' : fired.failed ? 'fails' : 'fires'
}

test('a rule sees every fact of the payment', () => {
  const readings = readingsWith({ fraud_flags: 900, network_healthy: 400, historical_failure_rate: 500 }, 2)
  const facts = factsWith({ readings, amount: 1_000.5 })
  const holds = [
    'amount == 1000.5',
    'currency == "GBP"',
    'corridor == "GB-NG" && origin == "GB" && destination == "NG"',
    'mode == "live"',
    'score == 0.97',
    'confidence == 0.95',
    'volatility == 0.02',
    'partner == "alpha"',
    'calendar.open',
    'hour == 12 && weekday == 2',
    'signals.fraud_flags == 2',
    '!signals.network_healthy && signals.balance_sufficient && signals.operation_valid',
    'signals.fx_volatility == "low" && !signals.cop_overridden',
    'signals.historical_failure_rate == 0.1',
    'risk.fraud_flags == 0.15 && risk.network_healthy == 0.4 && risk.cop_overridden == 1.0',
    'flagged == ["fraud_flags", "network_healthy"]',
    'flagged.exists_one(one, one.startsWith("fraud"))',
  ]
  check<string, Effect>(
    holds.map((when) => [when, 'fires']),
    (when) => effectOf(when, facts),
  )
  check<string, Effect>(
    holds.map((when) => [`!(${when})`, 'idle']),
    (when) => effectOf(when, facts),
  )
})

/** A comparison of a variable by its type, which is false where the value is known. */
const falseOf: Readonly<Record<string, (name: string) => string>> = {
  double: (name) => `${name} == -1.0`,
  int: (name) => `${name} == -1`,
  string: (name) => `${name} == "nobody"`,
  bool: (name) => `${name} && !${name}`,
  'list<string>': (name) => `size(${name}) > 7`,
}

/** The variables that may be missing. Those of a request, and those that are computed, are always there. */
const mayBeMissing = describedVariables
  .map(({ name }) => name)
  .filter((name) => name.includes('.') || ['amount', 'partner', 'flagged'].includes(name))

test('a rule fires on every fact that is missing, however it asks for it', () => {
  assert.equal(mayBeMissing.length, 18)
  for (const { name, type } of describedVariables) {
    const when = falseOf[type]?.(name) ?? assert.fail(type)
    const expected = mayBeMissing.includes(name) ? 'fails' : 'idle'
    assert.equal(effectOf(when, factsWith()), 'idle', `${when}, with data`)
    assert.equal(effectOf(when, nothingKnown), expected, `${when}, without data`)
  }
  const asked = [
    '!(amount > 5.0)',
    'amount != 5.0',
    'amount in [5.0]',
    'amount * 0.0 > 1.0',
    '[amount] == [5.0]',
    '-amount > 0.0',
    'partner in ["alpha"]',
    '"alpha" in [partner]',
    'partner.startsWith("a")',
    'partner + "" == "beta"',
    'partner != partner',
    '(true ? partner : "a") == "b"',
    'calendar.open == false',
    'calendar.open ? false : false',
    'signals.fraud_flags in [1, 2]',
    'amount > 1.0 || false',
    'amount > 1.0 && true',
    'calendar.open && signals.cop_overridden',
    'size(flagged) >= 2',
    '"fraud_flags" in flagged',
    'flagged.exists(one, one == "fraud_flags")',
  ]
  check<string, Effect>(
    asked.map((when) => [when, 'fails']),
    (when) => effectOf(when, nothingKnown),
  )
})

test('a missing fact that does not matter does not fire', () => {
  check<string, Effect>(
    [
      ['false && amount > 1.0', 'idle'],
      ['amount > 1.0 && false', 'idle'],
      ['currency == "NGN" && amount > 1.0', 'idle'],
      ['currency == "NGN" ? amount > 1.0 : false', 'idle'],
      ['amount > 1.0 || true', 'fires'],
      ['true || amount > 1.0', 'fires'],
    ],
    (when) => effectOf(when, nothingKnown),
  )
})

test('a rule that cannot be computed fires', () => {
  check<string, Effect>(
    [
      ['hour % (weekday - 2) == 1', 'fails'],
      ['hour % 0 == 1', 'fails'],
      ['9223372036854775807 + hour > 0', 'fails'],
      ['9223372036854775807 * weekday > 0', 'fails'],
    ],
    (when) => effectOf(when, factsWith()),
  )
})

test('a rule evaluates to the same in any order and any number of times, and keeps nothing', () => {
  const when = 'flagged.exists(one, one == "fraud_flags" && amount > 500.0)'
  const flagged = factsWith({ readings: readingsWith({}, 1) })
  for (let turn = 0; turn < 3; turn += 1) {
    assert.equal(effectOf(when, flagged), 'fires')
    assert.equal(effectOf(when, factsWith()), 'idle')
    assert.equal(effectOf(when, { ...flagged, amount: null }), 'fails')
  }
})

test('a name that objects have by themselves means nothing in a rule', () => {
  // As the variable of a macro it is only a name.
  const named = 'flagged.exists(constructor, constructor == "fraud_flags")'
  assert.equal(effectOf(named, factsWith({ readings: readingsWith({}, 1) })), 'fires')
  assert.equal(effectOf(named, factsWith()), 'idle')
  assert.equal(effectOf('partner == "[object Object]"', factsWith({ partner: '__proto__' })), 'idle')
  assert.equal(Object.hasOwn(Object.prototype, 'fraud_flags'), false)
})

/** At the limit of steps, with as many failures as fit: each is caught by `||`, so that the next is evaluated, too. */
function hostileDocument() {
  const failing = Array.from({ length: 96 }, () => 'amount > 0.0').join('||')
  const walking = `flagged.exists(x, ${Array.from({ length: 16 }, () => 'amount > 0.0').join('||')})`
  const rules = [...Array<string>(4).fill(failing), walking]
  return {
    name: 'Hostile',
    rules: rules.map((when, place) => ({ id: `r${place}`, when, then: 'NO-GO', message: 'Stop.' })),
  }
}

test('a hostile policy at the limit of steps is evaluated to its end where every fact is missing', () => {
  const compiled = compilePolicy(hostileDocument())
  const policy = compiled.kind === 'compiled' ? compiled.as('pol_1') : assert.fail(JSON.stringify(compiled))
  const readings = readingsWith({ network_healthy: 0, balance_sufficient: 0, cop_overridden: 0 }, 5)
  const facts = { ...factsWith({ readings }), amount: null }
  assert.ok((facts.flagged?.length ?? 0) >= 4)
  const before = Error.stackTraceLimit
  const fired = firedRules({ owner: policy, installation: policy }, facts)
  assert.deepEqual([fired.length, fired.every(({ failed }) => failed)], [10, true])
  assert.equal(Error.stackTraceLimit, before, 'errors elsewhere keep their traces')
})

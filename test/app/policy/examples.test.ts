/** The policies of examples/policies: each compiles, and each of its parts stops what it is for and nothing else. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compilePolicy, type CompiledPolicy } from '../../../src/app/policy/compile.ts'
import { decide, type Decision } from '../../../src/core/decision/decide.ts'
import type { Circumstances } from '../../../src/core/decision/facts.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { noReadings, type Readings } from '../../../src/core/decision/signals.ts'
import { check, codesOf, corridorOf, currencyOf, readingsWith } from '../../helpers/check.ts'

const folder = new URL('../../../examples/policies/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

function compiled(name: string): CompiledPolicy {
  const result = compilePolicy(JSON.parse(read(name)))
  if (result.kind === 'faulty') assert.fail(JSON.stringify(result.faults))
  return result.as(`pol_${name}`)
}

const hardStops = compiled('hard-stops.json')
const nightAndWeekend = compiled('night-and-weekend.json')
const newCorridor = compiled('new-corridor.json')

/** 17 November 2026 is a Tuesday. */
const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 10, day, hour, minute)

interface Payment {
  readonly corridor?: string
  readonly amount?: number | null
  readonly currency?: string
  readonly readings?: Readings
  readonly source?: Circumstances['source']
  readonly atMs?: number
}

/** A small payment with clear signals, on a Tuesday at noon, unless the row says otherwise. */
function decideUnder(policy: CompiledPolicy | null, payment: Payment): Decision {
  const { corridor = 'GB-NG', amount = 100, currency = 'GBP', source = 'live' } = payment
  const { readings = readingsWith({}), atMs = at(17, 12) } = payment
  return decide({
    corridor: corridorOf(corridor),
    supported: source !== 'none',
    amount,
    currency: currencyOf(currency),
    readings,
    policy: standardPolicy,
    tightening:
      policy === null
        ? null
        : {
            policies: { owner: policy, installation: null },
            circumstances: {
              mode: 'live',
              source,
              volatility: 0.01,
              partner: null,
              isCalendarOpen: null,
              atMs,
            },
          },
  })
}

/** The verdict by the contract, the one under the policy, and the rules that fired. */
type Seen = readonly [contract: Verdict, policy: Verdict, fired: readonly string[]]

function seenUnder(policy: CompiledPolicy): (payment: Payment) => Seen {
  return (payment) => {
    const decision = decideUnder(policy, payment)
    const fired = decision.evidence.fired.map(({ rule }) => rule.id)
    return [decideUnder(null, payment).verdict, decision.verdict, fired]
  }
}

/** Every rule of the document fires in one row of its table at least, and is silent in another. */
function checkPolicy(policy: CompiledPolicy, rows: readonly (readonly [Payment, Seen])[]): void {
  check(rows, seenUnder(policy))
  for (const { id } of policy.rules) {
    const fires = new Set(rows.map(([, [, , fired]]) => fired.includes(id)))
    assert.deepEqual(fires, new Set([true, false]), `the table does not show ${id} both ways`)
  }
}

test('the payee, the operation, fraud and the amount are hard stops', () => {
  checkPolicy(hardStops, [
    [{}, ['GO', 'GO', []]],
    [{ readings: readingsWith({ cop_overridden: 0 }) }, ['GO', 'NO-GO', ['payee-not-confirmed']]],
    [{ readings: readingsWith({ operation_valid: 100 }) }, ['GO', 'NO-GO', ['invalid-operation']]],
    [{ readings: readingsWith({ fraud_flags: 300 }, 1) }, ['DEGRADED', 'NO-GO', ['fraud-flag']]],
    [{ amount: null }, ['GO', 'DEGRADED', ['require_amount']]],
    // By the contract the two together are a GO, at 0.85 here.
    [
      { readings: readingsWith({ operation_valid: 0, cop_overridden: 0 }) },
      ['GO', 'NO-GO', ['payee-not-confirmed', 'invalid-operation']],
    ],
    // Other signals are left to the score.
    [{ readings: readingsWith({ network_healthy: 400 }) }, ['GO', 'GO', []]],
  ])
})

test('hard stops fire on a live corridor without data', () => {
  const nothing: Payment = { corridor: 'GB-US', readings: noReadings, source: 'none' }
  const { evidence } = decideUnder(hardStops, nothing)
  assert.deepEqual(seenUnder(hardStops)(nothing), [
    'DEGRADED',
    'NO-GO',
    ['payee-not-confirmed', 'invalid-operation', 'fraud-flag'],
  ])
  assert.ok(evidence.fired.every(({ failed }) => failed))
})

test('larger amounts wait at night and at the weekend', () => {
  checkPolicy(nightAndWeekend, [
    [{ amount: 5001, atMs: at(17, 6, 59) }, ['GO', 'DEGRADED', ['night']]],
    [{ amount: 5001, atMs: at(17, 7) }, ['GO', 'GO', []]],
    [{ amount: 5001, atMs: at(17, 17, 59) }, ['GO', 'GO', []]],
    [{ amount: 5001, atMs: at(17, 18) }, ['GO', 'DEGRADED', ['night']]],
    [{ amount: 5000, atMs: at(17, 18) }, ['GO', 'GO', []]],
    [{ amount: 2001, atMs: at(20, 12) }, ['GO', 'GO', []]],
    [{ amount: 2001, atMs: at(21, 12) }, ['GO', 'DEGRADED', ['weekend']]],
    [{ amount: 2001, atMs: at(22, 12) }, ['GO', 'DEGRADED', ['weekend']]],
    [{ amount: 2001, atMs: at(23, 12) }, ['GO', 'GO', []]],
    [{ amount: 2000, atMs: at(21, 12) }, ['GO', 'GO', []]],
    [{ amount: 6000, atMs: at(22, 23) }, ['GO', 'DEGRADED', ['night', 'weekend']]],
    // Without an amount the rules cannot be evaluated: only in office hours is that known not to matter.
    [{ amount: null, atMs: at(17, 12) }, ['GO', 'GO', []]],
    [{ amount: null, atMs: at(17, 23) }, ['GO', 'DEGRADED', ['night']]],
    [{ amount: null, atMs: at(21, 12) }, ['GO', 'DEGRADED', ['weekend']]],
  ])
})

test('a new corridor has low amounts and needs good data', () => {
  const newOne = { corridor: 'GB-KE' }
  checkPolicy(newCorridor, [
    [newOne, ['GO', 'GO', []]],
    [{ ...newOne, readings: readingsWith({}, 0, 89) }, ['GO', 'DEGRADED', ['thin-data']]],
    [{ ...newOne, readings: readingsWith({}, 0, 90) }, ['GO', 'GO', []]],
    [{ readings: readingsWith({}, 0, 89) }, ['GO', 'GO', []]],
    [{ ...newOne, amount: 501 }, ['GO', 'DEGRADED', ['first-payments']]],
    [{ ...newOne, amount: 500 }, ['GO', 'GO', []]],
    [{ amount: 501 }, ['GO', 'GO', []]],
    [{ ...newOne, amount: null }, ['GO', 'DEGRADED', ['first-payments']]],
    [{ ...newOne, readings: readingsWith({ fx_volatility: 400 }) }, ['GO', 'NO-GO', ['any-weakness']]],
    [{ readings: readingsWith({ fx_volatility: 400 }) }, ['GO', 'GO', []]],
  ])
})

test('the caps of a new corridor are those of its currency, and its floors hold everywhere', () => {
  const kes = { corridor: 'GB-KE', currency: 'KES' }
  const scored = (thousandths: number): Payment => ({
    readings: readingsWith({ fraud_flags: thousandths, network_healthy: thousandths }),
  })
  checkParts([
    [{ ...kes, amount: 20_000 }, ['GO', 'GO', ['HEALTHY_PARTNER']]],
    [{ ...kes, amount: 20_001 }, ['GO', 'DEGRADED', ['POLICY_CAP_APPLIED']]],
    [{ ...kes, amount: 100_001 }, ['DEGRADED', 'NO-GO', ['POLICY_CAP_APPLIED']]],
    [{ corridor: 'GB-NG', amount: 20_001 }, ['GO', 'GO', ['HEALTHY_PARTNER']]],
    // Scores of 0.85, 0.84, 0.55 and 0.54.
    [scored(730), ['GO', 'GO', ['HEALTHY_PARTNER']]],
    [scored(720), ['GO', 'DEGRADED', ['BELOW_GO_THRESHOLD']]],
    [
      { readings: readingsWith({ fraud_flags: 500, network_healthy: 220, balance_sufficient: 300 }) },
      ['DEGRADED', 'DEGRADED', ['NETWORK_DEGRADED', 'INSUFFICIENT_BALANCE']],
    ],
    [
      { readings: readingsWith({ fraud_flags: 500, network_healthy: 219, balance_sufficient: 300 }) },
      ['DEGRADED', 'NO-GO', ['NETWORK_DEGRADED', 'INSUFFICIENT_BALANCE']],
    ],
  ])
})

function checkParts(
  rows: readonly (readonly [Payment, readonly [Verdict, Verdict, readonly string[]]])[],
): void {
  check(rows, (payment) => {
    const decision = decideUnder(newCorridor, payment)
    return [decideUnder(null, payment).verdict, decision.verdict, codesOf(decision)] as const
  })
}

test('every example is compiled here and explained beside it, rule by rule', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const policies = [hardStops, newCorridor, nightAndWeekend]
  assert.deepEqual(names.toSorted(), ['hard-stops.json', 'new-corridor.json', 'night-and-weekend.json'])
  const page = read('README.md')
  const parts = [...names, ...policies.flatMap(({ rules }) => rules.map(({ id }) => id))]
  assert.deepEqual(
    parts.filter((part) => !page.includes(`\`${part}\``)),
    [],
  )
})

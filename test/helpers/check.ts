/** What the tests of the core share: one way to run a table, and the random readings of its properties. */

import assert from 'node:assert/strict'
import fc from './fast-check.ts'
import { isSupported, type Corridor } from '../../src/core/reference/corridor.ts'
import type { Currency } from '../../src/core/reference/currency.ts'
import { decide, type Decision } from '../../src/core/decision/decide.ts'
import { standardPolicy } from '../../src/core/decision/policy.ts'
import type { Reading, Readings, SignalName } from '../../src/core/decision/signals.ts'
import { simulate } from '../../src/core/shadow/simulation.ts'
import type { Scenario } from '../../src/core/shadow/test-amounts.ts'

/** Holds every row against the code, and shows all that differ at once. */
export function check<Input, Output>(
  rows: readonly (readonly [Input, Output])[],
  actual: (input: Input) => Output,
): void {
  assert.ok(rows.length > 0, 'a table without rows checks nothing')
  const found = rows.map(([input]): readonly [Input, Output] => [input, actual(input)])
  assert.deepEqual(found, rows)
}

export const corridorOf = (text: string): Corridor => text as Corridor
export const currencyOf = (text: string): Currency => text as Currency

export const weightsInOrder: readonly (readonly [SignalName, number])[] = [
  ['fraud_flags', 30],
  ['network_healthy', 25],
  ['balance_sufficient', 15],
  ['fx_volatility', 10],
  ['operation_valid', 10],
  ['historical_failure_rate', 5],
  ['cop_overridden', 5],
]

/** Readings with these risk values; what is not given is clear. */
export function readingsWith(
  risks: Readonly<Partial<Record<SignalName, number>>>,
  fraudFlagCount = 0,
  confidencePercent = 95,
): Readings {
  const of = (signal: SignalName): Reading => ({
    healthThousandths: risks[signal] ?? 1000,
    confidencePercent,
  })
  return {
    fraudFlagCount,
    failureRatePermille: Math.round((1000 - (risks.historical_failure_rate ?? 1000)) / 5),
    fraud_flags: of('fraud_flags'),
    network_healthy: of('network_healthy'),
    balance_sufficient: of('balance_sufficient'),
    fx_volatility: of('fx_volatility'),
    operation_valid: of('operation_valid'),
    historical_failure_rate: of('historical_failure_rate'),
    cop_overridden: of('cop_overridden'),
  }
}

const risk = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(0, 249, 250, 499, 500, 501, 1000))
const confidence = fc.integer({ min: 70, max: 97 })
const reading: fc.Arbitrary<Reading> = fc.record(
  { healthThousandths: risk, confidencePercent: confidence },
  { noNullPrototype: true },
)

/** Any readings that a provider can give, careless ones too. */
export const anyReadings: fc.Arbitrary<Readings> = fc.record(
  {
    fraudFlagCount: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 5 })),
    failureRatePermille: fc.integer({ min: 0, max: 1000 }),
    fraud_flags: reading,
    network_healthy: reading,
    balance_sufficient: reading,
    fx_volatility: reading,
    operation_valid: reading,
    historical_failure_rate: reading,
    cop_overridden: reading,
  },
  { noNullPrototype: true },
)

export const anyAmount: fc.Arbitrary<number | null> = fc.oneof(
  fc.constant(null),
  fc.constantFrom(0, 15_000, 50_000, 50_000.01, 500_000, 500_000.01, 1e15),
  fc.double({ min: 0, max: 1_000_000, noNaN: true }),
  fc.double({ min: 0, max: 1e15, noNaN: true }),
)

export const anySupported = fc.constantFrom(corridorOf('GB-NG'), corridorOf('NG-GB'))

/** Two letters, hyphen, two letters, but for the two corridors that are supported. */
export const anyUnsupported = fc
  .stringMatching(/^[A-Z]{2}-[A-Z]{2}$/)
  .filter((text) => text !== 'GB-NG' && text !== 'NG-GB')
  .map(corridorOf)

/** The decision of shadow verify, with the standard caps. */
export function shadow(
  corridor: Corridor,
  amount: number | null,
  scenario: Scenario | null,
  currency = currencyOf('GBP'),
): Decision {
  const readings = simulate({ corridor, amount, currency }, scenario)
  return decide({
    corridor,
    supported: isSupported(corridor),
    amount,
    currency,
    readings,
    policy: standardPolicy,
  })
}

export const codesOf = (decision: Decision): string[] => decision.reasons.map((reason) => reason.code)

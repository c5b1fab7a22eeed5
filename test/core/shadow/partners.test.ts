/** Simulated partners: each only costs, and the best one is the best by the one scorer. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import { decide } from '../../../src/core/decision/decide.ts'
import { bestPartner, readingsThrough, simulatedPartners } from '../../../src/core/shadow/partners.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { failureRiskThousandths, signalNames, type Readings } from '../../../src/core/decision/signals.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  anyUnsupported,
  corridorOf,
  currencyOf,
  readingsWith,
} from '../../helpers/check.ts'

const anyPartner = fc.oneof(fc.constantFrom(...simulatedPartners), fc.string({ minLength: 1, maxLength: 40 }))

/** Readings whose failure rate and risk value agree, as every provider gives them. */
const agreeingReadings = anyReadings.map((readings) => ({
  ...readings,
  historical_failure_rate: {
    ...readings.historical_failure_rate,
    healthThousandths: failureRiskThousandths(readings.failureRatePermille),
  },
}))

test('no partner makes a reading better, and the same partner always makes it the same', () => {
  fc.assert(
    fc.property(anyPartner, anySupported, agreeingReadings, (partner, corridor, readings) => {
      const through = readingsThrough(partner, corridor, readings)
      for (const signal of signalNames) {
        const { healthThousandths, confidencePercent } = through[signal]
        assert.ok(healthThousandths >= 0 && healthThousandths <= readings[signal].healthThousandths, signal)
        assert.equal(confidencePercent, readings[signal].confidencePercent)
      }
      assert.ok(through.failureRatePermille >= readings.failureRatePermille)
      assert.deepEqual(readingsThrough(partner, corridor, readings), through)
    }),
  )
})

test('a partner touches network, balance and history, and nothing else', () => {
  fc.assert(
    fc.property(anyPartner, anySupported, agreeingReadings, (partner, corridor, readings) => {
      const through = readingsThrough(partner, corridor, readings)
      assert.equal(through.fraudFlagCount, readings.fraudFlagCount)
      for (const signal of ['fraud_flags', 'fx_volatility', 'operation_valid', 'cop_overridden'] as const) {
        assert.deepEqual(through[signal], readings[signal])
      }
    }),
  )
})

test('through a partner the failure rate stays a rate and agrees with its risk value', () => {
  const holds = (partner: string, corridor: Corridor, readings: Readings): void => {
    const through = readingsThrough(partner, corridor, readings)
    const { failureRatePermille, historical_failure_rate: failures } = through
    assert.equal(failures.healthThousandths, failureRiskThousandths(failureRatePermille))
    assert.ok(failureRatePermille <= 1000, `${failureRatePermille} failures of a thousand`)
  }
  fc.assert(fc.property(anyPartner, anySupported, agreeingReadings, holds))
  const allFailed = { ...readingsWith({ historical_failure_rate: 0 }), failureRatePermille: 1000 }
  for (const partner of simulatedPartners) holds(partner, corridorOf('GB-NG'), allFailed)
})

test('the recommended partner is the one that the one scorer ranks first', () => {
  const currency = currencyOf('GBP')
  fc.assert(
    fc.property(anySupported, agreeingReadings, (corridor, readings) => {
      const ranked = simulatedPartners
        .map((partner) => {
          const seen: Readings = readingsThrough(partner, corridor, readings)
          const decision = decide({
            corridor,
            supported: true,
            amount: null,
            currency,
            readings: seen,
            policy: standardPolicy,
          })
          return { partner, score: decision.scoreHundredths }
        })
        .toSorted((left, right) => right.score - left.score)
      assert.equal(bestPartner(corridor, readings), ranked[0]?.partner)
    }),
    { numRuns: 500 },
  )
})

test('partners that score the same are taken by name', () => {
  const floor = readingsWith({ network_healthy: 0, balance_sufficient: 0, historical_failure_rate: 0 })
  for (const corridor of ['GB-NG', 'NG-GB'].map(corridorOf)) {
    assert.equal(bestPartner(corridor, floor), 'sim-partner-alder')
  }
  assert.deepEqual(simulatedPartners.toSorted(), simulatedPartners)
})

test('an unsupported corridor has no partner', () => {
  fc.assert(
    fc.property(anyUnsupported, anyAmount, (corridor, amount) => {
      const readings = simulate({ corridor, amount, currency: currencyOf('GBP') })
      assert.equal(bestPartner(corridor, readings), null)
    }),
  )
})

test('the names of simulated partners say that they are made up', () => {
  for (const partner of simulatedPartners) assert.match(partner, /^sim-partner-[a-z]+$/)
})

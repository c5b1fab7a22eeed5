/** How a corridor is doing: the documented rule, at its boundaries, and the buckets of its signals. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { healthOf, type CorridorHealth } from '../../../src/core/explain/corridor-health.ts'
import { decide } from '../../../src/core/decision/decide.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { isSupported } from '../../../src/core/reference/corridor.ts'
import {
  labelOf,
  signalCategories,
  signalNames,
  titleOf,
  type Readings,
  type SignalName,
} from '../../../src/core/decision/signals.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  anyUnsupported,
  check,
  corridorOf,
  currencyOf,
  readingsWith,
} from '../../helpers/check.ts'

const gbNg = corridorOf('GB-NG')

function look(readings: Readings, corridor = gbNg, amount: number | null = null): CorridorHealth {
  const decision = decide({
    corridor,
    supported: isSupported(corridor),
    amount,
    currency: currencyOf('GBP'),
    readings,
    policy: standardPolicy,
  })
  return healthOf(corridor, decision)
}

type Risks = Readonly<Partial<Record<SignalName, number>>>

const evenly = (thousandths: number): Risks =>
  Object.fromEntries(signalNames.map((signal) => [signal, thousandths]))

/** The score in hundredths, how many signals are flagged, and the status. */
const judged = ([risks, fraudFlagCount]: readonly [Risks, number]): readonly [number, number, string] => {
  const readings = readingsWith(risks, fraudFlagCount)
  const { evidence, scoreHundredths } = decide({
    corridor: gbNg,
    supported: true,
    amount: null,
    currency: currencyOf('GBP'),
    readings,
    policy: standardPolicy,
  })
  return [scoreHundredths, evidence.score.flaggedCount, look(readings).status]
}

test('the score alone: OPERATIONAL from 0.80, DEGRADED from 0.48, IMPAIRED below', () => {
  check(
    [
      [
        [evenly(1000), 0],
        [100, 0, 'OPERATIONAL'],
      ],
      [
        [evenly(800), 0],
        [80, 0, 'OPERATIONAL'],
      ],
      [
        [evenly(799), 0],
        [79, 0, 'DEGRADED'],
      ],
      [
        [{ ...evenly(500), fraud_flags: 434 }, 0],
        [48, 0, 'DEGRADED'],
      ],
      [
        [{ ...evenly(500), fraud_flags: 433 }, 0],
        [47, 0, 'IMPAIRED'],
      ],
    ],
    judged,
  )
})

test('flags: one or two are DEGRADED, three are IMPAIRED, whatever the score', () => {
  check(
    [
      [
        [{ cop_overridden: 500 }, 0],
        [97, 0, 'OPERATIONAL'],
      ],
      [
        [{ cop_overridden: 499 }, 0],
        [97, 1, 'DEGRADED'],
      ],
      [
        [{ cop_overridden: 499, historical_failure_rate: 499 }, 0],
        [94, 2, 'DEGRADED'],
      ],
      [
        [{ cop_overridden: 499, historical_failure_rate: 499, operation_valid: 499 }, 0],
        [67, 3, 'IMPAIRED'],
      ],
      [
        [{ cop_overridden: 499 }, 1],
        [76, 2, 'DEGRADED'],
      ],
      [
        [{ cop_overridden: 499, historical_failure_rate: 499 }, 1],
        [55, 3, 'IMPAIRED'],
      ],
    ],
    judged,
  )
})

test('one CRITICAL signal is IMPAIRED, whatever the score', () => {
  check(
    [
      [
        [{ cop_overridden: 250 }, 0],
        [96, 1, 'DEGRADED'],
      ],
      [
        [{ cop_overridden: 249 }, 0],
        [96, 1, 'IMPAIRED'],
      ],
      [
        [{ network_healthy: 250 }, 0],
        [81, 1, 'DEGRADED'],
      ],
      [
        [{ network_healthy: 249 }, 0],
        [81, 1, 'IMPAIRED'],
      ],
      // One fraud flag is a risk value of 0.3, two are 0.15.
      [
        [{}, 1],
        [79, 1, 'DEGRADED'],
      ],
      [
        [{}, 2],
        [74, 1, 'IMPAIRED'],
      ],
      // A risk value that is CRITICAL counts though no flag is open.
      [
        [{ fraud_flags: 249 }, 0],
        [77, 0, 'IMPAIRED'],
      ],
    ],
    judged,
  )
})

test('caps on the amount have no part in it', () => {
  fc.assert(
    fc.property(anySupported, anyReadings, anyAmount, (corridor, readings, amount) => {
      assert.deepEqual(look(readings, corridor, amount), look(readings, corridor, null))
    }),
  )
})

test('without data a corridor is DEGRADED and has no buckets, whatever was read', () => {
  fc.assert(
    fc.property(anyUnsupported, anyReadings, anyAmount, (corridor, readings, amount) => {
      const { status, buckets, advisory } = look(readings, corridor, amount)
      assert.deepEqual([status, buckets], ['DEGRADED', null])
      assert.match(advisory, new RegExp(`no data for ${corridor}`))
    }),
  )
})

test('every signal is in exactly one bucket, and none is empty', () => {
  const { buckets } = look(readingsWith({}))
  assert.deepEqual(Object.keys(buckets ?? {}), signalCategories)
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(buckets ?? {}).map(([category, bucket]) => [category, bucket?.signals]),
    ),
    {
      fx: ['fx_volatility'],
      network: ['network_healthy'],
      settlement: ['operation_valid', 'historical_failure_rate'],
      liquidity: ['balance_sufficient'],
      compliance: ['fraud_flags', 'cop_overridden'],
    },
  )
})

test('a bucket is as good as its worst signal', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const { buckets } = look(readings)
      const riskOf = (signal: SignalName): number => {
        const { healthThousandths } = readings[signal]
        if (signal !== 'fraud_flags' || readings.fraudFlagCount === 0) return healthThousandths
        return Math.min(healthThousandths, Math.max(0, 450 - 150 * readings.fraudFlagCount))
      }
      for (const category of signalCategories) {
        const bucket = buckets?.[category] ?? assert.fail(`no ${category}`)
        const [worst] = bucket.signals.map(riskOf).toSorted((left, right) => left - right)
        assert.deepEqual([bucket.healthThousandths, bucket.label], [worst, labelOf(worst ?? -1)])
      }
    }),
  )
})

test('the advisory reads as it is written here', () => {
  check(
    [
      [[{}, 0], 'GB-NG is healthy: verify each payment as usual.'],
      [
        [evenly(799), 0],
        'GB-NG is degraded: proceed with care. No signal is flagged, but the score is too low for GO. Based on signals alone, a payment would be DEGRADED.',
      ],
      [
        [{ network_healthy: 400 }, 1],
        'GB-NG is degraded: proceed with care. Check the fraud check and settlement network. Based on signals alone, a payment would be DEGRADED.',
      ],
      [
        [{ balance_sufficient: 100 }, 0],
        'GB-NG is impaired: hold or reroute payments that can wait. Check the partner liquidity. Based on signals alone, a payment would be GO.',
      ],
      [
        [{ cop_overridden: 499 }, 0],
        'GB-NG is degraded: proceed with care. Check the payee confirmation. Based on signals alone, a payment would be GO.',
      ],
      // CRITICAL, and flagged by no open case.
      [
        [{ fraud_flags: 249 }, 0],
        'GB-NG is impaired: hold or reroute payments that can wait. Check the fraud check. Based on signals alone, a payment would be DEGRADED.',
      ],
      // What is both is named once.
      [
        [{ network_healthy: 0, fx_volatility: 400 }, 2],
        'GB-NG is impaired: hold or reroute payments that can wait. Check the fraud check, settlement network and FX volatility. Based on signals alone, a payment would be NO-GO.',
      ],
      [
        [{ ...evenly(500), fraud_flags: 433 }, 0],
        'GB-NG is impaired: hold or reroute payments that can wait. No signal is flagged, but the score is too low for GO. Based on signals alone, a payment would be NO-GO.',
      ],
    ],
    ([risks, fraudFlagCount]: readonly [Risks, number]): string =>
      look(readingsWith(risks, fraudFlagCount)).advisory,
  )
})

test('the advisory names what is flagged or CRITICAL, once, and what the score alone says', () => {
  fc.assert(
    fc.property(anySupported, anyReadings, anyAmount, (corridor, readings, amount) => {
      const input = {
        corridor,
        supported: true,
        currency: currencyOf('GBP'),
        readings,
        policy: standardPolicy,
      }
      const { factors, band } = decide({ ...input, amount }).evidence
      const { status, advisory } = look(readings, corridor, amount)
      for (const { signal, flagged, healthThousandths } of factors) {
        const times = flagged || healthThousandths < 250 ? 1 : 0
        assert.equal(advisory.split(titleOf[signal]).length - 1, times, `${signal}: ${advisory}`)
      }
      const said = advisory.endsWith(` Based on signals alone, a payment would be ${band}.`)
      assert.equal(said, status !== 'OPERATIONAL', advisory)
    }),
    { numRuns: 500 },
  )
})

test('of a corridor without data no advisory says what a payment is, but that it is not GO', () => {
  fc.assert(
    fc.property(anyUnsupported, anyReadings, anyAmount, (corridor, readings, amount) => {
      const { advisory } = look(readings, corridor, amount)
      assert.ok(advisory.endsWith(', but no payment on it is GO.'), advisory)
      assert.doesNotMatch(advisory, /DEGRADED|Based on signals/)
    }),
  )
})

test('what cannot be read impairs the corridor, and takes its whole bucket with it', () => {
  const decision = decide({
    corridor: corridorOf('GB-NG'),
    supported: true,
    amount: null,
    currency: currencyOf('GBP'),
    readings: readingsWith({}),
    policy: standardPolicy,
  })
  const { status, buckets, advisory } = healthOf(corridorOf('GB-NG'), decision, ['fraud_flags'])
  assert.equal(status, 'IMPAIRED')
  assert.equal(buckets?.compliance, null, 'a confirmed payee says nothing of fraud')
  assert.equal(buckets?.network?.label, 'CLEAR')
  assert.match(advisory, /fraud check cannot be read/)
})

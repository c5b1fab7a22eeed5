/** Telemetry from the signals that need no payment. */

import { test } from 'node:test'
import { isImpaired, probedComposite, type ProbedRisks } from '../../../src/core/live/probed.ts'
import { check } from '../../helpers/check.ts'

test('the composite is the weighted mean of what was read, rounded down; without all of it there is none', () => {
  check<ProbedRisks, number | null>(
    [
      [{}, null],
      [{ network_healthy: null }, null],
      [{ network_healthy: 1000, fraud_flags: null }, null],
      [{ network_healthy: 1000 }, 100_000],
      [{ network_healthy: 500 }, 50_000],
      // 25 of 700 and 10 of 1000, of 35.
      [{ network_healthy: 700, fx_volatility: 1000 }, 78_571],
      [{ cop_overridden: 0 }, 0],
    ],
    probedComposite,
  )
})

test('impaired: a signal that cannot be read, a critical one, or three flags', () => {
  check<ProbedRisks, boolean>(
    [
      [{}, false],
      [{ network_healthy: null }, true],
      [{ network_healthy: 250 }, false],
      [{ network_healthy: 249 }, true],
      [{ network_healthy: 499, fx_volatility: 499 }, false],
      [{ network_healthy: 499, fx_volatility: 499, operation_valid: 499 }, true],
      [{ network_healthy: 499, fx_volatility: 499, operation_valid: 500 }, false],
    ],
    isImpaired,
  )
})

/** The cooldown window after a `NO-GO`: 90 seconds from the block, to the millisecond. */

import { test } from 'node:test'
import { clockSkewMsMax, withinCooldown } from '../../../src/core/time/cooldown.ts'
import { check } from '../../helpers/check.ts'

const windowMs = 90_000

test('the window holds from the block up to, and not at, its end', () => {
  check(
    [
      [0, true],
      [1, true],
      [89_999, true],
      [90_000, false],
      [90_001, false],
      [1e12, false],
    ],
    (ageMs) => withinCooldown(1_000_000, 1_000_000 + ageMs, windowMs),
  )
})

test('a block from a clock a little ahead counts, one from further ahead does not', () => {
  check(
    [
      [1, true],
      [clockSkewMsMax, true],
      [clockSkewMsMax + 1, false],
      [86_400_000, false],
    ],
    (aheadMs) => withinCooldown(1_000_000 + aheadMs, 1_000_000, windowMs),
  )
})

test('a window of no length never holds', () => {
  check(
    [
      [0, false],
      [1, false],
    ],
    (ageMs) => withinCooldown(1_000_000, 1_000_000 + ageMs, 0),
  )
})

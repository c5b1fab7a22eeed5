/** How long a worker's place stays empty. */

import { test } from 'node:test'
import { consecutiveExits, restartPauseMs } from '../../../src/core/operate/restart-schedule.ts'
import { check } from '../../helpers/check.ts'

test('each pause is twice the one before, up to ten seconds', () => {
  check<number, number>(
    [
      [1, 100],
      [2, 200],
      [3, 400],
      [7, 6_400],
      [8, 10_000],
      [5_000, 10_000],
    ],
    restartPauseMs,
  )
})

test('who served for a minute begins a new row; who did not makes it longer', () => {
  check<readonly [before: number, servedMs: number], number>(
    [
      [[0, 0], 1],
      [[1, 59_999], 2],
      [[7, 0], 8],
      [[7, 60_000], 1],
    ],
    ([before, servedMs]) => consecutiveExits(before, servedMs),
  )
})

/** The short form of the experiment: ids and keys that are guessed. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { experiment, shareLonger } from '../../torture/experiments/enumeration.ts'
import { check } from '../helpers/check.ts'
import { runShortForm } from '../helpers/short-form.ts'

test('what is unknown, of another owner or revoked gets one and the same answer', async () => {
  const { figures } = await runShortForm('enumeration', experiment)
  assert.equal(Object.keys(figures).length, 4)
})

test('the share of pairs in which the second is longer is that of a full count', () => {
  check<[number[], number[]], number>(
    [
      [
        [
          [1, 2, 3],
          [1, 2, 3],
        ],
        0.5,
      ],
      [
        [
          [1, 2],
          [3, 4],
        ],
        1,
      ],
      [
        [
          [3, 4],
          [1, 2],
        ],
        0,
      ],
      [[[2], [1, 2, 3, 4]], 0.625],
    ],
    ([first, second]) => shareLonger(first, second),
  )
})

/** The short form of the experiment: clocks that jump. */

import { test } from 'node:test'
import { experiment } from '../../torture/experiments/clock-jumps.ts'
import { shortly } from '../helpers/shortly.ts'

test('clocks that jump admit nobody too often and lock nobody out beyond the window', async () => {
  await shortly('clock-jumps', experiment)
})

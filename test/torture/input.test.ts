/** The short form of the experiment: generated input, in process. */

import { test } from 'node:test'
import { experiment } from '../../torture/experiments/input.ts'
import { shortly } from '../helpers/shortly.ts'

test('any input gets an answer that the published document describes', async () => {
  await shortly('input', experiment)
})

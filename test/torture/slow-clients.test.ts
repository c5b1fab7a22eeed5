/** The short form of the experiment: requests that never end. */

import { test } from 'node:test'
import { experiment } from '../../torture/experiments/slow-clients.ts'
import { shortly } from '../helpers/shortly.ts'

test('beside clients who never finish everybody is served, and all of these are ended', async () => {
  await shortly('slow-clients', experiment)
})

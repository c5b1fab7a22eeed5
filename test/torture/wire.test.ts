/** The short form of the experiment: proper HTTP and anything but, to a real process. */

import { test } from 'node:test'
import { experiment } from '../../torture/experiments/wire.ts'
import { shortly } from '../helpers/shortly.ts'

test('whatever comes over a socket is answered on schema, and the process goes on', async () => {
  await shortly('wire', experiment)
})

/** The short forms of the experiments on hostile and unlucky callers. */

import { experiment as races } from '../../torture/experiments/races.ts'
import { experiment as input } from '../../torture/experiments/input.ts'
import { experiment as wire } from '../../torture/experiments/wire.ts'
import { experiment as slowClients } from '../../torture/experiments/slow-clients.ts'
import { experiment as hungryReaders } from '../../torture/experiments/hungry-readers.ts'
import { experiment as clockJumps } from '../../torture/experiments/clock-jumps.ts'
import { testShortForm } from '../helpers/short-form.ts'

testShortForm('races', races)
testShortForm('input', input, 'any input gets an answer that the published document describes')
testShortForm('wire', wire, 'whatever comes over a socket is answered on schema, and the process goes on')
testShortForm(
  'slow-clients',
  slowClients,
  'beside clients who never finish everybody is served, and all of these are ended',
)
testShortForm(
  'hungry-readers',
  hungryReaders,
  'beside readers of the largest file, and clients that never read, everybody is served',
)
testShortForm('clock-jumps', clockJumps)

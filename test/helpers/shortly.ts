/** Runs the short form of an experiment as a test: where a promise did not hold, the seed stands beside the violations. */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import type { Experiment, Outcome } from '../../torture/experiment.ts'

export async function shortly(name: string, experiment: Experiment): Promise<Outcome> {
  const seed = randomInt(2 ** 32)
  const outcome = await experiment.run({ seed, isShort: true, count: null, say: () => {} })
  assert.deepEqual(outcome.violations, [], `npm run torture -- ${name} --short --seed ${seed} repeats it`)
  return outcome
}

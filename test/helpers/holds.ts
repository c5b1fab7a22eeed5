/** Runs the short form of an experiment as a test, with a new seed each time, which is told. */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { Experiment } from '../../torture/experiment.ts'

/** FAIRWAY_TEST_SEED repeats one. */
export function holds(name: string, experiment: Experiment): void {
  test(experiment.promise, async (context) => {
    const seed = Number(process.env['FAIRWAY_TEST_SEED'] ?? randomInt(2 ** 32))
    const say = (line: string): void => context.diagnostic(line)
    say(`seed ${seed}`)
    const { figures, violations } = await experiment.run({ seed, isShort: true, count: null, say })
    for (const [what, value] of Object.entries(figures)) say(`${what}: ${value}`)
    assert.deepEqual(violations, [], `npm run torture -- ${name} --short --seed ${seed}`)
  })
}

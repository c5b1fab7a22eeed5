/** Runs the short form of an experiment as a test. The seed is fixed: `npm run torture` is the place for others. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Experiment, Outcome } from '../../torture/experiment.ts'

export const fixedSeed = 20_261_116

export async function runShortForm(
  name: string,
  experiment: Experiment,
  print: (line: string) => void = () => {},
): Promise<Outcome> {
  const outcome = await experiment.run({ seed: fixedSeed, isShort: true, count: null, print })
  assert.deepEqual(
    outcome.violations,
    [],
    `npm run torture -- ${name} --short --seed ${fixedSeed} repeats it`,
  )
  return outcome
}

/** Named after the promise of the experiment, unless its short form checks less than that. */
export function testShortForm(name: string, experiment: Experiment, guarantee = experiment.promise): void {
  test(guarantee, { skip: experiment.skipped?.() ?? false }, async (context) => {
    const { figures } = await runShortForm(name, experiment, (line) => context.diagnostic(line))
    for (const [what, value] of Object.entries(figures)) context.diagnostic(`${what}: ${value}`)
  })
}

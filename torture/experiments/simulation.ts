/** Deterministic simulation: worlds in which the seed controls clock, randomness, store, feeds and network. */

import { hash } from 'node:crypto'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { withWorldDatabase } from '../simulation/world-database.ts'
import type { Planted } from '../simulation/instance.ts'
import { runWorld } from '../simulation/run-world.ts'
import type { WorldReport } from '../simulation/world.ts'

const worlds = { short: 1_000, long: 100_000 }
const printEvery = 5_000
/** Stops after this many. */
const violationsMax = 10
/** The step between the seeds of two worlds: odd, so that no seed repeats. */
const seedStep = 0x9e3779b1

export const experiment: Experiment = {
  promise:
    'After any failures: no answer without its record, no limit exceeded, no event skipped, no GO in an outage',
  run: (options) => simulate(options),
}

/** The first world uses the seed itself, so its own seed and a count of 1 repeat any world. */
export function worldSeed(seed: number, place: number): number {
  return (seed + Math.imul(place, seedStep)) >>> 0
}

export async function simulate(
  { seed, isShort, count, print }: Options,
  planted: Planted | null = null,
): Promise<Outcome & { readonly digests: readonly string[] }> {
  const wanted = count ?? (isShort ? worlds.short : worlds.long)
  const sums = new Map<string, number>()
  const violations: string[] = []
  const digests: string[] = []
  // A planted bug needs to be found only once.
  const enough = planted === null ? violationsMax : 1
  let run = 0
  await withWorldDatabase(async (worldDatabase) => {
    for (; run < wanted && violations.length < enough; run += 1) {
      const own = worldSeed(seed, run)
      const report = await runWorld({ seed: own, worldDatabase, planted: planted ?? {} })
      for (const [name, times] of report.counts) sums.set(name, (sums.get(name) ?? 0) + times)
      digests.push(report.digest)
      if (report.violation !== null) violations.push(describe(own, report))
      if (report.violation !== null && wanted === 1) for (const line of report.lastEvents) print(`  ${line}`)
      if ((run + 1) % printEvery === 0) print(`${run + 1} worlds`)
    }
  })
  const sorted = [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1))
  // Differs if anything differs between two runs of one seed.
  const trace = hash('sha256', digests.join('\n')).slice(0, 16)
  return { figures: { worlds: run, ...Object.fromEntries(sorted), trace }, violations, digests }
}

function describe(seed: number, { violation }: WorldReport): string {
  return `${violation?.sentence} (step ${violation?.step}; npm run torture -- simulation --seed ${seed} --count 1)`
}

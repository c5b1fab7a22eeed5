/** Deterministic simulation: whole worlds under one seed each, with clock, chance, store, feeds and network in the hands of the seed. */

import { hash } from 'node:crypto'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { withGround } from '../simulation/ground.ts'
import type { Planted } from '../simulation/instance.ts'
import { runWorld } from '../simulation/run-world.ts'
import type { WorldReport } from '../simulation/world.ts'

const worlds = { short: 1_000, long: 100_000 }
const sayEvery = 5_000
/** More are of no use to anybody. */
const violationsMax = 10
/** Between the seeds of two worlds: odd, so that none comes twice. */
const seedStep = 0x9e3779b1

export const experiment: Experiment = {
  promise:
    'Whatever fails, in whatever order: no answer without its record, no limit exceeded, no event skipped, nothing allowed in an outage',
  run: (options) => simulate(options),
}

/** The first world has the seed itself: to see one again, give its own seed and a count of 1. */
export function worldSeed(seed: number, place: number): number {
  return (seed + Math.imul(place, seedStep)) >>> 0
}

export async function simulate(
  { seed, isShort, count, say }: Options,
  planted: Planted | null = null,
): Promise<Outcome & { readonly digests: readonly string[] }> {
  const wanted = count ?? (isShort ? worlds.short : worlds.long)
  const sums = new Map<string, number>()
  const violations: string[] = []
  const digests: string[] = []
  // What was planted needs to be found once.
  const enough = planted === null ? violationsMax : 1
  let run = 0
  await withGround(async (ground) => {
    for (; run < wanted && violations.length < enough; run += 1) {
      const own = worldSeed(seed, run)
      const report = await runWorld({ seed: own, ground, planted: planted ?? {} })
      for (const [name, seen] of report.seen) sums.set(name, (sums.get(name) ?? 0) + seen)
      digests.push(report.digest)
      if (report.violation !== null) violations.push(told(own, report))
      if (report.violation !== null && wanted === 1) for (const line of report.told) say(`  ${line}`)
      if ((run + 1) % sayEvery === 0) say(`${run + 1} worlds`)
    }
  })
  const seen = [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1))
  // Two runs of one seed in which anything at all was different have different ones.
  const trace = hash('sha256', digests.join('\n')).slice(0, 16)
  return { figures: { worlds: run, ...Object.fromEntries(seen), trace }, violations, digests }
}

function told(seed: number, { violation }: WorldReport): string {
  return `${violation?.sentence} (step ${violation?.step}; npm run torture -- simulation --seed ${seed} --count 1)`
}

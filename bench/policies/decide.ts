/** Measures decide under a policy of ten rules, in turns with decide under none. */

import { compilePolicy } from '../../src/app/policy/compile.ts'
import { decide, type DecideInput } from '../../src/core/decision/decide.ts'
import type { Tightening } from '../../src/core/decision/tightening.ts'
import type { Bench } from '../bench.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import { mixedInputs } from '../verify/decide.ts'
import { tenRules } from './rules.ts'

/** Uses every result, so that no work can be optimised away. */
let sink = 0

export function benchRules({ sizes, print }: Bench): Row[] {
  const without = mixedInputs().filter(({ amount, supported }) => amount !== null && supported)
  const tightening = tighteningByTenRules()
  const under = without.map((input) => ({ ...input, tightening }))
  round(without, under, sizes.warmUpMs)
  const rounds = Array.from({ length: sizes.rounds }, () => round(without, under, sizes.roundMs))
  if (!(sink > 0)) throw new Error('nothing was decided')
  print(`policies: ${sizes.rounds} rounds of decide`)
  return [
    {
      group: 'policies',
      row: 'decide under a policy of 10 rules',
      value: 1_000_000 / medianOf(rounds.map(({ underUs }) => underUs)),
      unit: 'decisions/s',
      ratio: null,
      target: { bound: 'at least', value: 150_000 },
      detail: { rounds, toNone: spreadOf(rounds.map(({ underUs, withoutUs }) => underUs / withoutUs)) },
    },
  ]
}

function tighteningByTenRules(): Tightening {
  const compiled = compilePolicy(tenRules)
  if (compiled.kind === 'faulty') throw new Error(JSON.stringify(compiled.faults))
  return {
    policies: { owner: compiled.as('pol_bench'), installation: null },
    circumstances: {
      mode: 'shadow',
      source: 'simulation',
      volatility: 0.02,
      partner: 'sim-partner-birch',
      isCalendarOpen: null,
      atMs: Date.UTC(2026, 0, 14, 12),
    },
  }
}

/** Alternates between the two in every pass, so that noise affects both. */
function round(without: readonly DecideInput[], under: readonly DecideInput[], durationMs: number) {
  const startedMs = performance.now()
  let withoutMs = 0
  let underMs = 0
  let count = 0
  while (performance.now() - startedMs < durationMs) {
    const beginMs = performance.now()
    for (const input of without) sink += decide(input).scoreHundredths
    const middleMs = performance.now()
    for (const input of under) sink += decide(input).scoreHundredths
    underMs += performance.now() - middleMs
    withoutMs += middleMs - beginMs
    count += without.length
  }
  return { withoutUs: (withoutMs * 1_000) / count, underUs: (underMs * 1_000) / count }
}

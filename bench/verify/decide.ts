/** Measures a decision relative to serialising its result as JSON and to a general rules engine. */

import { Engine, type RuleProperties } from 'json-rules-engine'
import { isSupported, parseCorridor } from '../../src/core/reference/corridor.ts'
import { parseCurrency } from '../../src/core/reference/currency.ts'
import { decide, type DecideInput, type Decision } from '../../src/core/decision/decide.ts'
import { standardPolicy } from '../../src/core/decision/policy.ts'
import {
  flagThresholdThousandths,
  signalNames,
  type Readings,
  type SignalName,
} from '../../src/core/decision/signals.ts'
import { simulate } from '../../src/core/shadow/simulation.ts'
import { scenarios } from '../../src/core/shadow/test-amounts.ts'
import type { Bench } from '../bench.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'

/** The last two corridors are unsupported, and no supported one accepts the dollar. */
const corridors = ['GB-NG', 'NG-GB', 'GB-KE', 'FR-JP']
const currencies = ['GBP', 'NGN', 'USD']
const amounts = [null, 20, 250, 1_000, 15_000, 60_000, 85_000, 300_000, 600_000]

/** Every corridor with every amount and every scenario that leads to a decision; the currencies alternate. */
export function mixedInputs(): DecideInput[] {
  const decided = Object.values(scenarios).filter(({ unreachable }) => unreachable.length === 0)
  const inputs: DecideInput[] = []
  for (const text of corridors) {
    for (const amount of amounts) {
      for (const scenario of [null, ...decided]) {
        const corridor = parseCorridor(text)
        const currency = parseCurrency(currencies[inputs.length % currencies.length] ?? '')
        if (corridor === null || currency === null) throw new Error(`${text} is not a corridor`)
        const readings = simulate({ corridor, amount, currency }, scenario)
        inputs.push({
          corridor,
          supported: isSupported(corridor),
          amount,
          currency,
          readings,
          policy: standardPolicy,
        })
      }
    }
  }
  return inputs
}

/** One rule per signal, with the threshold of the core. */
function createEngine(): Engine {
  const rules = signalNames.map((signal): RuleProperties => {
    const flagged =
      signal === 'fraud_flags'
        ? { fact: 'fraudFlagCount', operator: 'greaterThan', value: 0 }
        : { fact: signal, operator: 'lessThan', value: flagThresholdThousandths }
    return { conditions: { all: [flagged] }, event: { type: signal } }
  })
  return new Engine(rules)
}

type Facts = Readonly<Record<string, number>>

/** Flat facts, the fastest form for the rules engine. */
function factsOf(readings: Readings): Facts {
  const risks = signalNames.map((signal) => [signal, readings[signal].healthThousandths] as const)
  return { fraudFlagCount: readings.fraudFlagCount, ...Object.fromEntries(risks) }
}

/** Checks that both find the same flags, and that each of the seven occurs. */
async function checkAgreement(engine: Engine, inputs: readonly DecideInput[]): Promise<void> {
  const flaggedSignals = new Set<SignalName>()
  for (const input of inputs) {
    const own = decide(input).evidence.factors.filter(({ flagged }) => flagged)
    for (const { signal } of own) flaggedSignals.add(signal)
    const expected = own.map(({ signal }) => signal).toSorted()
    const { events } = await engine.run(factsOf(input.readings))
    const actual = events.map(({ type }) => type).toSorted()
    if (actual.join() !== expected.join()) {
      throw new Error(`json-rules-engine flags [${actual.join()}], decide flags [${expected.join()}]`)
    }
  }
  const missing = signalNames.filter((signal) => !flaggedSignals.has(signal))
  if (missing.length > 0) throw new Error(`no input flags ${missing.join()}`)
}

interface Round {
  readonly decideUs: number
  readonly stringifyUs: number
  readonly rulesUs: number
}

/** Uses every result, so that no work can be optimised away. */
let sink = 0

/** Alternates between the two in every pass, so that noise affects both. */
function measureDecide(inputs: readonly DecideInput[], durationMs: number): Omit<Round, 'rulesUs'> {
  const results: Decision[] = inputs.map((input) => decide(input))
  const startedMs = performance.now()
  let decideMs = 0
  let stringifyMs = 0
  let passes = 0
  while (performance.now() - startedMs < durationMs) {
    const beginMs = performance.now()
    for (const [place, input] of inputs.entries()) results[place] = decide(input)
    const decidedMs = performance.now()
    for (const result of results) sink += JSON.stringify(result).length
    stringifyMs += performance.now() - decidedMs
    decideMs += decidedMs - beginMs
    for (const { scoreHundredths, reasons } of results) sink += scoreHundredths + reasons.length
    passes += 1
  }
  const count = passes * inputs.length
  return { decideUs: (decideMs * 1000) / count, stringifyUs: (stringifyMs * 1000) / count }
}

async function measureRules(engine: Engine, facts: readonly Facts[], durationMs: number): Promise<number> {
  const startedMs = performance.now()
  let count = 0
  while (performance.now() - startedMs < durationMs) {
    for (const one of facts) {
      const { events } = await engine.run(one)
      sink += events.length
    }
    count += facts.length
  }
  return ((performance.now() - startedMs) * 1000) / count
}

export async function benchDecide({ sizes, print }: Bench): Promise<Row[]> {
  const inputs = mixedInputs()
  const facts = inputs.map(({ readings }) => factsOf(readings))
  const engine = createEngine()
  await checkAgreement(engine, inputs)

  const measure = async (durationMs: number): Promise<Round> => ({
    ...measureDecide(inputs, durationMs),
    rulesUs: await measureRules(engine, facts, durationMs),
  })
  await measure(sizes.warmUpMs)
  const rounds: Round[] = []
  for (let round = 1; round <= sizes.rounds; round += 1) {
    rounds.push(await measure(sizes.roundMs))
    print(`decide: round ${round} of ${sizes.rounds}`)
  }
  if (!(sink > 0)) throw new Error('nothing was decided')
  return rowsOf(rounds, inputs.length)
}

function rowsOf(rounds: readonly Round[], inputs: number): Row[] {
  const perSecond = (usOf: (round: Round) => number): number => 1_000_000 / medianOf(rounds.map(usOf))
  const common = { group: 'decide', ratio: null, target: null }
  return [
    {
      ...common,
      row: "baseline of decide: JSON.stringify of decide's own result",
      value: perSecond(({ stringifyUs }) => stringifyUs),
      unit: 'results/s',
    },
    {
      ...common,
      row: 'decide, time relative to JSON.stringify',
      value: perSecond(({ decideUs }) => decideUs),
      unit: 'decisions/s',
      ratio: spreadOf(rounds.map(({ decideUs, stringifyUs }) => decideUs / stringifyUs)),
      target: { bound: 'at most', value: 5 },
      detail: { inputs, rounds },
    },
    {
      ...common,
      row: 'json-rules-engine on the same seven flags (ratio: decide to this)',
      value: perSecond(({ rulesUs }) => rulesUs),
      unit: 'evaluations/s',
      ratio: spreadOf(rounds.map(({ decideUs, rulesUs }) => rulesUs / decideUs)),
    },
  ]
}

/** Measures decide and verify under a policy of ten rules, relative to none, and backtests. */

import { everydayBody, type Bench } from '../bench.ts'
import type { Measured, Traffic } from '../harness/loader.ts'
import { startService, trafficOf, verifyOnce, type Engine, type Server } from '../harness/service.ts'
import { spreadOf, type Row } from '../report.ts'
import { figures } from '../verify/throughput.ts'
import { benchBacktest } from './backtest.ts'
import { benchRules } from './decide.ts'
import { createTenRules, issueTwoKeys, send } from './owner.ts'

const roundWarmUpMs = 200
const names = ['without', 'under'] as const
type Name = (typeof names)[number]

export async function benchPolicies(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [...benchRules(bench)]
  for (const engine of bench.sizes.sideEngines) rows.push(await benchVerify(bench, engine))
  rows.push(...(await benchBacktest(bench)))
  return rows
}

/** Two owners on one service: one of them has the policy, written by one of its keys and promoted by the other. */
async function benchVerify({ sizes, databases, loader, print }: Bench, engine: Engine): Promise<Row> {
  const database = await databases.fresh(engine)
  const { author, approver } = await issueTwoKeys(database.url)
  const server = await startService(database, { FAIRWAY_COOLDOWN_S: '0' })
  const id = await createTenRules(server, author)
  await send(server, approver, `/${id}/promote`, { reason: 'A benchmark.' })
  const traffic = { without: trafficOf(database.key, everydayBody), under: trafficOf(author, everydayBody) }
  await checkAnswers(server, traffic)
  for (const name of names)
    await loader.run(server, traffic[name], { warmUpMs: 0, durationMs: sizes.warmUpMs })
  const results: Record<Name, Measured[]> = { without: [], under: [] }
  const bound = { warmUpMs: roundWarmUpMs, durationMs: sizes.roundMs }
  for (let round = 1; round <= sizes.rounds; round += 1) {
    // The order alternates, so that neither is always first.
    for (const name of round % 2 === 1 ? names : names.toReversed())
      results[name].push(await loader.run(server, traffic[name], bound))
  }
  await server.stop()
  await databases.discard(database)
  print(`policies on ${engine}: ${sizes.rounds} rounds`)
  const ratios = results.under.map(
    ({ requestsPerSecond }, round) =>
      requestsPerSecond / (results.without[round]?.requestsPerSecond ?? Number.NaN),
  )
  return {
    group: 'policies',
    row: `${engine}: verify under a policy of 10 rules, relative to none`,
    ratio: spreadOf(ratios),
    target: { bound: 'at least', value: 0.95 },
    ...figures({ results: results.under }),
  }
}

async function checkAnswers(server: Server, { without, under }: Record<Name, Traffic>): Promise<void> {
  const [first, second] = [await verifyOnce(server, without), await verifyOnce(server, under)]
  const isRight =
    first['policy_version'] === null && second['policy_version'] !== null && second['decision'] === 'GO'
  if (!isRight) throw new Error(`unexpected answers: ${JSON.stringify([first, second])}`)
}

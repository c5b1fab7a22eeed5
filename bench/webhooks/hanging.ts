/** Measures whether hanging endpoints, each with a backlog, slow down a healthy endpoint or verify. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { medianOf, spreadOf, type Row, type Target } from '../report.ts'
import type { Database, Engine } from '../harness/service.ts'
import {
  emptyOutbox,
  fillOutbox,
  runSql,
  startReceiver,
  until,
  type Receiver,
  type CountingSender,
} from './setup.ts'
import { pacedRun, type PacedRun } from './verify.ts'

const owners = 25
const endpointsEach = 20
const hangingCount = owners * endpointsEach
/** Many more than can be attempted while they hang. */
const backlogEach = 20
const ratePerSecond = 200
/** By then the first attempt at each has timed out, and the service classifies them as slow. */
const settleMs = 6_500
const isHanging = "webhook_id LIKE 'whk_hanging_%'"
/** The requirement is only that nothing changes noticeably. */
const unchanged: Target = { bound: 'at most', value: 1.5 }

interface Round {
  readonly without: PacedRun
  readonly with: PacedRun
  /** Connections to hanging endpoints at the end of their round. */
  readonly hangingConnections: number
}

/** Uses one service with records for both, so that only the hanging endpoints differ. */
export async function benchHanging(bench: Bench, engine: Engine, sender: CountingSender): Promise<Row[]> {
  const { sizes, print } = bench
  const { database } = sender
  const silent = await startReceiver('hang')
  await runSql(database, [registration(silent.port)])
  const measure = (): Promise<PacedRun> => pacedRun(bench, sender, ratePerSecond, sizes.hangingRoundMs)
  await pacedRun(bench, sender, ratePerSecond, sizes.warmUpMs)

  const rounds: Round[] = []
  for (let round = 1; round <= sizes.hangingRounds; round += 1) {
    // The order alternates, which also halves the number of switches.
    const early = round % 2 === 1 ? await measure() : null
    if (early !== null) await startHanging(database, silent)
    const withHanging = await measure()
    const { connectionsOpen } = await silent.count()
    if (early === null) await endHanging(database, silent)
    rounds.push({
      without: early ?? (await measure()),
      with: withHanging,
      hangingConnections: connectionsOpen,
    })
  }
  print(`webhooks on ${engine}: ${sizes.hangingRounds} rounds with ${hangingCount} hanging endpoints`)
  await silent.stop()
  return rowsOf(engine, rounds)
}

/** Inserts the endpoints directly: registration over HTTP would need a key for each owner. */
function registration(port: number): string {
  const secrets = JSON.stringify([{ secret: `whsec_${'A'.repeat(43)}=`, endsAtMs: null }])
  const rows = Array.from({ length: hangingCount }, (_, index) => {
    const owner = Math.floor(index / endpointsEach)
    const place = (index % endpointsEach) + 1
    const url = `http://127.0.0.1:${port}/${owner}/${place}`
    return `('whk_hanging_${index}', 'own_hanging_${owner}', ${place}, '${url}', 'payment.decision.created',
      '${secrets}', ${Date.now()})`
  })
  const columns = 'webhook_id, owner_id, place, url, events, secrets, created_at_ms'
  return `INSERT INTO webhooks (${columns}) VALUES ${rows.join(', ')}`
}

async function startHanging(database: Database, silent: Receiver): Promise<void> {
  await fillOutbox(database, isHanging, backlogEach)
  await pause(settleMs)
  const { connectionsOpen } = await silent.count()
  if (connectionsOpen < hangingCount / 2) {
    throw new Error(`only ${connectionsOpen} of ${hangingCount} deliveries hang`)
  }
}

/** Waits for hanging attempts to end; they find that their delivery was deleted. */
async function endHanging(database: Database, silent: Receiver): Promise<void> {
  await emptyOutbox(database, isHanging)
  await until('the hanging connections to close', async () => (await silent.count()).connectionsOpen === 0)
  await emptyOutbox(database, isHanging)
}

function rowsOf(engine: Engine, rounds: readonly Round[]): Row[] {
  const row = (name: string, figureOf: (run: PacedRun) => number): Row => ({
    group: 'webhooks',
    row: `${engine}: ${name} at ${ratePerSecond}/s with ${hangingCount} hanging endpoints, relative to without`,
    value: medianOf(rounds.map((round) => figureOf(round.with))),
    unit: 'ms',
    ratio: spreadOf(rounds.map((round) => figureOf(round.with) / figureOf(round.without))),
    target: unchanged,
  })
  return [
    {
      ...row('delivery p50', ({ deliveries }) => deliveries.delayP50Ms),
      p50Ms: medianOf(rounds.map((round) => round.with.deliveries.delayP50Ms)),
      detail: { rounds },
    },
    {
      ...row('delivery p99', ({ deliveries }) => deliveries.delayP99Ms),
      p99Ms: medianOf(rounds.map((round) => round.with.deliveries.delayP99Ms)),
    },
    {
      ...row('verify p99', ({ verifies }) => verifies.p99Ms),
      p50Ms: medianOf(rounds.map((round) => round.with.verifies.p50Ms)),
      p99Ms: medianOf(rounds.map((round) => round.with.verifies.p99Ms)),
    },
  ]
}

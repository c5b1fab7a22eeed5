/** Measures what several processes and servers cost and gain: a synchronous standby, and a second worker. */

import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { withDirectDatabase } from '../../test/helpers/database/sql.ts'
import type { Bench } from '../bench.ts'
import { alternate, rowOf, type Contender } from '../harness/pair.ts'
import { closeAtEnd } from '../harness/processes.ts'
import { startService, withKey } from '../harness/service.ts'
import type { Row } from '../report.ts'
import { until } from '../webhooks/setup.ts'

export async function benchCluster(bench: Bench): Promise<Row[]> {
  return [await benchStandby(bench), await benchWorkers(bench)]
}

async function benchStandby(bench: Bench): Promise<Row> {
  const without = await onFreshDatabase(bench, {})
  const database = await withKey('postgres', await startWithStandby())
  const withStandby = { database, server: await startService(database, {}) }
  const pairs = await alternate(bench, { without, with: withStandby })
  for (const { server } of [without, withStandby]) await server.stop()
  bench.print(`cluster: ${bench.sizes.rounds} rounds of verify with a synchronous standby`)
  return rowOf('cluster', 'postgres: verify with a synchronous standby, relative to without', pairs, null)
}

async function benchWorkers(bench: Bench): Promise<Row> {
  const without = await onFreshDatabase(bench, {})
  const withTwo = await onFreshDatabase(bench, { FAIRWAY_WORKERS: '2' })
  const pairs = await alternate(bench, { without, with: withTwo })
  for (const { server } of [without, withTwo]) await server.stop()
  bench.print(`cluster: ${bench.sizes.rounds} rounds of verify with 2 workers`)
  return rowOf('cluster', 'postgres: verify with 2 workers, relative to 1', pairs, null)
}

async function onFreshDatabase(
  { databases }: Bench,
  settings: Readonly<Record<string, string>>,
): Promise<Contender> {
  const database = await databases.fresh('postgres')
  return { database, server: await startService(database, settings) }
}

/** A server whose commits wait for a standby on the same machine, which shares its two cores and its disk. */
async function startWithStandby(): Promise<string> {
  const primary = await startPostgres()
  closeAtEnd(() => primary.stop())
  await primary.halt()
  const standby = await startPostgres({ standbyOf: primary })
  closeAtEnd(() => standby.stop())
  await primary.resume()
  await withDirectDatabase(primary.url, async ({ run }) => {
    await run(`ALTER SYSTEM SET synchronous_standby_names TO '*'`)
    await run('SELECT pg_reload_conf()')
    const confirming = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`
    await until('the standby to confirm', async () => (await run(confirming)).length === 1)
  })
  return primary.url
}

/** Measures the start of the service relative to bare Fastify. */

import { resolve } from 'node:path'
import { fillPackage } from '../../scripts/release/package.ts'
import { everydayBody, type Bench } from '../bench.ts'
import { spreadOf, type Row } from '../report.ts'
import { startBaseline, startService, trafficOf, verifyOnce } from '../harness/service.ts'
import { temporaryDirectory } from '../harness/processes.ts'

export async function benchStart({ sizes, servers, print }: Bench): Promise<Row[]> {
  const service = await servers.open('sqlite')
  const answer = JSON.stringify(
    await verifyOnce(service.server, trafficOf(service.database.key, everydayBody)),
  )
  await servers.close(service)
  const folder = temporaryDirectory()
  await fillPackage(resolve('.'), folder)
  const packaged = [`${folder}/bin/fairway.js`, 'serve']
  const ownMs: number[] = []
  const packageMs: number[] = []
  const bareMs: number[] = []
  for (let start = 1; start <= sizes.starts; start += 1) {
    const own = await startService({ url: `sqlite:${temporaryDirectory()}/start.db` })
    await own.stop()
    const installed = await startService({ url: `sqlite:${temporaryDirectory()}/start.db` }, {}, packaged)
    await installed.stop()
    const bare = await startBaseline(['bench/harness/baseline.ts', answer])
    await bare.stop()
    ownMs.push(own.startMs)
    packageMs.push(installed.startMs)
    bareMs.push(bare.startMs)
    print(
      `start ${start} of ${sizes.starts}: ${Math.round(own.startMs)} ms, the package ${Math.round(installed.startMs)} ms`,
    )
  }
  const common = { group: 'start', unit: 'ms', ratio: null, target: null }
  return [
    {
      ...common,
      row: 'baseline of the start: bare Fastify until listening',
      value: spreadOf(bareMs).median,
      detail: { startsMs: bareMs },
    },
    {
      ...common,
      row: 'start to first answer of a checkout, fresh SQLite file',
      value: spreadOf(ownMs).median,
      target: { bound: 'under', value: 2_000 },
      detail: { startsMs: ownMs },
    },
    {
      ...common,
      row: 'start to first answer of the package, fresh SQLite file',
      value: spreadOf(packageMs).median,
      target: { bound: 'under', value: 1_000 },
      detail: { startsMs: packageMs },
    },
    {
      ...common,
      row: 'the same, relative to bare Fastify',
      value: spreadOf(packageMs).median,
      ratio: spreadOf(packageMs.map((startMs, place) => startMs / (bareMs[place] ?? Number.NaN))),
    },
  ]
}

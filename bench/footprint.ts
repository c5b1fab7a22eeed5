/** How soon a fresh service answers, and how much memory it holds after many verifications. */

import { everydayBody, type Bench } from './bench.ts'
import { memoryOf } from './loader.ts'
import { spreadOf, type Row } from './report.ts'
import { startService, trafficOf } from './service.ts'
import { temporaryDirectory } from './processes.ts'

const megabyte = 1_000_000
const judgedRequests = 100_000

export async function benchStart({ sizes, say }: Bench): Promise<Row[]> {
  const startsMs: number[] = []
  for (let start = 1; start <= sizes.starts; start += 1) {
    const server = await startService({ url: `sqlite:${temporaryDirectory()}/start.db` })
    startsMs.push(server.startMs)
    await server.stop()
    say(`start ${start} of ${sizes.starts}: ${Math.round(server.startMs)} ms`)
  }
  return [
    {
      group: 'start',
      row: 'start to first answer, fresh SQLite file',
      value: spreadOf(startsMs).median,
      unit: 'ms',
      ratio: null,
      target: { bound: 'under', value: 2_000 },
      detail: { startsMs },
    },
  ]
}

export async function benchMemory({ sizes, loader, databases, say }: Bench): Promise<Row[]> {
  const requests = sizes.memoryRequests
  const database = await databases.fresh('sqlite')
  const server = await startService(database)
  const before = memoryOf(server.pid)
  const measured = await loader.run(server, trafficOf(database.key, everydayBody), { requests })
  const after = memoryOf(server.pid)
  await server.stop()
  if (before === null || after === null) {
    say('memory: left out, since this system has no /proc')
    return []
  }
  return [
    {
      group: 'memory',
      row: `resident memory after ${requests.toLocaleString('en-GB')} verifications, SQLite`,
      value: after.residentBytes / megabyte,
      unit: 'MB',
      ratio: null,
      // Asked of so many; a quick run sends fewer and is not judged.
      target: requests < judgedRequests ? null : { bound: 'under', value: 200 },
      detail: { before, after, measured },
    },
  ]
}

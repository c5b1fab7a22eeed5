/** Measures the client and a CLI command, each relative to a bare fetch. */

import { FairwayClient } from '../../client/src/index.ts'
import { everydayBody, type Bench } from '../bench.ts'
import { runNode } from '../harness/processes.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'

const callers = 8
const commandMsMax = 30_000

export async function benchClient(bench: Bench): Promise<Row[]> {
  const { servers, print } = bench
  const service = await servers.open('sqlite')
  const { database, server } = service
  const url = `http://127.0.0.1:${server.port}`
  const rows = [await benchCalls(bench, url, database.key), await benchCommand(bench, url)]
  await servers.close(service)
  print('client: done')
  return rows
}

/** Repeats a call for a while; returns calls per second. */
async function rate(call: () => Promise<unknown>, durationMs: number): Promise<number> {
  const startedMs = performance.now()
  let count = 0
  const caller = async (): Promise<void> => {
    while (performance.now() - startedMs < durationMs) {
      await call()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count * 1000) / (performance.now() - startedMs)
}

async function benchCalls({ sizes, print }: Bench, url: string, key: string): Promise<Row> {
  const client = new FairwayClient({ baseUrl: url, apiKey: key })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const bare = async (): Promise<unknown> => {
    const body = JSON.stringify({ ...everydayBody, idempotency_key: crypto.randomUUID() })
    const response = await fetch(`${url}/api/v1/verify`, { method: 'POST', headers, body })
    return response.json()
  }
  const own = (): Promise<unknown> => client.verify(everydayBody)
  const rates: number[] = []
  const ratios: number[] = []
  for (let round = 0; round <= sizes.rounds; round += 1) {
    const [ownRate, bareRate] = [await rate(own, sizes.roundMs), await rate(bare, sizes.roundMs)]
    // Round 0 warms up.
    if (round === 0) continue
    rates.push(ownRate)
    ratios.push(ownRate / bareRate)
    print(
      `client, round ${round} of ${sizes.rounds}: ${Math.round(ownRate)} with the client, ${Math.round(bareRate)} bare`,
    )
  }
  return {
    group: 'client',
    row: `verify with the client, ${callers} concurrent, relative to a bare fetch`,
    value: medianOf(rates),
    unit: 'requests/s',
    ratio: spreadOf(ratios),
    target: { bound: 'at least', value: 0.8 },
  }
}

/** One HTTP request without our code. */
const bareCommand = (url: string): string[] => [
  '--input-type=module',
  '-e',
  `process.stdout.write(await (await fetch('${url}/api/health')).text())`,
]

async function benchCommand({ sizes, print }: Bench, url: string): Promise<Row> {
  const timed = async (args: readonly string[]): Promise<number> => {
    const startedMs = performance.now()
    await runNode(args, { FAIRWAY_URL: url }, { timeoutMs: commandMsMax })
    return performance.now() - startedMs
  }
  const times: number[] = []
  const ratios: number[] = []
  for (let run = 0; run <= sizes.starts; run += 1) {
    const [ownMs, bareMs] = [await timed(['bin/fairway.js', 'health']), await timed(bareCommand(url))]
    if (run === 0) continue
    times.push(ownMs)
    ratios.push(ownMs / bareMs)
    print(
      `fairway health, run ${run} of ${sizes.starts}: ${Math.round(ownMs)} ms, bare ${Math.round(bareMs)} ms`,
    )
  }
  return {
    group: 'client',
    row: 'fairway health, start to exit, relative to a bare fetch in Node.js',
    value: medianOf(times),
    unit: 'ms',
    ratio: spreadOf(ratios),
    target: { bound: 'under', value: 3 },
  }
}

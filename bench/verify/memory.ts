/** Measures the memory of the service over many verifications, and its growth. */

import { everydayBody, type Bench } from '../bench.ts'
import { memoryOf } from '../harness/loader.ts'
import type { Row } from '../report.ts'
import { trafficOf, type Engine } from '../harness/service.ts'

const megabyte = 1_000_000
const judgedRequests = 1_000_000
const sampleEveryMs = 100
const fifths = 5

export async function benchMemory(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader, servers, print } = bench
  const requests = sizes.memoryRequests
  const service = await servers.open(engine)
  const { database, server } = service
  const residentMB: number[] = []
  const sampler = setInterval(() => {
    const sample = memoryOf(server.pid)
    if (sample !== null) residentMB.push(sample.residentBytes / megabyte)
  }, sampleEveryMs)
  // A new key per request, so that a leak per request or per key adds up.
  const traffic = trafficOf(database.key, everydayBody, 'distinct')
  const measured = await loader.run(server, traffic, { requests }).finally(() => clearInterval(sampler))
  const memory = memoryOf(server.pid)
  await servers.close(service)
  if (memory === null || residentMB.length < fifths) {
    print(
      `memory on ${engine}: skipped, ${memory === null ? 'this system has no /proc' : 'the run was too short'}`,
    )
    return []
  }
  print(`memory on ${engine}: ${requests.toLocaleString('en-GB')} requests, ${residentMB.length} samples`)
  const peakMB = memory.residentBytesMax / megabyte
  return rowsOf(engine, requests, residentMB, { peakMB, measured })
}

function rowsOf(
  engine: Engine,
  requests: number,
  residentMB: readonly number[],
  totals: { readonly peakMB: number; readonly measured: unknown },
): Row[] {
  const part = (from: number, to: number): readonly number[] =>
    residentMB.slice(
      Math.floor((residentMB.length * from) / fifths),
      Math.floor((residentMB.length * to) / fifths),
    )
  const earlyMB = Math.max(...part(1, 2))
  const last = part(fifths - 1, fifths)
  const lateMB = Math.max(...last)
  const named = `the service on ${engine}, ${requests.toLocaleString('en-GB')} verifications`
  // The target applies to this many requests. A quick run sends fewer and gets no verdict.
  const judged = requests >= judgedRequests
  return [
    {
      group: 'memory',
      row: `resident memory of ${named}: maximum in the last fifth`,
      value: lateMB,
      unit: 'MB',
      ratio: null,
      target: judged ? { bound: 'under', value: 220 } : null,
      detail: { ...totals, samplesMB: thinned(residentMB) },
    },
    {
      group: 'memory',
      row: 'growth of the same: relative to the maximum in the second fifth',
      value: lateMB,
      unit: 'MB',
      ratio: { median: lateMB / earlyMB, min: Math.min(...last) / earlyMB, max: lateMB / earlyMB },
      target: judged ? { bound: 'at most', value: flatAtMost } : null,
      detail: { secondFifthMB: earlyMB, lastFifthMB: lateMB, grownMB: lateMB - earlyMB },
    },
    {
      group: 'memory',
      row: 'peak of the same',
      value: totals.peakMB,
      unit: 'MB',
      ratio: null,
      target: null,
    },
  ]
}

/**
 * Compares with the second fifth, because the process is largest before its first full collection, after about 75,000
 * requests. Compares maxima, because later collections shrink the heap at irregular times. With a million requests,
 * 600,000 lie between the two fifths: a twentieth of 180 MB is 15 bytes per request, the size of the smallest object.
 */
const flatAtMost = 1.05

/** Enough for a chart. */
const samplesMax = 200

function thinned(samples: readonly number[]): number[] {
  const every = Math.ceil(samples.length / samplesMax)
  return samples.filter((_, place) => place % every === 0).map((value) => Math.round(value * 10) / 10)
}

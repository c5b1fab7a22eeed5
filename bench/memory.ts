/** How much memory the service holds over many verifications, and whether it grows with them. */

import { everydayBody, type Bench } from './bench.ts'
import { memoryOf } from './loader.ts'
import type { Row } from './report.ts'
import { trafficOf, type Engine } from './service.ts'

const megabyte = 1_000_000
const judgedRequests = 1_000_000
const sampleEveryMs = 100
const fifths = 5

export async function benchMemory(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader, servers, say } = bench
  const requests = sizes.memoryRequests
  const service = await servers.open(engine)
  const { database, server } = service
  const residentMB: number[] = []
  const sampler = setInterval(() => {
    const seen = memoryOf(server.pid)
    if (seen !== null) residentMB.push(seen.residentBytes / megabyte)
  }, sampleEveryMs)
  // A new key each: whatever is kept for a request or for its key adds up.
  const traffic = trafficOf(database.key, everydayBody, 'distinct')
  const measured = await loader.run(server, traffic, { requests }).finally(() => clearInterval(sampler))
  const memory = memoryOf(server.pid)
  await servers.close(service)
  if (memory === null || residentMB.length < fifths) {
    say(
      `memory on ${engine}: left out, since ${memory === null ? 'this system has no /proc' : 'it was too short'}`,
    )
    return []
  }
  say(`memory on ${engine}: ${requests.toLocaleString('en-GB')} requests, ${residentMB.length} looks`)
  const peakMB = memory.residentBytesMax / megabyte
  return rowsOf(engine, requests, residentMB, { peakMB, measured })
}

function rowsOf(
  engine: Engine,
  requests: number,
  residentMB: readonly number[],
  beside: { readonly peakMB: number; readonly measured: unknown },
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
  // Asked of so many; a quick run sends fewer and is not judged.
  const judged = requests >= judgedRequests
  return [
    {
      group: 'memory',
      row: `resident memory of ${named}: the most in the last fifth`,
      value: lateMB,
      unit: 'MB',
      ratio: null,
      target: judged ? { bound: 'under', value: 220 } : null,
      detail: { ...beside, samplesMB: thinned(residentMB) },
    },
    {
      group: 'memory',
      row: 'growth of the same: to the most in the second fifth',
      value: lateMB,
      unit: 'MB',
      ratio: { median: lateMB / earlyMB, min: Math.min(...last) / earlyMB, max: lateMB / earlyMB },
      target: judged ? { bound: 'at most', value: flatAtMost } : null,
      detail: { secondFifthMB: earlyMB, lastFifthMB: lateMB, grownMB: lateMB - earlyMB },
    },
    {
      group: 'memory',
      row: 'peak of the same, at any time',
      value: beside.peakMB,
      unit: 'MB',
      ratio: null,
      target: null,
    },
  ]
}

/**
 * Of the second fifth, since the process is at its largest before its first full collection, which came after some 75,000
 * requests. The most, since later ones let it fall by megabytes at times of their own. From the second fifth of a million to
 * the last lie 600,000 requests: a twentieth of 180 MB is 15 bytes for each, which is as small as an object gets.
 */
const flatAtMost = 1.05

/** So many are enough to draw a line through. */
const samplesMax = 200

function thinned(samples: readonly number[]): number[] {
  const every = Math.ceil(samples.length / samplesMax)
  return samples.filter((_, place) => place % every === 0).map((value) => Math.round(value * 10) / 10)
}

/** Measures the metrics of a verify: our own counters relative to prom-client. */

import { Counter, Histogram, Registry } from 'prom-client'
import { createMetrics } from '../../src/adapters/metrics.ts'
import type { Bench } from '../bench.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'

const verifiesPerRound = 100_000
const route = '/api/v1/verify'
const verdicts = ['GO', 'DEGRADED', 'NO-GO'] as const
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type CountVerify = (verdict: (typeof verdicts)[number], seconds: number) => void

/** Counts like the service: the decision, two store calls, and the request. */
function ownCounts(): CountVerify {
  const metrics = createMetrics()
  return (verdict, seconds) => {
    metrics.decided(verdict, 'shadow', 'computed')
    metrics.storeAnswered('look', seconds, true)
    metrics.storeAnswered('commit', seconds, true)
    metrics.answered({ method: 'POST', route, status: 200, seconds })
  }
}

/** The same with the library, with bound children for fixed labels. */
function libraryCounts(): CountVerify {
  const registers = [new Registry()]
  const options = { help: 'Benchmark.', registers }
  const decided = new Counter({ ...options, name: 'decided', labelNames: ['verdict', 'mode', 'source'] })
  const store = new Histogram({ ...options, name: 'store', labelNames: ['operation'], buckets })
  const answered = new Counter({ ...options, name: 'answered', labelNames: ['method', 'route', 'status'] })
  const took = new Histogram({ ...options, name: 'took', labelNames: ['route'], buckets })
  const look = store.labels('look')
  const commit = store.labels('commit')
  return (verdict, seconds) => {
    decided.inc({ verdict, mode: 'shadow', source: 'computed' })
    look.observe(seconds)
    commit.observe(seconds)
    answered.inc({ method: 'POST', route, status: '2xx' })
    took.observe({ route }, seconds)
  }
}

/** CPU time, so that other load on the machine matters little. */
function microsecondsEach(count: CountVerify): number {
  const before = process.cpuUsage()
  for (let at = 0; at < verifiesPerRound; at += 1) count(verdicts[at % 3] ?? 'GO', (at % 97) / 5_000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / verifiesPerRound
}

export async function benchMetrics({ sizes, print }: Bench): Promise<Row[]> {
  const [own, library] = [ownCounts(), libraryCounts()]
  for (const count of [own, library]) microsecondsEach(count)
  const rounds = Array.from({ length: sizes.rounds }, () => ({
    libraryUs: microsecondsEach(library),
    ownUs: microsecondsEach(own),
  }))
  print(`metrics: ${sizes.rounds} rounds`)
  const common = { group: 'metrics', unit: 'us', target: null }
  return [
    {
      ...common,
      row: 'baseline of the metrics of a verify: prom-client',
      value: medianOf(rounds.map(({ libraryUs }) => libraryUs)),
      ratio: null,
    },
    {
      ...common,
      row: 'the metrics of a verify',
      value: medianOf(rounds.map(({ ownUs }) => ownUs)),
      ratio: spreadOf(rounds.map(({ ownUs, libraryUs }) => ownUs / libraryUs)),
      target: { bound: 'at most', value: 0.5 },
      detail: { rounds },
    },
  ]
}

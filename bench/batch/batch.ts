/** Measures a batch of 500 rows over HTTP, relative to parsing and serialising the same bodies. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { batchRowsMax as rows } from '../../src/app/assess/batch-bounds.ts'
import type { Bench } from '../bench.ts'
import type { Measured, Traffic } from '../harness/loader.ts'
import { csvHeader, csvLine, jsonTransaction, payments } from './payments.ts'
import { temporaryDirectory } from '../harness/processes.ts'
import { medianOf, spreadOf, type Row, type Target } from '../report.ts'
import { requestOnce, startBaseline, type Answer, type Server } from '../harness/service.ts'

/** Discarded at the start of each round, while the machine switches servers. */
const roundWarmUpMsMax = 200
/** A batch takes milliseconds and 32 run concurrently, so a shorter round would complete a random number. */
const roundMsMin = 500
const target: Target = { bound: 'under', value: 3 }

/** The service's answers: the JSON report and the records of the CSV. */
export interface BatchAnswers {
  readonly report: Answer
  readonly records: string[][]
}

interface Bodies {
  readonly json: string
  readonly csv: string
}

interface Form {
  readonly name: string
  readonly body: string
  readonly contentType: string
  readonly barePath: string
  /** Parses and serialises the bodies in this process; returns the output length. */
  readonly alone: () => number
}

interface Round {
  readonly own: Measured
  readonly bare: Measured
  readonly aloneUs: number
}

const usOf = ({ requestsPerSecond }: Measured): number => 1_000_000 / requestsPerSecond

export async function benchBatch({ sizes, loader, servers, print }: Bench): Promise<Row[]> {
  const opened = await servers.open('sqlite')
  const { database, server: service } = opened
  const bodies = bodiesOf()
  const traffic = (body: string, contentType: string): Traffic => ({
    path: '/api/v1/batch-assess',
    headers: { authorization: `Bearer ${database.key}`, 'content-type': contentType, accept: contentType },
    body,
    idempotencyKey: null,
  })
  const answers = await answersOf(service, bodies, traffic)
  const bare = await startBaseline(['bench/batch/baseline.ts', writeAnswers(answers)])
  const forms = formsOf(bodies, answers)

  const rounds: Round[][] = forms.map(() => [])
  for (let round = 0; round <= sizes.rounds; round += 1) {
    // Round 0 warms up.
    const durationMs = round === 0 ? sizes.warmUpMs : Math.max(sizes.roundMs, roundMsMin)
    const bound = { warmUpMs: Math.min(roundWarmUpMsMax, durationMs / 5), durationMs }
    for (const [place, { body, contentType, barePath, alone }] of forms.entries()) {
      const own = traffic(body, contentType)
      const measured: Round = {
        own: await loader.run(service, own, bound),
        bare: await loader.run(bare, { ...own, path: barePath }, bound),
        aloneUs: measureAlone(alone, durationMs / 2),
      }
      if (round > 0) rounds[place]?.push(measured)
    }
    if (round > 0) print(`batch: round ${round} of ${sizes.rounds}`)
  }
  await bare.stop()
  await servers.close(opened)
  return forms.flatMap((form, place) => rowsOf(form, rounds[place] ?? []))
}

function bodiesOf(): Bodies {
  const batch = [...payments(rows)]
  return {
    json: JSON.stringify({ report_name: 'Bench', transactions: batch.map(jsonTransaction) }),
    csv: csvHeader + batch.map(csvLine).join(''),
  }
}

/** Fetches both answers and checks that they are complete and agree. */
async function answersOf(
  service: Server,
  bodies: Bodies,
  traffic: (body: string, contentType: string) => Traffic,
): Promise<BatchAnswers> {
  const report = JSON.parse(await requestOnce(service, traffic(bodies.json, 'application/json'))) as Answer
  const records = parse(await requestOnce(service, traffic(bodies.csv, 'text/csv')))
  const assessments = report['assessments'] as readonly Answer[]
  if (report['transaction_count'] !== rows || assessments.length !== rows) {
    throw new Error(`the report has ${String(report['transaction_count'])} rows instead of ${rows}`)
  }
  const [head, ...body] = records
  const at = (column: string): number => head?.indexOf(column) ?? -1
  const agree = assessments.every(
    (one, place) =>
      body[place]?.[at('transaction_id')] === one['transaction_id'] &&
      body[place]?.[at('svc_decision')] === one['svc_decision'],
  )
  if (body.length !== rows || !agree) throw new Error('the CSV does not match the report')
  return { report, records }
}

function writeAnswers(answers: BatchAnswers): string {
  const path = join(temporaryDirectory(), 'answers.json')
  writeFileSync(path, JSON.stringify(answers))
  return path
}

function formsOf(bodies: Bodies, { report, records }: BatchAnswers): Form[] {
  return [
    {
      name: 'JSON in, JSON out',
      body: bodies.json,
      contentType: 'application/json',
      barePath: '/json',
      alone: () => {
        const { transactions } = JSON.parse(bodies.json) as { transactions: unknown[] }
        return transactions.length + JSON.stringify(report).length
      },
    },
    {
      name: 'CSV in, CSV out',
      body: bodies.csv,
      contentType: 'text/csv',
      barePath: '/csv',
      alone: () => parse(bodies.csv).length + stringify(records).length,
    },
  ]
}

function measureAlone(alone: () => number, durationMs: number): number {
  const startedMs = performance.now()
  let count = 0
  let written = 0
  while (performance.now() - startedMs < durationMs) {
    written += alone()
    count += 1
  }
  if (!(written > 0)) throw new Error('nothing was written')
  return ((performance.now() - startedMs) * 1000) / count
}

function rowsOf({ name }: Form, rounds: readonly Round[]): Row[] {
  const unit = 'us a batch'
  return [
    {
      group: 'batch',
      row: `baseline of ${rows} rows, ${name}: bare Fastify`,
      unit,
      ratio: null,
      target: null,
      ...figures(rounds.map(({ bare }) => bare)),
    },
    {
      group: 'batch',
      row: `batch of ${rows} rows, ${name}`,
      unit,
      ratio: spreadOf(rounds.map(({ own, bare }) => usOf(own) / usOf(bare))),
      target,
      ...figures(rounds.map(({ own }) => own)),
    },
    {
      group: 'batch',
      row: `parse and serialise without HTTP, ${name} (ratio: batch to this)`,
      unit,
      value: medianOf(rounds.map(({ aloneUs }) => aloneUs)),
      ratio: spreadOf(rounds.map(({ own, aloneUs }) => usOf(own) / aloneUs)),
      target: null,
    },
  ]
}

function figures(results: readonly Measured[]) {
  const cpuUs = results.map((result) => result.serverCpuUs).filter((value) => value !== null)
  return {
    value: medianOf(results.map(usOf)),
    p50Ms: medianOf(results.map((result) => result.p50Ms)),
    p99Ms: medianOf(results.map((result) => result.p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: { rounds: results },
  }
}

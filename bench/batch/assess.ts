/** Measures `fairway assess`: rows per second relative to csv-parse and csv-stringify, and peak memory. */

import { closeSync, createReadStream, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { memoryOf } from '../harness/loader.ts'
import { csvHeader, csvLine, payments } from './payments.ts'
import { removeDirectory, runNode, temporaryDirectory } from '../harness/processes.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'

const judgedRows = 1_000_000
const megabyte = 1_000_000
const runMsMax = 10 * 60_000
const sampleEveryMs = 10
const writeCharsMin = 1_000_000

interface Run {
  readonly elapsedMs: number
  /** Null if the system does not report it. */
  readonly peakBytes: number | null
  readonly output: string
}

interface Round {
  readonly copyRowsPerSecond: number
  readonly copyPeakBytes: number | null
  readonly assessRowsPerSecond: number
  readonly assessPeakBytes: number | null
}

export async function benchAssess({ sizes, print }: Bench): Promise<Row[]> {
  const rows = sizes.assessRows
  const directory = temporaryDirectory()
  const path = join(directory, 'payments.csv')
  print(`assess: writing ${rows.toLocaleString('en-GB')} rows`)
  writePayments(path, rows)

  const rounds: Round[] = []
  for (let round = 1; round <= sizes.assessRounds; round += 1) {
    const copied = await runCopy(path)
    const assessed = await runAssess(path, rows)
    rounds.push({
      copyRowsPerSecond: (rows / copied.elapsedMs) * 1000,
      copyPeakBytes: copied.peakBytes,
      assessRowsPerSecond: (rows / assessed.elapsedMs) * 1000,
      assessPeakBytes: assessed.peakBytes,
    })
    print(`assess: round ${round} of ${sizes.assessRounds}`)
  }
  removeDirectory(directory)
  return rowsOf(rows, rounds)
}

function writePayments(path: string, rows: number): void {
  const file = openSync(path, 'w')
  let text = csvHeader
  for (const payment of payments(rows)) {
    text += csvLine(payment)
    if (text.length < writeCharsMin) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
}

async function runCopy(path: string): Promise<Run> {
  const directory = temporaryDirectory()
  const copy = join(directory, 'copy.csv')
  const run = await timed(['bench/batch/copy-csv.ts', path, copy])
  if (statSync(copy).size !== statSync(path).size) throw new Error('the copy differs from the file')
  removeDirectory(directory)
  return run
}

async function runAssess(path: string, rows: number): Promise<Run> {
  const directory = temporaryDirectory()
  const run = await timed(['bin/fairway.js', 'assess', path, '--out', join(directory, 'out'), '--json'])
  const { summary } = JSON.parse(run.output) as { summary: { total_assessed: number } }
  const lines = await linesIn(join(directory, 'out', 'assessments.csv'))
  if (summary.total_assessed !== rows || lines !== rows + 1) {
    throw new Error(
      `expected ${rows} rows: ${summary.total_assessed} were assessed and ${lines} lines written`,
    )
  }
  removeDirectory(directory)
  return run
}

/** Measures from the start of the process to its end, which is what a user waits for. */
async function timed(args: readonly string[]): Promise<Run> {
  let peakBytes: number | null = null
  let sampler: NodeJS.Timeout | undefined
  // The system records the peak, so only growth after the last sample can be missed.
  const onStart = (pid: number): void => {
    sampler = setInterval(() => {
      const sampledBytes = memoryOf(pid)?.residentBytesMax ?? Number.NaN
      if (sampledBytes > (peakBytes ?? 0)) peakBytes = sampledBytes
    }, sampleEveryMs)
  }
  const startedMs = performance.now()
  try {
    const output = await runNode(args, {}, { timeoutMs: runMsMax, onStart })
    return { elapsedMs: performance.now() - startedMs, peakBytes, output }
  } finally {
    clearInterval(sampler)
  }
}

async function linesIn(path: string): Promise<number> {
  const lineFeed = 0x0a
  let lines = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) lines += 1
  }
  return lines
}

function rowsOf(rows: number, rounds: readonly Round[]): Row[] {
  const common = { group: 'assess', ratio: null, target: null }
  // The target applies to this many rows. A quick run has fewer, so the start weighs more and there is no verdict.
  const judged = rows >= judgedRows
  const size = `${rows.toLocaleString('en-GB')} rows`
  const peaks = rounds.map(({ assessPeakBytes }) => assessPeakBytes).filter((value) => value !== null)
  const speed: Row[] = [
    {
      ...common,
      row: `baseline of assess, ${size}: csv-parse and csv-stringify`,
      value: medianOf(rounds.map(({ copyRowsPerSecond }) => copyRowsPerSecond)),
      unit: 'rows/s',
    },
    {
      ...common,
      row: `fairway assess, ${size}`,
      value: medianOf(rounds.map(({ assessRowsPerSecond }) => assessRowsPerSecond)),
      unit: 'rows/s',
      ratio: spreadOf(
        rounds.map(({ assessRowsPerSecond, copyRowsPerSecond }) => assessRowsPerSecond / copyRowsPerSecond),
      ),
      target: judged ? { bound: 'at least', value: 0.5 } : null,
      detail: { rounds },
    },
  ]
  if (peaks.length === 0) return speed
  const memory: Row = {
    ...common,
    row: `peak resident memory of fairway assess, ${size}`,
    value: Math.max(...peaks) / megabyte,
    unit: 'MB',
    target: judged ? { bound: 'under', value: 300 } : null,
    detail: { peaks },
  }
  return [...speed, memory]
}

/** `fairway assess`: a file of payments of the past, assessed without a server. */

import { InvalidArgumentError, type Command } from 'commander'
import { assessFile, reportFiles, type AssessedFile, type FileReport } from '../app/assess-file.ts'
import { InputFault } from '../app/input-fault.ts'
import type { InputFile } from '../app/ports.ts'
import { progressBar } from './progress.ts'
import { CommandFailure, type CliParts } from './parts.ts'
import { table } from './table.ts'

/** The data was at fault, not the command: some rows were rejected, or all. */
export const rejectedExitCode = 65

const signalExitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

interface AssessOptions {
  readonly out?: string
  readonly name?: string
  readonly json?: true
}

export function registerAssess(program: Command, parts: CliParts): void {
  program
    .command('assess <file>')
    .description('assess payments of the past from a CSV or JSON file of any size (- for standard input)')
    .option('--out <dir>', 'folder for the report; unless told, the file name with -assessment')
    .option('--name <name>', 'name of the report', parseName)
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Writes ${Object.values(reportFiles).join(', ')} (the rows that could not be read, if any).
Exit code 0 when every row was assessed, ${rejectedExitCode} when rows were rejected, 1 when nothing could be done.

Example:
  fairway assess examples/payments.csv --out march --name "March payments"`,
    )
    .action((file: string, options: AssessOptions) => runAssess(parts, file, options))
}

async function runAssess(parts: CliParts, path: string, options: AssessOptions): Promise<void> {
  const out = options.out ?? defaultOut(path)
  const startedMs = parts.clock.monotonicMs()
  const assessed = await untilStopped((signal) => assessInto(parts, path, out, options, signal))
  if (assessed.kind === 'all_rejected') {
    const { rejectedRows } = assessed
    const rows = rejectedRows === 1 ? 'the only row was' : `all ${grouped(rejectedRows)} rows were`
    throw new CommandFailure(`${rows} rejected: see ${out}/${reportFiles.rejected}`, rejectedExitCode)
  }
  const { report } = assessed
  const seconds = Math.max(0.001, (parts.clock.monotonicMs() - startedMs) / 1000)
  process.stdout.write(
    options.json ? `${JSON.stringify({ ...report, out })}\n` : `${reportText(report, out, seconds)}\n`,
  )
  for (const warning of options.json ? [] : report.warnings) process.stderr.write(`fairway: ${warning}\n`)
  if (report.rejected_rows > 0) {
    const count = `${grouped(report.rejected_rows)} of ${grouped(report.transaction_count)}`
    throw new CommandFailure(
      `${count} rows were rejected: see ${out}/${reportFiles.rejected}`,
      rejectedExitCode,
    )
  }
}

/** Reads, assesses and writes; every failure is told by what it is about. */
async function assessInto(
  parts: CliParts,
  path: string,
  out: string,
  options: AssessOptions,
  signal: AbortSignal,
): Promise<AssessedFile> {
  const { policy } = parts.config()
  const file = await told(`cannot read ${path}`, parts.openInput(path, signal))
  const output = await told(`cannot write to ${out}`, parts.openOutput(out, Object.values(reportFiles), path))
  const crew = parts.openCrew(policy)
  const bar = progressBar(file.sizeBytes, parts.clock)
  try {
    return await assessFile(
      { clock: parts.clock, random: parts.random, crew, output },
      { file, format: formatOf(path), reportName: options.name ?? null, onProgress: bar.update },
    )
  } catch (error) {
    throw error instanceof InputFault ? new CommandFailure(faultText(file, error)) : error
  } finally {
    bar.stop()
    await crew.close()
  }
}

function faultText({ name }: InputFile, { message, line }: InputFault): string {
  return `${name}${line === null ? '' : `, line ${line}`}: the file ${message}`
}

/** Runs the work until it is done, or until someone says stop; then the work cleans up after itself. */
async function untilStopped<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  let code: number | null = null
  const stop = (name: NodeJS.Signals): void => {
    code ??= signalExitCodes[name as keyof typeof signalExitCodes]
    controller.abort()
  }
  for (const name of Object.keys(signalExitCodes)) process.on(name, stop)
  try {
    return await work(controller.signal)
  } catch (error) {
    throw code === null ? error : new CommandFailure('stopped: nothing was written', code)
  } finally {
    for (const name of Object.keys(signalExitCodes)) process.removeListener(name, stop)
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'there is no space left on the disk',
}

async function told<Value>(what: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new CommandFailure(`${what}: ${causes[String(error.code)] ?? error.message}`)
  }
}

function formatOf(path: string): 'csv' | 'json' | null {
  const [, extension] = /\.(csv|json)$/i.exec(path) ?? []
  return extension === undefined ? null : extension.toLowerCase() === 'json' ? 'json' : 'csv'
}

function defaultOut(path: string): string {
  if (path === '-') return 'assessment'
  const name = path.split(/[/\\]/).findLast((part) => part !== '') ?? 'payments'
  return `${name.replace(/(?<=.)\.[^.]*$/, '')}-assessment`
}

function parseName(text: string): string {
  const name = text.trim()
  if (!/^[^\p{Cc}]{1,200}$/u.test(name)) throw new InvalidArgumentError('It has 1 to 200 plain characters.')
  return name
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB')
}

function reportText(report: FileReport, out: string, seconds: number): string {
  const { summary } = report
  const rate = grouped(Math.round(report.transaction_count / seconds))
  const shares: [string, number, number][] = [
    ['GO', summary.go, summary.go_pct],
    ['DEGRADED', summary.degraded, summary.degraded_pct],
    ['NO-GO', summary.no_go, summary.no_go_pct],
  ]
  const aligned =
    summary.alignment_pct === null
      ? 'no outcomes given'
      : `${summary.alignment_pct.toFixed(1)}% of ${grouped(summary.transactions_with_outcome)} rows with an outcome`
  const files = Object.values(reportFiles).filter(
    (name) => name !== reportFiles.rejected || report.rejected_rows > 0,
  )
  return [
    `${report.report_name}: ${grouped(summary.total_assessed)} rows of ${report.source} assessed in ${seconds.toFixed(1)} s (${rate} rows/s)`,
    '',
    table(
      ['DECISION', 'ROWS', 'SHARE'],
      shares.map(([decision, rows, percent]) => [decision, grouped(rows), `${percent.toFixed(1)}%`]),
    ),
    '',
    `Execution uncertainty   ${report.execution_uncertainty_score} of 100, ${report.execution_uncertainty_band}`,
    `Average score           ${summary.avg_score.toFixed(4)}`,
    `Average confidence      ${summary.avg_confidence.toFixed(4)}`,
    `Alignment               ${aligned}`,
    `Flagged before failure  ${grouped(summary.flagged_pre_failure)}`,
    `Could have been better  ${grouped(summary.improvement_opportunities)}`,
    '',
    ...files.map((name) => `${out}/${name}`),
  ].join('\n')
}

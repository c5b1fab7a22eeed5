/** `fairway assess`: assesses a file of past payments without a server. */

import { InvalidArgumentError, type Command } from 'commander'
import type { AssessedFile, FileReport } from '../../app/assess/assess-file.ts'
import { InputFault } from '../../app/assess/input-fault.ts'
import { reportFiles, reportNameForm } from '../../app/assess/report-files.ts'
import { inputFaultText } from '../failure-line.ts'
import { progressBar, type Bar } from '../progress.ts'
import { CommandFailure, plain, type CliDeps } from '../deps.ts'
import { stopExitCode, stopSignals } from '../stop-signals.ts'
import { table } from '../table.ts'
import { counted, withThousands } from '../../core/explain/wording.ts'

/** EX_DATAERR of sysexits.h: at least one row was rejected. */
const rejectedExitCode = 65

const killGraceMs = 100

interface AssessOptions {
  readonly out?: string
  readonly name?: string
  readonly json?: true
}

export function registerAssess(program: Command, deps: CliDeps): void {
  program
    .command('assess <file>')
    .description('Assess past payments from a CSV or JSON file')
    .option('--out <dir>', 'Folder for the report; default: the file name with -assessment')
    .option('--name <name>', 'Name of the report', parseName)
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
FILE may have any size; - reads standard input. Writes ${reportFiles.assessments}, ${reportFiles.summary} and
${reportFiles.page}, and ${reportFiles.rejected} if rows were rejected. The exit code is 0 if every row was assessed,
${rejectedExitCode} if rows were rejected, and 1 if the command failed.

Example:
  fairway assess examples/payments.csv --out march --name "March payments"`,
    )
    .action((file: string, options: AssessOptions) => runAssess(deps, file, options))
}

async function runAssess(deps: CliDeps, path: string, options: AssessOptions): Promise<void> {
  const out = options.out ?? defaultOut(path)
  const startedMs = deps.clock.monotonicMs()
  const assessed = await untilStopped(deps, (stop) => assessInto(deps, path, out, options, stop))
  if (assessed.kind === 'all_rejected') {
    const { rejectedRows } = assessed
    const rows = rejectedRows === 1 ? 'the only row was' : `all ${withThousands(rejectedRows)} rows were`
    throw new CommandFailure(`${rows} rejected: see ${out}/${reportFiles.rejected}`, rejectedExitCode)
  }
  const { report } = assessed
  const seconds = Math.max(0.001, (deps.clock.monotonicMs() - startedMs) / 1000)
  deps.process.stdout.write(
    options.json ? `${JSON.stringify({ ...report, out })}\n` : `${reportText(report, out, seconds)}\n`,
  )
  for (const warning of options.json ? [] : report.warnings) {
    deps.process.stderr.write(`fairway: ${plain(warning)}\n`)
  }
  if (report.rejected_rows > 0) {
    const count = `${withThousands(report.rejected_rows)} of ${counted(report.transaction_count, 'row')}`
    throw new CommandFailure(`${count} were rejected: see ${out}/${reportFiles.rejected}`, rejectedExitCode)
  }
}

/** Reads the input, assesses it and writes the report. */
async function assessInto(
  deps: CliDeps,
  path: string,
  out: string,
  options: AssessOptions,
  stop: Stop,
): Promise<AssessedFile> {
  const { policy } = deps.config()
  // Loaded here: no other command needs it.
  const { assessFile } = await import('../../app/assess/assess-file.ts')
  const file = await deps.openInput(path, stop.signal)
  const opening = deps.openOutput(out, Object.values(reportFiles), file.id)
  let shown: Bar | null = null
  // Set before the folder exists: the command may be stopped while it is created.
  stop.cleanUp = async () => {
    const opened = await opening.catch(() => null)
    const isDiscarded = opened === null || (await opened.discard())
    if (isDiscarded) shown?.stop()
    return isDiscarded
  }
  const output = await opening
  const workerPool = await deps.openWorkerPool(policy)
  const bar = progressBar(file.sizeBytes, deps.clock, deps.process.stderr)
  shown = bar
  try {
    return await assessFile(
      { clock: deps.clock, random: deps.random, workerPool, output },
      { file, format: formatOf(path), reportName: options.name ?? null, onProgress: bar.update },
    )
  } catch (error) {
    throw error instanceof InputFault ? new CommandFailure(inputFaultText(file.name, error)) : error
  } finally {
    bar.stop()
    await workerPool.close()
  }
}

interface Stop {
  readonly signal: AbortSignal
  /** Removes all output; false if the report is already complete. */
  cleanUp: () => Promise<boolean>
}

/**
 * Runs the work until it is done or a signal stops it. A stop does not wait for the work, since a read from a pipe may
 * never return: it removes the output and ends the process.
 */
async function untilStopped<Result>(
  { process }: CliDeps,
  work: (stop: Stop) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const stop: Stop = { signal: controller.signal, cleanUp: () => Promise.resolve(true) }
  let isStopping = false
  const onStop = async (name: NodeJS.Signals): Promise<void> => {
    if (controller.signal.aborted) return
    isStopping = true
    controller.abort()
    isStopping = await stop.cleanUp()
    if (!isStopping) return
    process.stderr.write('fairway: stopped: nothing was written\n')
    // End by the signal itself: a normal exit would wait for the pending read.
    for (const one of stopSignals) process.removeListener(one, listener)
    process.kill(process.pid, name)
    // As process 1 of a container, a process does not end by its own signals.
    setTimeout(() => process.exit(stopExitCode(name)), killGraceMs)
  }
  const listener = (name: NodeJS.Signals): void => void onStop(name)
  for (const name of stopSignals) process.on(name, listener)
  try {
    return await work(stop)
  } catch (error) {
    // Aborted by the stop: the process ends when the clean-up is done.
    if (isStopping) await new Promise(() => {})
    throw error
  } finally {
    for (const name of stopSignals) process.removeListener(name, listener)
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
  if (!reportNameForm.test(name)) throw new InvalidArgumentError('Expected 1 to 200 printable characters.')
  return name
}

function reportText(report: FileReport, out: string, seconds: number): string {
  const { summary } = report
  const rate = withThousands(Math.round(report.transaction_count / seconds))
  const shares: [string, number, number][] = [
    ['GO', summary.go, summary.go_pct],
    ['DEGRADED', summary.degraded, summary.degraded_pct],
    ['NO-GO', summary.no_go, summary.no_go_pct],
  ]
  const aligned =
    summary.alignment_pct === null
      ? 'no outcomes in the file'
      : `${summary.alignment_pct.toFixed(1)}% of ${counted(summary.transactions_with_outcome, 'row')} with an outcome`
  const files = Object.values(reportFiles).filter(
    (name) => name !== reportFiles.rejected || report.rejected_rows > 0,
  )
  return [
    `${report.report_name}: ${counted(summary.total_assessed, 'row')} of ${report.source} assessed in ${seconds.toFixed(1)} s (${rate} rows/s)`,
    '',
    ...table(
      ['DECISION', 'ROWS', 'SHARE'],
      shares.map(([decision, rows, percent]) => [decision, withThousands(rows), `${percent.toFixed(1)}%`]),
    ),
    '',
    ...[
      [
        'Execution uncertainty',
        `${report.execution_uncertainty_score} of 100, ${report.execution_uncertainty_band}`,
      ],
      ['Average score', summary.avg_score.toFixed(4)],
      ['Average confidence', summary.avg_confidence.toFixed(4)],
      ['Alignment', aligned],
      ['Flagged before failure', counted(summary.flagged_pre_failure, 'row')],
      ['Would have been caught', counted(summary.improvement_opportunities, 'row')],
    ].map(([name = '', value = '']) => `${name.padEnd(25)}  ${value}`),
    '',
    ...files.map((name) => `${out}/${name}`),
  ].join('\n')
}

/** Assesses a file of any length with a worker pool: reads chunks, writes results in order, sums them up. */

import { decisionModel } from '../../core/decision/engine.ts'
import {
  emptyTally,
  merge,
  outcomeColumns,
  type Tally,
  type VerdictCounts,
} from '../../core/assess/report.ts'
import { unknownNamesMax } from '../../core/assess/row-form.ts'
import { transactionForm, type TransactionColumn } from '../../core/assess/transaction.ts'
import { defaultReportName } from './assess-batch.ts'
import { rejectedColumns, type ChunkJob, type ChunkResult } from './assess-chunk.ts'
import { assessmentColumns, wireSums, type WireSums } from './batch-wire.ts'
import { ignoredColumns, readHeader, type Header } from './csv/read.ts'
import { CsvSplitter } from './csv/scan.ts'
import { csvText } from './csv/write.ts'
import { prefixedId } from '../verify/ids.ts'
import { InputFault, joined, type Chunk } from './input-fault.ts'
import { JsonSplitter } from './json-elements.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { WorkerPool, InputFile, OutputFolder } from '../ports/assess.ts'
import { reportFiles, reportNameForm } from './report-files.ts'
import { reportPage } from './report/page.ts'
import { countryWarnings, ignoredWarnings } from './batch-warnings.ts'

export interface AssessFileDeps {
  readonly clock: Clock
  readonly random: Random
  readonly workerPool: WorkerPool<ChunkJob, ChunkResult>
  readonly output: OutputFolder
}

export interface Progress {
  readonly bytes: number
  readonly rows: number
}

export interface AssessFileInput {
  readonly file: InputFile
  /** Null: detected from the first byte. */
  readonly format: 'csv' | 'json' | null
  /** Null: the file's own report_name, or a default name. */
  readonly reportName: string | null
  readonly onProgress: (progress: Progress) => void
}

export interface FileReport extends WireSums {
  readonly report_id: string
  readonly report_name: string
  readonly source: string
  readonly generated_at: string
  readonly model_version: string
  readonly mode: 'shadow'
  readonly transaction_count: number
  readonly rejected_rows: number
  readonly warnings: readonly string[]
  readonly by_corridor: readonly Named[]
  readonly by_month: readonly Named[]
  readonly by_outcome: readonly Named[]
  readonly reasons: readonly { readonly code: string; readonly rows: number }[]
  /** Number of rows per score, from 0.00 to 1.00 in steps of 0.01. */
  readonly score_distribution: readonly number[]
}

interface Named {
  readonly name: string
  readonly go: number
  readonly degraded: number
  readonly no_go: number
}

/** The result. If every row was rejected there is no report, only `rejected.csv`. */
export type AssessedFile =
  | { readonly kind: 'reported'; readonly report: FileReport }
  | { readonly kind: 'all_rejected'; readonly rejectedRows: number }

/** Throws an `InputFault` and leaves no output if the file as a whole cannot be read. */
export async function assessFile(deps: AssessFileDeps, input: AssessFileInput): Promise<AssessedFile> {
  try {
    const run = new FileRun(deps, input)
    await run.readAll()
    const assessed = await run.conclude()
    return assessed
  } catch (error) {
    await deps.output.discard()
    throw error
  }
}

/** Larger parts use more memory and are not faster: their garbage outgrows V8's young generation. */
const partRows = 400
const partBytesMin = 2_048
const partBytesMax = 32_768

/** Jobs queued beyond the pool's size, so that no worker is idle. */
const spareJobs = 2

interface Reader {
  take(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
}

class FileRun {
  readonly #deps: AssessFileDeps
  readonly #input: AssessFileInput
  readonly #tally: Tally = emptyTally()
  readonly #waiting: Promise<ChunkResult>[] = []
  #header: Header<TransactionColumn> | null = null
  readonly #unknown = new Set<string>()
  #fileReportName: unknown = undefined
  #bytes = 0
  #submittedRows = 0
  #rejected = 0
  #assessed = 0

  constructor(deps: AssessFileDeps, input: AssessFileInput) {
    this.#deps = deps
    this.#input = input
  }

  async readAll(): Promise<void> {
    let reader: Reader | null = null
    let lead: Uint8Array = new Uint8Array(0)
    for await (const piece of this.#input.file.pieces) {
      if (reader === null) {
        lead = joined(lead, piece)
        const format = this.#input.format ?? formatOf(lead)
        if (format === null) continue
        reader = this.#readerOf(format)
        await this.#takeParts(reader, lead)
      } else await this.#takeParts(reader, piece)
    }
    if (reader === null) {
      reader = this.#readerOf(this.#input.format ?? 'csv')
      await this.#takeParts(reader, lead)
    }
    await reader.end()
    while (this.#waiting.length > 0) await this.#settleFirst()
    if (this.#assessed + this.#rejected === 0) throw new InputFault('has no rows')
  }

  #readerOf(format: 'csv' | 'json'): Reader {
    return format === 'json' ? this.#jsonReader() : this.#csvReader()
  }

  async #takeParts(reader: Reader, piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + this.#partBytes())
      await reader.take(part)
      this.#bytes += part.length
      at += part.length
    }
  }

  /** Part size for about `partRows` rows, whatever their length. */
  #partBytes(): number {
    const bytesPerRow = this.#submittedRows === 0 ? 0 : this.#bytes / this.#submittedRows
    return Math.min(partBytesMax, Math.max(partBytesMin, Math.ceil(bytesPerRow * partRows)))
  }

  #csvReader(): Reader {
    const splitter = new CsvSplitter()
    const submit = async (chunk: Chunk | null): Promise<void> => {
      if (this.#header === null && splitter.header !== null) {
        this.#header = readHeader(splitter.header, transactionForm, splitter.headerLine)
      }
      if (chunk !== null) await this.#submit({ chunk, header: this.#header })
    }
    return {
      take: (bytes: Uint8Array) => submit(splitter.push(bytes)),
      end: async () => {
        await submit(splitter.end())
        if (this.#header === null) throw new InputFault('is empty: a header row is needed')
      },
    }
  }

  #jsonReader(): Reader {
    const splitter = new JsonSplitter()
    return {
      take: async (bytes: Uint8Array) => {
        const chunk = splitter.push(bytes)
        if (chunk !== null) await this.#submit({ chunk, header: null })
      },
      end: async () => {
        this.#fileReportName = splitter.end().reportName
      },
    }
  }

  async #submit(job: ChunkJob): Promise<void> {
    this.#submittedRows += job.chunk.rows
    const result = this.#deps.workerPool.run(job)
    // A failure is handled when the result is awaited, in file order.
    result.catch(() => {})
    this.#waiting.push(result)
    if (this.#waiting.length >= this.#deps.workerPool.size + spareJobs) await this.#settleFirst()
  }

  /** Awaits and writes the oldest result, to keep the order of the file. */
  async #settleFirst(): Promise<void> {
    const result = await this.#waiting.shift()
    if (result === undefined) return
    if (result.kind === 'unreadable') throw new InputFault(result.message, result.line)
    const { output } = this.#deps
    if (result.assessed.length > 0) {
      if (this.#assessed === 0)
        await output.append(reportFiles.assessments, encoded(csvText([assessmentColumns])))
      await output.append(reportFiles.assessments, result.assessed)
    }
    if (result.rejected.length > 0) {
      const columns = rejectedColumns(this.#header)
      if (this.#rejected === 0) await output.append(reportFiles.rejected, encoded(csvText([columns])))
      await output.append(reportFiles.rejected, result.rejected)
    }
    merge(this.#tally, result.tally)
    for (const name of result.unknown) if (this.#unknown.size < unknownNamesMax) this.#unknown.add(name)
    const [go, degraded, noGo] = this.#tally.counts
    this.#assessed = go + degraded + noGo
    this.#rejected += result.rejectedRows
    this.#input.onProgress({ bytes: this.#bytes, rows: this.#assessed + this.#rejected })
  }

  async conclude(): Promise<AssessedFile> {
    const { output } = this.#deps
    const rejectedRows = this.#rejected
    if (this.#assessed === 0) {
      await output.publish(Object.values(reportFiles))
      return { kind: 'all_rejected', rejectedRows }
    }
    const report = this.#report()
    const page = reportPage({
      reportId: report.report_id,
      reportName: report.report_name,
      source: report.source,
      generatedAtMs: Date.parse(report.generated_at),
      modelVersion: report.model_version,
      tally: this.#tally,
      rejectedRows,
      ignoredColumns: this.#ignoredNames(),
    })
    await output.append(reportFiles.summary, encoded(`${JSON.stringify(report, null, 2)}\n`))
    await output.append(reportFiles.page, encoded(page))
    // All files are listed, so that those left by an earlier run are removed.
    await output.publish(Object.values(reportFiles))
    return { kind: 'reported', report }
  }

  /** From the header of a CSV file, or from the rows of a JSON file. */
  #ignoredNames(): string[] {
    return this.#header === null ? [...this.#unknown] : ignoredColumns(this.#header)
  }

  #report(): FileReport {
    const tally = this.#tally
    const generatedAt = new Date(this.#deps.clock.nowMs()).toISOString()
    const name = this.#input.reportName ?? this.#fileReportName
    const isValidName = typeof name === 'string' && reportNameForm.test(name)
    return {
      report_id: prefixedId('rep', this.#deps.random),
      report_name: isValidName ? name.trim() : defaultReportName(generatedAt),
      source: this.#input.file.name,
      generated_at: generatedAt,
      model_version: decisionModel,
      mode: 'shadow',
      transaction_count: this.#assessed + this.#rejected,
      rejected_rows: this.#rejected,
      ...wireSums(tally),
      warnings: [
        ...ignoredWarnings(this.#header === null ? 'members' : 'columns', this.#ignoredNames()),
        ...countryWarnings(tally),
        ...(isValidName || name === undefined
          ? []
          : [
              "Ignored the file's report_name: it must have 1 to 200 characters, none of them control characters.",
            ]),
      ],
      by_corridor: [...tally.byCorridor].map(named).toSorted((left, right) => rowsOf(right) - rowsOf(left)),
      by_month: [...tally.byMonth].map(named).toSorted((left, right) => (left.name < right.name ? -1 : 1)),
      by_outcome: outcomeColumns.map((outcome) => named([outcome, tally.byOutcome[outcome]])),
      reasons: [...tally.byReason]
        .map(([code, rows]) => ({ code, rows }))
        .toSorted((left, right) => right.rows - left.rows),
      score_distribution: tally.scores,
    }
  }
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Detects the format from the first byte that is not whitespace or a byte order mark; null until it is read. */
function formatOf(lead: Uint8Array): 'csv' | 'json' | null {
  const first = lead.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
  if (first === undefined) return lead.length > leadBytesMax ? 'csv' : null
  return first === 0x7b || first === 0x5b ? 'json' : 'csv'
}

/** After this much leading whitespace the format is taken to be CSV. */
const leadBytesMax = 65_536

function named([name, [go, degraded, noGo]]: readonly [string, VerdictCounts]): Named {
  return { name, go, degraded, no_go: noGo }
}

function rowsOf({ go, degraded, no_go: noGo }: Named): number {
  return go + degraded + noGo
}

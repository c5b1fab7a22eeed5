/** A file of payments of any length, assessed by many hands: read in pieces, written in order, summed as it goes. */

import { decisionModel } from '../../core/decision/engine.ts'
import {
  emptyTally,
  merge,
  outcomeColumns,
  type Tally,
  type VerdictCounts,
} from '../../core/assess/report.ts'
import { unknownNamesMax } from '../../core/assess/transaction.ts'
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
import { ignoredWarnings } from './ignored-columns.ts'

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
  /** Null: told by the first byte. */
  readonly format: 'csv' | 'json' | null
  /** Null: what the file calls itself, else one of ours. */
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
  /** Rows with each score, 0.00 to 1.00 in steps of 0.01. */
  readonly score_distribution: readonly number[]
}

interface Named {
  readonly name: string
  readonly go: number
  readonly degraded: number
  readonly no_go: number
}

/** What came out; where no row could be read there is no report, only the rows that were refused. */
export type AssessedFile =
  | { readonly kind: 'reported'; readonly report: FileReport }
  | { readonly kind: 'all_rejected'; readonly rejectedRows: number }

/** Throws an `InputFault` where the file as a whole cannot be read; then nothing is left behind. */
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

/** Larger parts take more memory and no less time: what they leave behind outgrows the young generation. */
const partRows = 400
const partBytesMin = 2_048
const partBytesMax = 32_768

/** As many pieces as there are hands, and a few more so that none waits. */
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
  #header: Header | null = null
  readonly #unknown = new Set<string>()
  #givenName: unknown = undefined
  #bytes = 0
  #handedRows = 0
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
    return format === 'json' ? this.#readsJson() : this.#readsCsv()
  }

  async #takeParts(reader: Reader, piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + this.#partBytes())
      await reader.take(part)
      this.#bytes += part.length
      at += part.length
    }
  }

  /** About as many rows in each part, whether they are short or long. */
  #partBytes(): number {
    const bytesPerRow = this.#handedRows === 0 ? 0 : this.#bytes / this.#handedRows
    return Math.min(partBytesMax, Math.max(partBytesMin, Math.ceil(bytesPerRow * partRows)))
  }

  #readsCsv(): Reader {
    const splitter = new CsvSplitter()
    const hand = async (chunk: Chunk | null): Promise<void> => {
      if (this.#header === null && splitter.header !== null) {
        this.#header = readHeader(splitter.header, splitter.headerLine)
      }
      if (chunk !== null) await this.#hand({ chunk, header: this.#header })
    }
    return {
      take: (bytes: Uint8Array) => hand(splitter.push(bytes)),
      end: async () => {
        await hand(splitter.end())
        if (this.#header === null) throw new InputFault('is empty: a header row is needed')
      },
    }
  }

  #readsJson(): Reader {
    const splitter = new JsonSplitter()
    return {
      take: async (bytes: Uint8Array) => {
        const chunk = splitter.push(bytes)
        if (chunk !== null) await this.#hand({ chunk, header: null })
      },
      end: async () => {
        this.#givenName = splitter.end().reportName
      },
    }
  }

  async #hand(job: ChunkJob): Promise<void> {
    this.#handedRows += job.chunk.rows
    const result = this.#deps.workerPool.run(job)
    // A failure is met when its turn comes.
    result.catch(() => {})
    this.#waiting.push(result)
    if (this.#waiting.length >= this.#deps.workerPool.size + spareJobs) await this.#settleFirst()
  }

  /** In the order of the file, whoever is done first. */
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
      ignoredColumns: this.#unread(),
    })
    await output.append(reportFiles.summary, encoded(`${JSON.stringify(report, null, 2)}\n`))
    await output.append(reportFiles.page, encoded(page))
    // What an earlier run left must not be taken for this one's.
    await output.publish(Object.values(reportFiles))
    return { kind: 'reported', report }
  }

  /** Of CSV the header tells, of JSON the rows. */
  #unread(): string[] {
    return this.#header === null ? [...this.#unknown] : ignoredColumns(this.#header)
  }

  #report(): FileReport {
    const tally = this.#tally
    const generatedAt = new Date(this.#deps.clock.nowMs()).toISOString()
    const given = this.#input.reportName ?? this.#givenName
    const isName = typeof given === 'string' && reportNameForm.test(given)
    return {
      report_id: prefixedId('rep', this.#deps.random),
      report_name: isName ? given.trim() : defaultReportName(generatedAt),
      source: this.#input.file.name,
      generated_at: generatedAt,
      model_version: decisionModel,
      mode: 'shadow',
      transaction_count: this.#assessed + this.#rejected,
      rejected_rows: this.#rejected,
      ...wireSums(tally),
      warnings: [
        ...ignoredWarnings(this.#header === null ? 'Members' : 'Columns', this.#unread()),
        ...(isName || given === undefined
          ? []
          : ["The file's report_name is not 1 to 200 plain characters."]),
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

/** The first byte that is neither space nor part of a byte order mark tells; null until it has come. */
function formatOf(lead: Uint8Array): 'csv' | 'json' | null {
  const first = lead.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
  if (first === undefined) return lead.length > leadBytesMax ? 'csv' : null
  return first === 0x7b || first === 0x5b ? 'json' : 'csv'
}

/** So much space at the start is looked through for something else. */
const leadBytesMax = 65_536

function named([name, [go, degraded, noGo]]: readonly [string, VerdictCounts]): Named {
  return { name, go, degraded, no_go: noGo }
}

function rowsOf({ go, degraded, no_go: noGo }: Named): number {
  return go + degraded + noGo
}

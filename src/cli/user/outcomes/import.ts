/** Imports a file of outcomes: checks every row on the server, then records them request by request. */

import {
  ConflictError,
  FairwayError,
  InvalidRequestError,
  type CallOptions,
  type FairwayClient,
  type OutcomeRow as WireRow,
  type OutcomesResponse,
} from '../../../../client/src/index.ts'
import { batchRowsMax } from '../../../app/assess/batch-bounds.ts'
import { counted, withThousands } from '../../../core/explain/wording.ts'
import type { OutcomeRow } from '../../../core/live/outcome-row.ts'
import { iso } from '../../../core/time/durations.ts'
import { definedMembers } from '../../arguments.ts'
import { CommandFailure, type CliDeps } from '../../deps.ts'
import { countBar } from '../../progress.ts'
import { stoppable, Stopped } from '../../stop-signals.ts'
import { checked, show } from '../session/answer-checks.ts'
import { faultExitCode } from '../session/exit-codes.ts'
import { failureOf } from '../session/failure.ts'
import type { Screen } from '../session/screen.ts'
import type { Session } from '../session/session.ts'
import { readOutcomes, type OutcomesFile, type PlacedFault, type PlacedRow } from './read-file.ts'

/** Longer than one rate-limit window: a long file takes hundreds of requests. */
const rateLimitBudgetMs = 70_000
const patience: CallOptions = { maxRetries: 4, timeoutMs: 30_000, totalTimeoutMs: 2 * rateLimitBudgetMs }

interface Counts {
  recorded: number
  unchanged: number
}

/** The rows of one request, as the check saw them. */
interface CheckedRequest extends Readonly<Counts> {
  readonly rows: readonly PlacedRow[]
}

/** The JSON output. `recorded` of a dry run are the rows that would be. */
interface ImportResult extends Readonly<Counts> {
  readonly file: string
  readonly dry_run: boolean
  readonly rows: number
  readonly faults: readonly PlacedFault[]
  readonly warnings: readonly string[]
}

interface Import {
  readonly deps: CliDeps
  readonly session: Session
  readonly client: FairwayClient
  readonly file: OutcomesFile
}

export async function importOutcomes(
  deps: CliDeps,
  session: Session,
  path: string,
  isCheckOnly: boolean,
): Promise<number> {
  const { screen } = session
  const client = session.keyed()
  const file = await readOutcomes(deps, path)
  const job = { deps, session, client, file }
  const { requests, faults: foreign } = await check(job)
  const found = [...file.faults, ...foreign].toSorted((left, right) => left.row - right.row)
  const { faults, ...counts } =
    found.length > 0
      ? { recorded: 0, unchanged: 0, faults: found }
      : isCheckOnly
        ? { ...sumOf(requests), faults: [] }
        : await record(job, requests)
  const { name, rowCount, warnings } = file
  const result: ImportResult = {
    file: name,
    dry_run: isCheckOnly,
    rows: rowCount,
    ...counts,
    faults,
    warnings,
  }
  for (const warning of screen.isJson ? [] : warnings) screen.warn(warning)
  show(screen, result, () => resultLines(screen, result))
  return faults.length > 0 ? faultExitCode : 0
}

function sumOf(requests: readonly Readonly<Counts>[]): Counts {
  const sum = { recorded: 0, unchanged: 0 }
  for (const { recorded, unchanged } of requests) {
    sum.recorded += recorded
    sum.unchanged += unchanged
  }
  return sum
}

/** Records nothing, so a signal may end the process at any moment. */
async function check({ deps, session, client, file }: Import): Promise<{
  requests: CheckedRequest[]
  faults: PlacedFault[]
}> {
  const requests: CheckedRequest[] = []
  const faults: PlacedFault[] = []
  const rowOf = new Map<string, number>()
  const bar = countBar('rows checked', deps.process.stderr)
  try {
    let done = 0
    for (const rows of requestsOf(file.valid)) {
      const isFirst = done === 0
      // Without a server the command fails at once; in the middle of a file it waits for one.
      const sent = isFirst
        ? session.call(() => send(client, rows, { dryRun: true }), rateLimitBudgetMs)
        : send(client, rows, { dryRun: true, ...patience })
      const answer = await sent.catch((error: unknown) => refusalsOf(error, rows))
      if (Array.isArray(answer)) faults.push(...answer)
      else {
        faults.push(...repeatedDecisions(rows, answer.request_ids, rowOf))
        requests.push({ rows, recorded: answer.recorded, unchanged: answer.unchanged })
      }
      done += rows.length
      bar.update(done, file.valid.length)
    }
  } finally {
    bar.stop()
  }
  return { requests, faults }
}

function requestsOf(rows: readonly PlacedRow[]): PlacedRow[][] {
  const count = Math.ceil(rows.length / batchRowsMax)
  return Array.from({ length: count }, (_, place) =>
    rows.slice(place * batchRowsMax, (place + 1) * batchRowsMax),
  )
}

async function send(
  client: FairwayClient,
  rows: readonly PlacedRow[],
  options: CallOptions & { readonly dryRun?: boolean },
): Promise<OutcomesResponse> {
  const answer = await client.reportOutcomes(
    rows.map(({ value }) => wireOf(value)),
    options,
  )
  return checked(answer, { recorded: 'number', unchanged: 'number', request_ids: 'list' })
}

function wireOf({ requestId, correlationId, outcome, partner, occurredAtMs }: OutcomeRow): WireRow {
  return {
    outcome,
    ...definedMembers({
      request_id: requestId ?? undefined,
      correlation_id: correlationId ?? undefined,
      partner: partner ?? undefined,
      occurred_at: occurredAtMs === null ? undefined : iso(occurredAtMs),
    }),
  }
}

/** The faults of a refused request, at their places in the file. Throws any other error. */
function refusalsOf(error: unknown, rows: readonly PlacedRow[]): PlacedFault[] {
  const isRefusal = error instanceof InvalidRequestError || error instanceof ConflictError
  if (!isRefusal || error.errors.length === 0) throw error
  return error.errors.map(({ row, column, message }) => {
    const place = rows[(row ?? 0) - 1]
    if (place === undefined) throw error
    // The server counts the rows of its request.
    const inFile = message.replace(/ row (\d+)$/, (text, other: string) => {
      const first = rows[Number(other) - 1]
      return first === undefined ? text : ` row ${first.row}`
    })
    return { row: place.row, line: place.line, column: column ?? null, message: inFile }
  })
}

/** Two rows may name one decision by different ids, in different requests. */
function repeatedDecisions(
  rows: readonly PlacedRow[],
  requestIds: readonly string[],
  rowOf: Map<string, number>,
): PlacedFault[] {
  return rows.flatMap(({ row, line, value }, place) => {
    const id = requestIds[place] ?? ''
    const first = rowOf.get(id)
    if (first === undefined) rowOf.set(id, row)
    const column = value.requestId === null ? 'correlation_id' : 'request_id'
    return first === undefined
      ? []
      : [{ row, line, column, message: `is of the same decision as row ${first}` }]
  })
}

async function record(
  job: Import,
  requests: readonly CheckedRequest[],
): Promise<Counts & { faults: PlacedFault[] }> {
  const { deps, file } = job
  const counts: Counts = { recorded: 0, unchanged: 0 }
  const bar = countBar('rows recorded', deps.process.stderr)
  try {
    const faults = await stoppable(deps.process, async (signal) => {
      for (const request of requests) {
        const answer = await recordOne(job, request, signal)
        if (Array.isArray(answer)) return answer
        counts.recorded += answer.recorded
        counts.unchanged += answer.unchanged
        bar.update(counts.recorded + counts.unchanged, file.rowCount)
      }
      return []
    })
    return { ...counts, faults }
  } catch (error) {
    throw interrupted(error, job, counts)
  } finally {
    bar.stop()
  }
}

/** Faults are those of rows that somebody else reported since the check. */
async function recordOne(
  { client }: Import,
  request: CheckedRequest,
  signal: AbortSignal,
): Promise<Readonly<Counts> | PlacedFault[]> {
  if (request.recorded === 0) return request
  try {
    return await send(client, request.rows, { ...patience, signal })
  } catch (error) {
    return refusalsOf(error, request.rows)
  }
}

/** Says how far it came, and that the rest can follow. */
function interrupted(error: unknown, { session, file }: Import, { recorded, unchanged }: Counts): unknown {
  if (!(error instanceof Stopped) && !(error instanceof FairwayError)) return error
  const done = recorded + unchanged
  const rest = `${withThousands(done)} of ${counted(file.rowCount, 'row')} are recorded. Run the command again: recorded rows stay unchanged`
  if (error instanceof Stopped) return new CommandFailure(`stopped; ${rest}`, error.exitCode)
  const { message, exitCode, details } = failureOf(error, session.used())
  const text = `${message} ${rest}`
  // The JSON output has the same message.
  const cause = new FairwayError(text, error, { cause: error })
  return Object.assign(new CommandFailure(text, exitCode, details), { cause })
}

/** The JSON has all. */
const faultsShown = 100

function resultLines(screen: Screen, result: ImportResult): string[] {
  const { file, dry_run: isDryRun, rows, faults, recorded, unchanged } = result
  const name = screen.cell(file)
  if (faults.length === 0) {
    const before = unchanged === 0 ? '' : `; ${withThousands(unchanged)} reported before, unchanged`
    return isDryRun
      ? [
          `${name} has no faults: ${withThousands(recorded)} of ${counted(rows, 'row')} would be recorded${before}.`,
        ]
      : [`Recorded ${counted(recorded, 'outcome')} of ${name}${before}.`]
  }
  const extent =
    recorded === 0
      ? 'nothing was recorded'
      : `${withThousands(recorded)} of ${counted(rows, 'row')} were recorded before`
  const hidden = faults.length - faultsShown
  return [
    `${name} has ${counted(faults.length, 'fault')}; ${extent}:`,
    ...faults.slice(0, faultsShown).map((fault) => `  ${screen.cell(faultText(fault))}`),
    ...(hidden > 0 ? [`  … and ${withThousands(hidden)} more: use --json for all`] : []),
  ]
}

/** `row 3, line 5, outcome: is required` */
function faultText({ row, line, column, message }: PlacedFault): string {
  const place = [
    `row ${row}`,
    ...(line === null ? [] : [`line ${line}`]),
    ...(column === null ? [] : [column]),
  ]
  return `${place.join(', ')}: ${message}`
}

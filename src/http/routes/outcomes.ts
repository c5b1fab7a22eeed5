/** POST /api/v1/outcomes: how up to 500 payments ended, as JSON or CSV; all of them or none. */

import type { Static } from 'typebox'
import { readCsvRows, readJsonRows, type ReadRows, type RowFault } from '../../app/assess/batch-rows.ts'
import { ignoredWarnings } from '../../app/assess/batch-warnings.ts'
import type { OutcomesResult, ReportOutcomes } from '../../app/events/outcome.ts'
import { outcomeForm, type OutcomeRow } from '../../core/live/outcome-row.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { CsvBody, registerCsvParser } from '../input/body.ts'
import { invalid, sendProblem, type FieldError, type Problem } from '../errors.ts'
import { errorsOf, noRows, rowError, validatorOfFrame } from '../input/rows.ts'
import { warningsOf } from '../input/validator.ts'
import { limits } from '../limits.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import {
  OutcomesAnswer,
  OutcomesBody,
  OutcomesCsv,
  OutcomesFrame,
  OutcomesQuery,
} from '../schemas/outcomes.ts'

const member = 'outcomes'

type Faulty = Extract<ReadRows<OutcomeRow>, { kind: 'faults' }>
type Caller = Parameters<ReportOutcomes['all']>[0]
type Input = CsvBody | Static<typeof OutcomesFrame>

/** Registered in its own plugin, since few routes accept CSV. */
export async function registerOutcomes(
  app: App,
  { reportOutcomes }: { readonly reportOutcomes: ReportOutcomes },
): Promise<void> {
  await app.register(async (plugin: App) => {
    registerCsvParser(plugin)
    plugin.route({
      method: 'POST',
      url: '/api/v1/outcomes',
      bodyLimit: limits.batchBodyBytesMax,
      config: { access: { scope: 'outcome:write', limit: 'batch' }, acceptsCsv: true, rowsMember: member },
      validatorCompiler: validatorOfFrame(OutcomesFrame, member),
      schema: {
        operationId: 'reportOutcomes',
        tags: ['Records'],
        summary: 'Report the outcomes of up to 500 payments',
        description:
          'All rows are recorded, or none: one bad row refuses the request, and the error lists every fault with its row and column. A row that was reported before with the same content changes nothing, so the same request can be sent again. In JSON a bare list of rows is accepted, too.',
        security: keyed,
        querystring: OutcomesQuery,
        body: {
          content: { 'application/json': { schema: OutcomesBody }, 'text/csv': { schema: OutcomesCsv } },
        },
        response: {
          200: response(OutcomesAnswer, 'limited'),
          ...errorResponses('limited', 400, 401, 403, 409, 413, 415, 429, 500, 503),
        },
      },
      async handler(request, reply) {
        const { ownerId, by } = callerOf(request)
        const isDryRun = request.query.dry_run === 'true'
        const body = request.body as Input | undefined
        const result = await report(reportOutcomes, body, { caller: { ownerId, by }, isDryRun })
        return 'code' in result ? sendProblem(reply, result) : result
      },
    })
  })
}

interface Options {
  readonly caller: Caller
  readonly isDryRun: boolean
}

async function report(
  reportOutcomes: ReportOutcomes,
  body: Input | undefined,
  { caller, isDryRun }: Options,
): Promise<Problem | Static<typeof OutcomesAnswer>> {
  if (body === undefined) return invalid([{ path: '', message: noRows }])
  const isCsv = body instanceof CsvBody
  const read = isCsv ? readCsvRows(body.bytes, outcomeForm) : readJsonRows(body.outcomes, outcomeForm)
  if (read.kind === 'unreadable') return invalid(errorsOf(read, { member, isCsv }))
  if (read.kind === 'faults') {
    const errors = [...errorsOf(read, { member, isCsv }), ...(await moreFaults(reportOutcomes, read, caller))]
    return invalid(errors.toSorted((left, right) => (left.row ?? 0) - (right.row ?? 0)))
  }
  const rows = read.rows.map((value, index) => ({ index, value }))
  const result = await reportOutcomes.all(caller, rows, isDryRun)
  if (result.kind === 'refused') return problemOf(result, read.lines)
  const { outcomes, unchanged } = result
  const ignored = warningsOf(body).map(({ path }) => path.slice(1))
  return {
    dry_run: isDryRun,
    recorded: outcomes.length - unchanged,
    unchanged,
    request_ids: outcomes.map(({ requestId }) => requestId),
    warnings: [...ignoredWarnings('members', ignored), ...read.warnings],
  }
}

/** Of the rows that can be read, so that every fault of a request is reported at once. A repeated row is one already. */
async function moreFaults(
  reportOutcomes: ReportOutcomes,
  read: Faulty,
  caller: Caller,
): Promise<FieldError[]> {
  const faulty = new Set(read.faults.map(({ index }) => index))
  const rows = read.valid.filter(({ index }) => !faulty.has(index))
  const result = await reportOutcomes.all(caller, rows, true)
  return result.kind === 'refused' ? result.faults.map((fault) => fieldErrorOf(fault, read.lines)) : []
}

/** A conflict only if nothing else is wrong: then the rows are right, and too late. */
function problemOf(
  { faults }: Extract<OutcomesResult, { kind: 'refused' }>,
  lines: readonly number[] | null,
): Problem {
  const problem = invalid(faults.map((fault) => fieldErrorOf(fault, lines)))
  return faults.every(({ kind }) => kind === 'exists') ? { ...problem, code: 'OUTCOME_EXISTS' } : problem
}

const fieldErrorOf = (
  { index, column, message }: Omit<RowFault, 'line'>,
  lines: readonly number[] | null,
): FieldError => rowError({ index, column, message, line: lines?.[index] ?? null }, member)

/** POST /api/v1/batch-assess: JSON or CSV in, JSON or CSV out. Always shadow, kept nowhere. */

import type { FastifyReply, FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  batchCsv,
  readCsvBatch,
  readJsonBatch,
  type AssessBatch,
  type BatchReport,
  type ReadBatch,
  type RowFault,
} from '../../app/assess/assess-batch.ts'
import type { App } from '../types.ts'
import { CsvBody, registerCsvParser } from '../input/body.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { limits } from '../limits.ts'
import { chooseFormat, mediaTypes } from '../input/media.ts'
import { BatchAnswer, BatchBody, BatchCsv, BatchFrame, BatchQuery } from '../schemas/batch.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { compileValidator } from '../input/validator.ts'

/** In a part of the application of its own, since no other route takes CSV. */
export async function registerBatch(app: App, assessBatch: AssessBatch): Promise<void> {
  await app.register(async (part: App) => {
    registerCsvParser(part)
    part.route({
      method: 'POST',
      url: '/api/v1/batch-assess',
      bodyLimit: limits.batchBodyBytesMax,
      config: {
        access: { scope: 'decision:read', limit: 'batch', mode: 'shadow' },
        takesCsv: true,
        rowsAt: 'transactions',
      },
      validatorCompiler: compileBatchValidator,
      schema: {
        operationId: 'batchAssess',
        tags: ['Decisions'],
        summary: 'Assess payments of the past, up to 500 at once',
        description:
          'Every row judged by the same engine, on simulated signals whatever the key, beside what became of it; test amounts do not act. One bad row refuses the whole, and every fault of every row is named with its row and column.',
        security: keyed,
        querystring: BatchQuery,
        body: {
          content: { 'application/json': { schema: BatchBody }, 'text/csv': { schema: BatchCsv } },
        },
        response: {
          200: response(
            {
              description: 'The report. As CSV: the rows, with the members of an assessment as columns.',
              content: {
                'application/json': { schema: BatchAnswer },
                'text/csv': { schema: { type: 'string' } },
              },
            },
            'limited',
            warningHeader,
          ),
          ...errorResponses('limited', 400, 401, 403, 413, 415, 429, 500, 503),
        },
      },
      handler: (request, reply) => {
        const given = request.body as Given | undefined
        // A body without a content type was refused before; without either there is none.
        if (given === undefined) return sendProblem(reply, invalid([{ path: '', message: noBody }]))
        const { format, report_name: named } = request.query
        const isCsv = given instanceof CsvBody
        const read = isCsv ? readCsvBatch(given.bytes) : readJsonBatch(given.transactions)
        if (read.kind !== 'rows') return sendProblem(reply, invalid(errorsOf(read, isCsv)))
        const reportName = (isCsv ? undefined : given.report_name) ?? named
        const report = assessBatch({ ...read, reportName: reportName?.trim() ?? null })
        return chooseFormat(request, reply, format) === 'csv'
          ? sendCsv(reply, report)
          : reply.type(mediaTypes.json).send(JSON.stringify(report))
      },
    })
  })
}

const warningHeader = {
  'X-SVC-Warning': {
    type: 'string',
    description: 'Of a CSV answer: what JSON tells in `warnings`, in ASCII.',
  },
}

const noBody = 'has an empty body; a JSON object or CSV is needed'

type Given = CsvBody | Static<typeof BatchFrame>

const frame = Compile(BatchFrame)

/** The rows of a body are read later, by one reader for JSON and CSV; here only that there are some. */
const compileBatchValidator: FastifySchemaCompiler<TSchema> = (part) => {
  if (part.httpPart !== 'body') return compileValidator(part)
  return (value: unknown) =>
    value instanceof CsvBody || frame.Check(value) ? { value } : { error: frame.Errors(value) }
}

function sendCsv(reply: FastifyReply, report: BatchReport): FastifyReply {
  if (report.warnings.length > 0) reply.header('x-svc-warning', ascii(report.warnings.join(' ')))
  return reply
    .type(mediaTypes.csv)
    .header('content-disposition', `attachment; filename="${report.report_id}.csv"`)
    .send(batchCsv(report))
}

/** A header takes no other characters, and proxies take no long ones. */
function ascii(text: string): string {
  const written = text.replaceAll(
    /[^\x20-\x7e]/g,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
  const most = limits.warningHeaderLengthMax
  return written.length <= most ? written : `${written.slice(0, most - 3)}...`
}

function errorsOf(read: Exclude<ReadBatch, { kind: 'rows' }>, isCsv: boolean): FieldError[] {
  if (read.kind === 'faults') return read.faults.map(fieldError)
  const { message, line } = read
  return [{ path: isCsv ? '' : '/transactions', message, ...(line === null ? {} : { line }) }]
}

function fieldError({ index, column, message, line }: RowFault): FieldError {
  const path = `/transactions/${index}${column === null ? '' : `/${column}`}`
  return {
    path,
    message,
    row: index + 1,
    ...(column === null ? {} : { column }),
    ...(line === null ? {} : { line }),
  }
}

/** /api/v1/batch-reports: reports of batch assessments that the owner keeps, to share and to read again. */

import { Type } from 'typebox'
import { batchCsv } from '../../app/assess/assess-batch.ts'
import {
  keptReportsMax,
  mayDelete,
  type KeepReport,
  type KeptContent,
} from '../../app/assess/kept-reports.ts'
import { actsBy } from '../../app/operate/acts.ts'
import { attributedTo, principalView, type Caller } from '../../app/people/caller.ts'
import type { KeptReport } from '../../app/ports/assess.ts'
import type { Store } from '../../app/ports/store.ts'
import type { Clock, Random } from '../../app/ports/system.ts'
import { iso } from '../../core/time/durations.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { notFound, sendProblem, type Problem } from '../errors.ts'
import { readBatch, rowsMember } from '../input/batch.ts'
import { registerCsvParser } from '../input/body.ts'
import { mediaTypes } from '../input/media.ts'
import { listQuery } from '../input/paging.ts'
import { validatorOfFrame } from '../input/rows.ts'
import { limits } from '../limits.ts'
import {
  BatchBody,
  BatchCsv,
  BatchFrame,
  KeptReportDetails,
  KeptReportList,
  KeptReportQuery,
  KeptReportRemoved,
  KeptReportView,
  KeepReportQuery,
} from '../schemas/batch.ts'
import { errorResponses, keyed, named, response, withWarnings } from '../schemas/common.ts'

const base = '/api/v1/batch-reports'
const config = { access: { scope: 'decision:read', limit: 'keyed' } } as const
const common = { tags: ['Decisions'], security: keyed }
const params = Type.Object({ report_id: Type.String({ description: 'The id of a kept report.' }) })

export interface BatchReportDeps {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly keepReport: KeepReport
}

export async function registerBatchReports(app: App, deps: BatchReportDeps): Promise<void> {
  await registerKeeping(app, deps.keepReport)
  registerList(app, deps.store)
  registerReading(app, deps.store)
  registerRemoval(app, deps)
}

/** In its own plugin, since it accepts CSV. */
async function registerKeeping(app: App, keepReport: KeepReport): Promise<void> {
  await app.register(async (plugin: App) => {
    registerCsvParser(plugin)
    plugin.route({
      method: 'POST',
      url: base,
      bodyLimit: limits.batchBodyBytesMax,
      config: {
        access: { scope: 'decision:read', limit: 'batch', mode: 'shadow' },
        acceptsCsv: true,
        rowsMember,
      },
      validatorCompiler: validatorOfFrame(BatchFrame),
      schema: {
        ...common,
        operationId: 'keepBatchReport',
        summary: 'Assess past payments and keep the report',
        description: `Assesses the batch as batchAssess does, and keeps the report for everybody of the owner, with the figures that the service computed. At most ${keptReportsMax.others} per owner, and ${keptReportsMax.sandbox} in a sandbox. The rows are kept with the report. No decision is recorded.`,
        querystring: KeepReportQuery,
        body: { content: { 'application/json': { schema: BatchBody }, 'text/csv': { schema: BatchCsv } } },
        response: {
          200: response(named('KeptReportResponse', withWarnings(KeptReportView)), 'limited'),
          ...errorResponses('limited', 400, 401, 403, 413, 415, 422, 429, 500, 503),
        },
      },
      async handler(request, reply) {
        const read = readBatch(request.body, request.query.report_name)
        if (read.kind === 'refused') return sendProblem(reply, read.problem)
        const caller = callerOf(request)
        const { ownerId, by, type } = caller
        const command = { ...read, ownerId, isSandbox: type === 'sandbox', by: attributedTo(by) }
        const outcome = await keepReport(command)
        if (outcome.kind === 'kept') return viewOf(outcome.report, caller)
        const message = `The limit of ${outcome.countMax} kept reports is reached. Delete one first.`
        return sendProblem(reply, { code: 'UNPROCESSABLE', message })
      },
    })
  })
}

function registerList(app: App, store: Store): void {
  app.route({
    method: 'GET',
    url: base,
    config,
    schema: {
      ...common,
      operationId: 'batchReports',
      summary: 'List kept reports',
      description: 'Newest first.',
      querystring: listQuery({}),
      response: {
        200: response(KeptReportList, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    handler: async (request) => {
      const caller = callerOf(request)
      const reports = await store.forOwner(caller.ownerId).reports.list()
      return { reports: reports.map((report) => viewOf(report, caller)) }
    },
  })
}

function registerReading(app: App, store: Store): void {
  app.route({
    method: 'GET',
    url: `${base}/:report_id`,
    config,
    schema: {
      ...common,
      operationId: 'batchReport',
      summary: 'Read a kept report',
      description: 'As JSON, as CSV with one row per assessment, or as a self-contained page.',
      params,
      querystring: KeptReportQuery,
      response: {
        200: response(
          {
            description: 'The report, in the format of the query.',
            content: {
              'application/json': { schema: KeptReportDetails },
              'text/csv': { schema: { type: 'string' } },
              'text/html': { schema: { type: 'string' } },
            },
          },
          'limited',
        ),
        ...errorResponses('limited', 400, 401, 403, 404, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const caller = callerOf(request)
      const found = await store.forOwner(caller.ownerId).reports.find(request.params.report_id)
      if (found === null) return sendProblem(reply, notFound)
      const { format = 'json' } = request.query
      if (format !== 'json')
        reply.header('content-disposition', `attachment; filename="${found.reportId}.${format}"`)
      if (format === 'html')
        return reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', pagePolicy)
          .send(found.page)
      const content = JSON.parse(found.content) as KeptContent
      if (format === 'csv') return reply.type(mediaTypes.csv).send(batchCsv(content.report))
      return reply.type(mediaTypes.json).send(JSON.stringify({ ...viewOf(found, caller), ...content }))
    },
  })
}

/** The page runs and loads nothing, and is no page of this site. */
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const keptByAnother: Problem = {
  code: 'FORBIDDEN',
  message:
    'Another principal keeps this report. Only that principal and people with the role admin delete it.',
}

function registerRemoval(app: App, deps: Omit<BatchReportDeps, 'keepReport'>): void {
  app.route({
    method: 'DELETE',
    url: `${base}/:report_id`,
    config,
    schema: {
      ...common,
      operationId: 'removeBatchReport',
      summary: 'Delete a kept report',
      description:
        'For the principal who kept it, and for people with the role `admin`. The act is an entry of the sealed log.',
      params,
      response: {
        200: response(KeptReportRemoved, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 404, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { report_id: reportId } = request.params
      const caller = callerOf(request)
      const { ownerId, by } = caller
      const { reports } = deps.store.forOwner(ownerId)
      const found = await reports.find(reportId)
      if (found === null) return sendProblem(reply, notFound)
      if (!mayDelete(caller, found)) return sendProblem(reply, keptByAnother)
      const describe = actsBy(by.id, deps)
      const detail = { owner_id: ownerId }
      const isRemoved = await reports.remove(
        reportId,
        describe({ kind: 'report.deleted', subject: reportId, detail }),
      )
      return isRemoved ? { report_id: reportId, status: 'deleted' as const } : sendProblem(reply, notFound)
    },
  })
}

function viewOf(report: KeptReport, caller: Caller) {
  return {
    report_id: report.reportId,
    report_name: report.name,
    kept_at: iso(report.keptAtMs),
    kept_by: principalView(report.keptBy),
    transaction_count: report.transactions,
    go: report.go,
    degraded: report.degraded,
    no_go: report.noGo,
    execution_uncertainty_score: report.uncertainty,
    may_delete: mayDelete(caller, report),
  }
}

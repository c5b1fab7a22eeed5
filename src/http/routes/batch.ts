/** POST /api/v1/batch-assess: JSON or CSV in, JSON or CSV out. Always in shadow mode; nothing is stored. */

import type { FastifyReply } from 'fastify'
import { batchCsv, type AssessBatch, type BatchReport } from '../../app/assess/assess-batch.ts'
import type { App } from '../types.ts'
import { readBatch, rowsMember } from '../input/batch.ts'
import { registerCsvParser } from '../input/body.ts'
import { sendProblem } from '../errors.ts'
import { limits } from '../limits.ts'
import { chooseFormat, mediaTypes } from '../input/media.ts'
import { BatchAnswer, BatchBody, BatchCsv, BatchFrame, BatchQuery } from '../schemas/batch.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { validatorOfFrame } from '../input/rows.ts'

/** Registered in its own plugin, since no other route accepts CSV. */
export async function registerBatch(app: App, assessBatch: AssessBatch): Promise<void> {
  await app.register(async (plugin: App) => {
    registerCsvParser(plugin)
    plugin.route({
      method: 'POST',
      url: '/api/v1/batch-assess',
      bodyLimit: limits.batchBodyBytesMax,
      config: {
        access: { scope: 'decision:read', limit: 'batch', mode: 'shadow' },
        acceptsCsv: true,
        rowsMember,
      },
      validatorCompiler: validatorOfFrame(BatchFrame),
      schema: {
        operationId: 'batchAssess',
        tags: ['Decisions'],
        summary: 'Assess up to 500 past payments',
        description:
          'Scores every row with the same engine and compares the decision with the actual outcome. Always uses simulated signals, whatever the key; test amounts have no effect, and no policy acts on it. One invalid row rejects the batch, and the error lists every fault with its row and column.',
        security: keyed,
        querystring: BatchQuery,
        body: {
          content: { 'application/json': { schema: BatchBody }, 'text/csv': { schema: BatchCsv } },
        },
        response: {
          200: response(
            {
              description: 'The report. In CSV, one row per assessment, with its members as columns.',
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
        const { format, report_name: nameInQuery } = request.query
        const read = readBatch(request.body, nameInQuery)
        if (read.kind === 'refused') return sendProblem(reply, read.problem)
        const { report } = assessBatch(read)
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
    description: 'In a CSV response: the `warnings` of the JSON response, in ASCII.',
  },
}

function sendCsv(reply: FastifyReply, report: BatchReport): FastifyReply {
  if (report.warnings.length > 0) reply.header('x-svc-warning', ascii(report.warnings.join(' ')))
  return reply
    .type(mediaTypes.csv)
    .header('content-disposition', `attachment; filename="${report.report_id}.csv"`)
    .send(batchCsv(report))
}

/** Escapes and shortens a header value: headers allow only ASCII, and proxies limit their length. */
function ascii(text: string): string {
  const encoded = text.replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
  const lengthMax = limits.warningHeaderLengthMax
  return encoded.length <= lengthMax ? encoded : `${encoded.slice(0, lengthMax - 3)}...`
}

/** GET /api/verifications: the caller's own history, newest first. */

import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { historyCsv } from '../../app/inspect/history-csv.ts'
import type { Annotated, HistoryQuery as StoreQuery, VerificationSummary } from '../../app/ports/records.ts'
import type { Store } from '../../app/ports/store.ts'
import { outcomeMember, overrideMember, repeatMember, summaryMembers } from '../../app/inspect/record-wire.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { limits } from '../limits.ts'
import { chooseFormat, mediaTypes } from '../input/media.ts'
import { cursorRule, linkToNext, readCursor } from '../input/paging.ts'
import { readCorridor } from '../input/payment.ts'
import { readRecordedAt } from '../input/times.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { History, HistoryQuery } from '../schemas/records.ts'

export function registerVerifications(app: App, store: Store): void {
  app.route({
    method: 'GET',
    url: '/api/verifications',
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'verifications',
      tags: ['Records'],
      summary: 'List your decisions, newest first',
      description:
        'Paginated: follow `Link: <…>; rel="next"` until there is none. In CSV (`Accept: text/csv` or `format`), each page has a header and one line per record, and the link keeps the format.',
      security: keyed,
      querystring: HistoryQuery,
      response: {
        200: response(
          {
            description: 'A page of records, newest first.',
            content: { 'application/json': { schema: History }, 'text/csv': { schema: { type: 'string' } } },
          },
          'limited',
          {
            Link: { type: 'string', description: 'The next page, if any.' },
          },
        ),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const parsed = parseHistoryQuery(request.query)
      if (!parsed.ok) return sendProblem(reply, invalid(parsed.errors))
      const { storeQuery } = parsed
      // Read one extra record to detect a next page.
      const { limit } = storeQuery
      const records = await store
        .forOwner(callerOf(request).ownerId)
        .list({ ...storeQuery, limit: limit + 1 })
      const page = records.slice(0, limit)
      const last = page.at(-1)
      const isCsv = chooseFormat(request, reply, request.query.format) === 'csv'
      if (records.length > limit && last !== undefined) {
        const query = isCsv ? { ...request.query, format: 'csv' } : request.query
        reply.header('link', linkToNext('/api/verifications', query, last.requestId))
      }
      return isCsv ? sendCsv(reply, page) : reply.send(page.map(itemOf))
    },
  })
}

type Record = Annotated<VerificationSummary>

function itemOf(record: Record) {
  return {
    ...summaryMembers(record),
    ...overrideMember(record),
    ...outcomeMember(record),
    ...repeatMember(record),
    recorded_at: new Date(record.recordedAtMs).toISOString(),
  }
}

function sendCsv(reply: FastifyReply, page: readonly Record[]): FastifyReply {
  return reply
    .type(mediaTypes.csv)
    .header('content-disposition', 'attachment; filename="verifications.csv"')
    .send(historyCsv(page))
}

type Query = Static<typeof HistoryQuery>

function parseHistoryQuery(
  query: Query,
): { ok: true; storeQuery: StoreQuery } | { ok: false; errors: FieldError[] } {
  const errors: FieldError[] = []
  const corridor = query.corridor === undefined ? null : readCorridor(query.corridor, '/corridor', errors)
  const before = query.cursor === undefined ? null : (parseRequestId(readCursor(query.cursor))?.id ?? null)
  if (query.cursor !== undefined && before === null) errors.push({ path: '/cursor', message: cursorRule })
  const fromMs = readRecordedAt(query.from, '/from', errors)
  const toMs = readRecordedAt(query.to, '/to', errors)
  if (fromMs !== null && toMs !== null && fromMs > toMs)
    errors.push({ path: '/from', message: 'must not be after to' })
  if (errors.length > 0) return { ok: false, errors }
  return {
    ok: true,
    storeQuery: {
      limit: query.limit ?? limits.historyPageDefault,
      before,
      verdict: query.decision ?? null,
      corridor,
      correlationId: query.correlation_id ?? null,
      fromMs,
      toMs,
    },
  }
}

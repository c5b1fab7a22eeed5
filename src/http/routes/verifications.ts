/** GET /api/verifications: the caller's own history, newest first, and what it adds up to. */

import type { FastifyReply } from 'fastify'
import { readHistory, totalHistory } from '../../app/inspect/history.ts'
import { historyCells, historyCsv } from '../../app/inspect/history-csv.ts'
import type { Cell } from '../../app/assess/csv/write.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import {
  outcomeMember,
  overrideMember,
  readAnswer,
  repeatMember,
  summaryMembers,
} from '../../app/inspect/record-wire.ts'
import { currencyMembers } from '../../app/verify/answer.ts'
import type { Annotated, ListedVerification } from '../../app/ports/records.ts'
import type { Store } from '../../app/ports/store.ts'
import type { App, AppDeps } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { hasMatch, readFilters, readPage } from '../input/history.ts'
import { chooseFormat, mediaTypes } from '../input/media.ts'
import { linkToNext } from '../input/paging.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { History, HistoryQuery, HistoryTotals, TotalsQuery } from '../schemas/records.ts'

export function registerVerifications(app: App, { store, mask }: Pick<AppDeps, 'store' | 'mask'>): void {
  app.route({
    method: 'GET',
    url: '/api/verifications',
    config: { access: { scope: 'decision:read', limit: 'keyed' }, isLong: true },
    schema: {
      operationId: 'verifications',
      tags: ['Records'],
      summary: 'List your decisions, newest first',
      description:
        'Paginated: follow `Link: <…>; rel="next"` until there is none. With `mode`, `reason`, `currency`, `amount_min`, `amount_max`, `override` or `outcome`, one page looks at 2,000 records at most: it may hold fewer than `limit`, or none, and still have a next page. In CSV (`Accept: text/csv` or `format`), each page has a header and one line per record, and the link keeps the format.',
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
      const errors: FieldError[] = []
      const { filters, match } = readFilters(request.query, errors)
      const page = readPage(request.query, errors)
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const owner = store.forOwner(callerOf(request).ownerId)
      const asked = { query: { ...filters, ...page }, match: hasMatch(match) ? match : null }
      const isCsv = chooseFormat(request, reply, request.query.format) === 'csv'
      const linkTo = (next: RequestId | null): void => {
        if (next === null) return
        const linked = isCsv ? { ...request.query, format: 'csv' } : request.query
        reply.header('link', linkToNext('/api/verifications', linked, next))
      }
      if (isCsv) {
        const masking = await mask()
        const rows = await readHistory(owner, { ...asked, itemOf: (record) => historyCells(record, masking) })
        linkTo(rows.next)
        return sendCsv(reply, rows.items)
      }
      const { items, next } = await readHistory(owner, { ...asked, itemOf })
      linkTo(next)
      return reply.send([...items])
    },
  })
  registerTotals(app, store)
}

function registerTotals(app: App, store: Store): void {
  app.route({
    method: 'GET',
    url: '/api/v1/verifications/totals',
    config: { access: { scope: 'decision:read', limit: 'keyed' }, isLong: true },
    schema: {
      operationId: 'verificationsTotals',
      tags: ['Records'],
      summary: 'Sum your decisions by currency',
      description:
        'The number, the amounts and the decisions of the records that match, by currency of the request. Sums are exact, and rounded once to a number. It looks at the newest 10,000 records at most; `complete` is false if there are older ones. Not part of the original contract.',
      security: keyed,
      querystring: TotalsQuery,
      response: {
        200: response(HistoryTotals, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const { filters, match } = readFilters(request.query, errors)
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      return totalHistory(store.forOwner(callerOf(request).ownerId), filters, match)
    },
  })
}

type Record = Annotated<ListedVerification>

function itemOf(record: Record) {
  const answer = readAnswer(record)
  return {
    ...summaryMembers(record),
    ...currencyMembers(record, answer),
    reason_codes: [...answer.reason_codes],
    recommended_action: answer.recommended_action,
    ...overrideMember(record),
    ...outcomeMember(record),
    ...repeatMember(record),
    recorded_at: new Date(record.recordedAtMs).toISOString(),
  }
}

function sendCsv(reply: FastifyReply, rows: readonly Cell[][]): FastifyReply {
  return reply
    .type(mediaTypes.csv)
    .header('content-disposition', 'attachment; filename="verifications.csv"')
    .send(historyCsv(rows))
}

/** GET /api/verifications: the caller's own history, newest first. */

import type { Static } from 'typebox'
import type { HistoryQuery as Asked, Store } from '../../app/ports.ts'
import { outcomeMember, overrideMember, summaryMembers } from '../../app/record-wire.ts'
import { parseCorridor } from '../../core/corridor.ts'
import { parseRequestId } from '../../core/request-id.ts'
import type { App } from '../app.ts'
import { callerOf } from '../caller.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { limits } from '../limits.ts'
import { cursorRule, linkToNext, readCursor } from '../paging.ts'
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
      summary: 'Your own decisions, newest first',
      description: 'A page at a time: follow `Link: <…>; rel="next"` until there is none.',
      security: keyed,
      querystring: HistoryQuery,
      response: {
        200: response(History, 'limited', {
          Link: { type: 'string', description: 'The next page, while there is one.' },
        }),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const parsed = parseHistoryQuery(request.query)
      if (!parsed.ok) return sendProblem(reply, invalid(parsed.errors))
      const { asked } = parsed
      // One more than asked for tells whether there is a next page.
      const found = await store.forOwner(callerOf(request).ownerId).list({ ...asked, limit: asked.limit + 1 })
      const page = found.slice(0, asked.limit)
      const last = page.at(-1)
      if (found.length > asked.limit && last !== undefined) {
        reply.header('link', linkToNext('/api/verifications', request.query, last.requestId))
      }
      return page.map((record) => ({
        ...summaryMembers(record),
        ...overrideMember(record),
        ...outcomeMember(record),
        recorded_at: new Date(record.recordedAtMs).toISOString(),
      }))
    },
  })
}

type Query = Static<typeof HistoryQuery>

function parseHistoryQuery(query: Query): { ok: true; asked: Asked } | { ok: false; errors: FieldError[] } {
  const errors: FieldError[] = []
  const check = <Value>(path: string, message: string, value: Value | null): Value | null => {
    if (value === null) errors.push({ path, message })
    return value
  }
  const time = 'must be a time in ISO 8601, like 2026-01-31T12:00:00Z'
  const given = <Value>(text: string | undefined, parse: (text: string) => Value): Value | null =>
    text === undefined ? null : parse(text)

  const corridor = given(query.corridor, (text) =>
    check('/corridor', 'must name two countries as FROM-TO, like GB-NG', parseCorridor(text)),
  )
  const before = given(query.cursor, (text) =>
    check('/cursor', cursorRule, parseRequestId(readCursor(text))?.id ?? null),
  )
  const fromMs = given(query.from, (text) => check('/from', time, parseTime(text)))
  const toMs = given(query.to, (text) => check('/to', time, parseTime(text)))
  if (fromMs !== null && toMs !== null && fromMs > toMs)
    errors.push({ path: '/from', message: 'must not be after to' })
  if (errors.length > 0) return { ok: false, errors }
  const verdict = query.decision ?? null
  return {
    ok: true,
    asked: { limit: query.limit ?? limits.historyPageDefault, before, verdict, corridor, fromMs, toMs },
  }
}

const isoTime = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A date alone is its midnight in UTC; a time needs its zone. The 30th of February is none, though `Date` takes it. */
function parseTime(text: string): number | null {
  const [, year, month, day] = isoTime.exec(text) ?? []
  const dayExists =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  const ms = dayExists ? Date.parse(text) : Number.NaN
  // Ids carry the years 1970 to 9999.
  return ms >= 0 && ms < Date.UTC(10_000, 0) ? ms : null
}

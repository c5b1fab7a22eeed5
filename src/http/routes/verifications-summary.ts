/** GET /api/v1/verifications/summary: a summary of the caller's own decisions. */

import type { Static } from 'typebox'
import { createSummarise } from '../../app/inspect/summary.ts'
import type { Clock } from '../../app/ports/system.ts'
import type { Store } from '../../app/ports/store.ts'
import { dayMs } from '../../core/time/durations.ts'
import {
  endOfHour,
  rangeEndMsMax,
  rangeMsMax,
  stepOf,
  type Range,
  type Step,
} from '../../core/time/summary.ts'
import { isTimeZone, timeZoneRule } from '../../core/time/zone.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { readCorridor } from '../input/payment.ts'
import { readRecordedAt } from '../input/times.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { SummaryQuery, VerificationsSummary } from '../schemas/summary.ts'

export function registerVerificationsSummary(app: App, deps: { store: Store; clock: Clock }): void {
  const summarise = createSummarise(deps)
  app.route({
    method: 'GET',
    url: '/api/v1/verifications/summary',
    config: { access: { scope: 'decision:read', limit: 'keyed' }, isLong: true },
    schema: {
      operationId: 'verificationsSummary',
      tags: ['Records'],
      summary: 'Summarise your decisions over a period',
      description:
        'Decisions over time, with counts, scores, reasons, corridors and latency. Exact: each decision is counted in the transaction that records it. Defaults to the last 24 hours. The range is widened to full hours of recording time; `from` and `to` in the response show what it covers. Not part of the original contract.',
      security: keyed,
      querystring: SummaryQuery,
      response: {
        200: response(VerificationsSummary, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const { query } = request
      const period = readRange(query, deps.clock.nowMs(), errors)
      const corridor = query.corridor === undefined ? null : readCorridor(query.corridor, '/corridor', errors)
      const timeZone = query.time_zone ?? 'UTC'
      if (!isTimeZone(timeZone)) errors.push({ path: '/time_zone', message: timeZoneRule })
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const { ownerId } = callerOf(request)
      return summarise({ ownerId, ...period, corridor, mode: query.mode ?? null, timeZone })
    },
  })
}

type Query = Static<typeof SummaryQuery>

function readRange(query: Query, nowMs: number, errors: FieldError[]): { range: Range; step: Step } {
  const faultsBefore = errors.length
  const requestedFromMs = readRecordedAt(query.from, '/from', errors)
  const requestedToMs = readRecordedAt(query.to, '/to', errors)
  const untilMs = requestedToMs ?? nowMs
  const fromMs = requestedFromMs ?? Math.max(0, untilMs - dayMs)
  const range = { fromMs, toMs: requestedToMs ?? endOfHour(nowMs) }
  // Skip the range checks if a time is invalid.
  if (errors.length === faultsBefore) {
    if (fromMs >= range.toMs) errors.push(requestedFromMs === null ? toTooEarly : fromTooLate)
    if (untilMs - fromMs > rangeMsMax) errors.push(fromTooEarly)
    if (range.toMs > rangeEndMsMax) errors.push(toTooLate)
  }
  return { range, step: stepOf({ fromMs, toMs: untilMs }) }
}

const fromTooLate = { path: '/from', message: 'must be before to, which defaults to now' }
const fromTooEarly = { path: '/from', message: `must be at most ${rangeMsMax / dayMs} days before to` }
const toTooEarly = { path: '/to', message: 'must be after 1970-01-01T00:00:00Z' }
const toTooLate = {
  path: '/to',
  message: 'must be at most 9999-12-31T23:00:00Z',
}

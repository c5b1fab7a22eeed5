/** GET /api/v1/verifications/summary: an overview of the caller's own decisions. */

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
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'verificationsSummary',
      tags: ['Records'],
      summary: 'Your own decisions in a time, summed up',
      description:
        'An addition of ours: the original contract does not have it. Decisions over time, shares, scores, reasons, corridors and latency, counted in the transaction that wrote each record: exact, and as fast for a million records as for a few. The last 24 hours unless told; a range is widened to whole hours of recording time, and the answer says what it covers.',
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
      const asked = readRange(query, deps.clock.nowMs(), errors)
      const corridor = query.corridor === undefined ? null : readCorridor(query.corridor, '/corridor', errors)
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      return summarise({ ownerId: callerOf(request).ownerId, ...asked, corridor, mode: query.mode ?? null })
    },
  })
}

type Query = Static<typeof SummaryQuery>

function readRange(query: Query, nowMs: number, errors: FieldError[]): { range: Range; step: Step } {
  const faultsBefore = errors.length
  const givenFromMs = readRecordedAt(query.from, '/from', errors)
  const givenToMs = readRecordedAt(query.to, '/to', errors)
  const untilMs = givenToMs ?? nowMs
  const fromMs = givenFromMs ?? Math.max(0, untilMs - dayMs)
  const range = { fromMs, toMs: givenToMs ?? endOfHour(nowMs) }
  // Of a time that could not be read, no more needs to be said.
  if (errors.length === faultsBefore) {
    if (fromMs >= range.toMs) errors.push(givenFromMs === null ? toTooEarly : fromTooLate)
    if (untilMs - fromMs > rangeMsMax) errors.push(fromTooEarly)
    if (range.toMs > rangeEndMsMax) errors.push(toTooLate)
  }
  return { range, step: stepOf({ fromMs, toMs: untilMs }) }
}

const fromTooLate = { path: '/from', message: 'must be before to, which is now unless given' }
const fromTooEarly = { path: '/from', message: `must be at most ${rangeMsMax / dayMs} days before to` }
const toTooEarly = { path: '/to', message: 'must be after the first moment of 1970' }
const toTooLate = { path: '/to', message: 'must be at most 9999-12-31T23:00:00Z: a range has whole hours' }

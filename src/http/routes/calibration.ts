/** GET /api/v1/calibration: whether the caller's own scores mean what they say. */

import type { Static } from 'typebox'
import type { Calibrate } from '../../app/calibration/calibration.ts'
import type { Clock } from '../../app/ports/system.ts'
import { ceilTo, dayMs } from '../../core/time/durations.ts'
import type { Range } from '../../core/time/summary.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { readCorridor } from '../input/payment.ts'
import { readRecordedAt } from '../input/times.ts'
import { Calibration, CalibrationQuery } from '../schemas/calibration.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import type { PolicyDocument } from '../schemas/policies.ts'

const defaultRangeMs = 365 * dayMs
/** Widened to a whole day, its year still has four digits. */
const endMsMax = Date.UTC(9999, 11, 31)

export function registerCalibration(
  app: App,
  deps: { readonly calibrate: Calibrate; readonly clock: Clock },
): void {
  app.route({
    method: 'GET',
    url: '/api/v1/calibration',
    config: { access: { scope: 'policy:read', limit: 'keyed' }, isLong: true },
    schema: {
      operationId: 'calibration',
      tags: ['Policies'],
      summary: 'Compare scores with how payments ended',
      description:
        'A score predicts that a payment fails with a probability of 1 − score. The Brier score, the reliability by predicted probability and the failure rate by signal say whether that came about, over your decisions with a final outcome. Exact, and read from counts that are kept by day.',
      security: keyed,
      querystring: CalibrationQuery,
      response: {
        200: response(Calibration, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const { query } = request
      const range = readRange(query, deps.clock.nowMs(), errors)
      const corridor = query.corridor === undefined ? null : readCorridor(query.corridor, '/corridor', errors)
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const { ownerId } = callerOf(request)
      const calibration = await deps.calibrate({ ownerId, range, mode: query.mode ?? null, corridor })
      return { ...calibration, suggestion: calibration.suggestion as Static<typeof PolicyDocument> | null }
    },
  })
}

function readRange(query: Static<typeof CalibrationQuery>, nowMs: number, errors: FieldError[]): Range {
  const faultsBefore = errors.length
  const requestedFromMs = readRecordedAt(query.from, '/from', errors)
  const toMs = readRecordedAt(query.to, '/to', errors) ?? nowMs + 1
  const fromMs = requestedFromMs ?? Math.max(0, ceilTo(dayMs, toMs) - defaultRangeMs)
  if (errors.length === faultsBefore) {
    if (fromMs >= toMs) errors.push({ path: '/from', message: 'must be before to, which defaults to now' })
    if (toMs > endMsMax) errors.push({ path: '/to', message: 'must be at most 9999-12-31T00:00:00Z' })
  }
  return { fromMs, toMs }
}

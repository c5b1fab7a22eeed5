/** /api/v1/policies/{policy_id}/backtests: a policy on the caller's recorded decisions. */

import { Type } from 'typebox'
import { waitingBacktestsMax } from '../../app/policy/policies.ts'
import type { Backtest } from '../../app/ports/policies.ts'
import { reportOf } from '../../core/policy/report.ts'
import { iso } from '../../core/time/durations.ts'
import type { App } from '../types.ts'
import { policyOwnerOf } from '../auth.ts'
import { invalid, notFound, sendProblem, type FieldError } from '../errors.ts'
import { readRecordedAt } from '../input/times.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { BacktestBody, BacktestList, BacktestStarted, BacktestView } from '../schemas/policies.ts'
import { access, policiesPath, policyParams, type PolicyRoutesDeps } from './policies.ts'

const common = { tags: ['Policies'], security: keyed }
const params = Type.Object({
  ...policyParams.properties,
  backtest_id: Type.String({ description: 'The id of a backtest.' }),
})
const listedMax = 20

export function registerBacktests(app: App, deps: PolicyRoutesDeps): void {
  registerStart(app, deps)
  registerReads(app, deps)
  registerCancellation(app, deps)
}

function registerStart(app: App, { policies }: PolicyRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${policiesPath}/:policy_id/backtest`,
    config: access('policy:write'),
    schema: {
      ...common,
      operationId: 'startBacktest',
      summary: 'Decide a stretch of history again under a policy',
      description: `Runs beside the decisions and changes nothing. At most ${waitingBacktestsMax} per owner at a time.`,
      params: policyParams,
      body: BacktestBody,
      response: {
        200: response(BacktestStarted, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 404, 413, 415, 422, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { from, to, mode = null } = request.body
      const errors: FieldError[] = []
      const fromMs = readRecordedAt(from, '/from', errors)
      const toMs = readRecordedAt(to, '/to', errors)
      if (fromMs !== null && toMs !== null && fromMs >= toMs)
        errors.push({ path: '/from', message: 'must be before to' })
      if (fromMs === null || toMs === null || errors.length > 0) return sendProblem(reply, invalid(errors))
      const own = policies(policyOwnerOf(request))
      const started = await own.startBacktest(request.params.policy_id, { fromMs, toMs, mode })
      if (started === null) return sendProblem(reply, notFound)
      if (started === 'too_many') {
        const message = `${waitingBacktestsMax} backtests have not ended yet. Wait for one, or cancel it.`
        return sendProblem(reply, { code: 'UNPROCESSABLE', message })
      }
      return reply.send(viewOf(started))
    },
  })
}

function registerReads(app: App, { policies }: PolicyRoutesDeps): void {
  const errors = errorResponses('limited', 400, 401, 403, 404, 429, 500, 503)
  app.route({
    method: 'GET',
    url: `${policiesPath}/:policy_id/backtests`,
    config: access('policy:read'),
    schema: {
      ...common,
      operationId: 'backtests',
      summary: 'List the backtests of a policy',
      params: policyParams,
      response: { 200: response(BacktestList, 'limited'), ...errors },
    },
    async handler(request, reply) {
      const own = policies(policyOwnerOf(request))
      const found = await own.backtests(request.params.policy_id, listedMax)
      return found === null ? sendProblem(reply, notFound) : reply.send({ backtests: found.map(viewOf) })
    },
  })
  app.route({
    method: 'GET',
    url: `${policiesPath}/:policy_id/backtests/:backtest_id`,
    config: access('policy:read'),
    schema: {
      ...common,
      operationId: 'backtest',
      summary: 'Show the progress and the report of a backtest',
      params,
      response: { 200: response(BacktestView, 'limited'), ...errors },
    },
    async handler(request, reply) {
      const { policy_id: policyId, backtest_id: backtestId } = request.params
      const found = await policies(policyOwnerOf(request)).findBacktest(policyId, backtestId)
      return found === null ? sendProblem(reply, notFound) : reply.send(viewOf(found))
    },
  })
}

function registerCancellation(app: App, { policies }: PolicyRoutesDeps): void {
  app.route({
    method: 'DELETE',
    url: `${policiesPath}/:policy_id/backtests/:backtest_id`,
    config: access('policy:write'),
    schema: {
      ...common,
      operationId: 'cancelBacktest',
      summary: 'Cancel a backtest',
      description: 'It ends within a moment. One that has ended stays as it is.',
      params,
      response: {
        200: response(BacktestView, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { policy_id: policyId, backtest_id: backtestId } = request.params
      const own = policies(policyOwnerOf(request))
      const isCancelled = await own.cancelBacktest(policyId, backtestId)
      const found = isCancelled === null ? null : await own.findBacktest(policyId, backtestId)
      if (found === null) return sendProblem(reply, notFound)
      return isCancelled === true
        ? reply.send(viewOf(found))
        : sendProblem(reply, {
            code: 'POLICY_CONFLICT',
            message: `This backtest has ended: ${found.status}.`,
          })
    },
  })
}

/** Until it is done the sums are of a part of the records only, so they are not shown. */
function viewOf(backtest: Backtest) {
  const { status, progress, sums } = backtest
  return {
    backtest_id: backtest.backtestId,
    policy_id: backtest.policyId,
    status,
    from: iso(backtest.fromMs),
    to: iso(backtest.toMs),
    mode: backtest.mode,
    created_at: iso(backtest.createdAtMs),
    ended_at: iso(backtest.endedAtMs),
    // Records made meanwhile may be in the stretch.
    progress: {
      records: progress.done,
      total: progress.total === null ? null : Math.max(progress.done, progress.total),
    },
    report: status === 'done' && sums !== null ? reportOf(sums) : null,
    error: backtest.error,
  }
}

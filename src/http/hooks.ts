/** Hooks that run for every request: common headers, admission, authentication, metrics and the log. */

import type { FastifyRequest } from 'fastify'
import { environmentOf } from '../app/verify/answer.ts'
import type { DecisionTimer } from '../app/verify/decision-timer.ts'
import { isShed, nextTurn, patternOf, startTimer } from './admission.ts'
import { createGuard, createPublicGuard, headerValues } from './auth.ts'
import { clientAddress } from './client-address.ts'
import { invalid, overloaded, sendProblem } from './errors.ts'
import { isObject } from '../core/reference/json.ts'
import { countHold } from './held.ts'
import { warningsOf } from './input/validator.ts'
import { refuseMethod, type KnownPaths } from './known-paths.ts'
import type { AnswerUnknownPath } from './not-found.ts'
import { pageRefusal } from './person-guard.ts'
import { traceRequests } from './traces.ts'
import { contractMajor } from './openapi/version.ts'
import { verifyPath } from './routes/verify.ts'
import type { App, AppDeps } from './types.ts'

interface Paths extends KnownPaths {
  readonly answerUnknown: AnswerUnknownPath
}

export function registerHooks(app: App, deps: AppDeps, paths: Paths): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('owed', null)
  app.decorateRequest('problem', null)
  app.decorateRequest('isShed', false)
  app.decorateRequest('refusedPath', undefined)
  // Set by `startTimer` before anything reads it.
  app.decorateRequest('timer', null as unknown as DecisionTimer)
  app.decorateRequest('span', null)
  if (deps.tracing !== null) traceRequests(app, deps.tracing)
  admitRequests(app, deps, paths)
  addWarnings(app)
  recordResponses(app, deps)
}

function admitRequests(app: App, deps: AppDeps, paths: Paths): void {
  const guard = createGuard(deps)
  const publicGuard = createPublicGuard(deps)
  app.addHook('onRequest', async (request, reply) => {
    startTimer(request, deps.clock)
    reply.headers({
      'x-request-id': request.id,
      'x-svc-version': contractMajor,
      'x-svc-environment': environmentOf.shadow,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const hostFault = faultOfHost(request)
    if (hostFault !== null)
      return sendProblem(reply, invalid([{ path: '/headers/host', message: hostFault }]))
    if (request.is404) {
      request.refusedPath = paths.patternOf(request.raw.url ?? '/')
      if (request.refusedPath === undefined) return paths.answerUnknown(request, reply)
    } else request.refusedPath = paths.fixedPathOf(request.raw.url ?? '/', request.routeOptions.url)
    if (isShed(request, deps.shedder)) return sendProblem(reply, overloaded)
    await nextTurn()
    // Before the body is read, which does not matter for a 405.
    if (request.refusedPath !== undefined) return refuseMethod(reply, request.refusedPath)
    const { access, publicWindow, isForOwnPages } = request.routeOptions.config
    // Before it is counted: the page of another site must not use up what a visitor of it may do here.
    const refusal = isForOwnPages === true ? pageRefusal(request, deps.publicUrl) : null
    if (refusal !== null) return sendProblem(reply, refusal)
    if (publicWindow !== undefined && !(await publicGuard(request, reply, publicWindow))) return reply
    if (access === undefined) return
    const caller = await guard(request, reply, access)
    if (caller === null) return reply
    reply.header('x-svc-environment', environmentOf[access.mode ?? caller.mode])
    request.timer.mark('key_authenticated')
  })
}

/** Node takes the first of several lines; a proxy in front may have taken another. */
function faultOfHost(request: FastifyRequest): string | null {
  const count = headerValues(request, 'host').length
  if (count > 1) return 'must be sent once'
  return count === 0 && request.raw.httpVersion === '1.1' ? 'is required' : null
}

/**
 * Names unknown members of the body in the answer, unless it has warnings of its own. Verify does it itself: its answer is
 * stored as a text.
 */
function addWarnings(app: App): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const hasOwn = isObject(payload) && 'warnings' in payload
    const warnings = reply.statusCode === 200 && !hasOwn ? warningsOf(request.body) : []
    done(null, warnings.length === 0 ? payload : { ...(payload as object), warnings })
  })
}

function recordResponses(app: App, { logger, metrics, holds }: AppDeps): void {
  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    done()
  })

  // Decisions are in the store, so successful requests are logged at debug level only.
  const logsAll = logger.level === 'debug' || logger.level === 'trace'
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    metrics.answered({
      method: request.method,
      route: patternOf(request),
      status: statusCode,
      seconds: request.timer.elapsedSeconds(),
    })
    if (statusCode === 503 && patternOf(request) === verifyPath) countHold(request, { holds, metrics })
    // No log line for a shed request, to save work under overload: the metrics count it, and the log has start and end.
    if (request.isShed) return done()
    if (statusCode >= 400 || logsAll) {
      const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'info' : 'debug'
      request.log[level](requestLine(request, statusCode), 'http: request completed')
    }
    // During shutdown, close the connection instead of accepting another request on it.
    if (stopping) request.raw.socket.end()
    done()
  })
}

/** Logs the route's pattern, never the URL: a query may hold values that do not belong in a log. */
function requestLine(request: FastifyRequest, status: number) {
  return {
    method: request.method,
    route: patternOf(request) ?? '(none)',
    status,
    response_ms: request.timer.elapsedMs(),
    key_id: request.caller?.key?.keyId,
    person_id: request.caller?.signedIn?.person.personId,
    session_id: request.caller?.by.sessionId,
    // The address shows who guesses keys. The key itself is never logged.
    client_address: status === 401 ? clientAddress(request) : undefined,
  }
}

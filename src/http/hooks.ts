/** What happens around every request: headers of every answer, admission, the caller's key, figures and the log. */

import type { FastifyRequest } from 'fastify'
import { environmentOf } from '../app/verify/answer.ts'
import type { DecisionTimer } from '../app/verify/decision-timer.ts'
import { modeOfKeyType } from '../core/identity/api-key.ts'
import { isShed, nextTurn, patternOf, startTrace } from './admission.ts'
import { createGuard, createOpenGuard } from './auth.ts'
import { invalid, notFound, overloaded, sendProblem } from './errors.ts'
import { refuseMethod, type KnownPaths } from './known-paths.ts'
import { contractMajor } from './openapi/version.ts'
import type { App, AppDeps } from './types.ts'

export function registerHooks(app: App, deps: AppDeps, paths: KnownPaths): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('isShed', false)
  app.decorateRequest('refusedPath', undefined)
  // Replaced by a real one before anything reads it.
  app.decorateRequest('trace', null as unknown as DecisionTimer)
  admitRequests(app, deps, paths)
  noteAnswers(app, deps)
}

function admitRequests(app: App, deps: AppDeps, paths: KnownPaths): void {
  const guard = createGuard(deps)
  const openGuard = createOpenGuard(deps)
  app.addHook('onRequest', async (request, reply) => {
    startTrace(request, deps.clock)
    reply.headers({
      'x-request-id': request.id,
      'x-svc-version': contractMajor,
      'x-svc-environment': environmentOf.shadow,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    if (request.is404) {
      request.refusedPath = paths.patternOf(request.raw.url ?? '/')
      if (request.refusedPath === undefined) return sendProblem(reply, notFound)
    }
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return sendProblem(reply, invalid([{ path: '/headers/host', message: 'is required' }]))
    }
    if (isShed(request, deps.shedder)) return sendProblem(reply, overloaded)
    await nextTurn()
    // Before the body is read: it is of no interest, whatever it is.
    if (request.refusedPath !== undefined) return refuseMethod(reply, request.refusedPath)
    const { access, open } = request.routeOptions.config
    if (open !== undefined && !(await openGuard(request, reply, open))) return reply
    if (access === undefined) return
    request.caller = await guard(request, reply, access)
    if (request.caller === null) return reply
    reply.header('x-svc-environment', environmentOf[access.mode ?? modeOfKeyType[request.caller.type]])
    request.trace.mark('key_authenticated')
  })
}

function noteAnswers(app: App, { logger, metrics }: AppDeps): void {
  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    done()
  })

  // Decisions are in the store already, so what went well is told only to those who ask for it.
  const tellsAll = logger.level === 'debug' || logger.level === 'trace'
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    metrics.answered({
      method: request.method,
      route: patternOf(request),
      status: statusCode,
      seconds: request.trace.elapsedSeconds(),
    })
    // What is refused since there is too much to do makes no more of it: the figures count it, and the log has its beginning and end.
    if (request.isShed) return done()
    if (statusCode >= 400 || tellsAll) {
      const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'info' : 'debug'
      request.log[level](requestLine(request, statusCode), 'answered')
    }
    // A connection that was busy when the stop was asked for takes no further request.
    if (stopping) request.raw.socket.end()
    done()
  })
}

/** The route's pattern, never the address: a query may hold what does not belong in a log. */
function requestLine(request: FastifyRequest, status: number) {
  return {
    method: request.method,
    route: patternOf(request) ?? '(none)',
    status,
    response_ms: request.trace.elapsedMs(),
    key_id: request.caller?.keyId,
  }
}

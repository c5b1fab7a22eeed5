/** The HTTP application: everything but the socket. */

import { METHODS, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { environmentOf } from '../app/verify/answer.ts'
import type { RequestAccess } from '../app/access/access.ts'
import { createAssessBatch } from '../app/assess/assess-batch.ts'
import { createLookAtCorridor } from '../app/inspect/corridor-health.ts'
import { createDemo } from '../app/verify/demo.ts'
import { prefixedId } from '../app/verify/ids.ts'
import type { Authenticate } from '../app/access/keys.ts'
import type { ReportOutcome } from '../app/events/outcome.ts'
import type { RecordOverride } from '../app/events/override.ts'
import type { Clock, Random } from '../app/ports/system.ts'
import type { KeyRecord } from '../app/ports/keys.ts'
import type { Limiter } from '../app/ports/limiter.ts'
import type { LiveSource, SignalSource } from '../app/ports/signals.ts'
import type { Metrics } from '../app/ports/metrics.ts'
import type { Store } from '../app/ports/store.ts'
import type { Setup } from '../app/inspect/readiness.ts'
import { createReplay } from '../app/inspect/replay.ts'
import type { DecisionTimer } from '../app/verify/decision-timer.ts'
import type { Verify } from '../app/verify/verify.ts'
import type { Webhooks } from '../app/events/webhooks.ts'
import { modeOfKeyType } from '../core/identity/api-key.ts'
import type { Policy } from '../core/decision/policy.ts'
import type { RateLimit } from '../core/time/rolling-window.ts'
import { isShed, nextTurn, startTrace, type Shedding } from './admission.ts'
import { createGuard, createOpenGuard, type Access, type LimitName, type OpenWindow } from './auth.ts'
import { registerBodyParser } from './input/body.ts'
import {
  handleError,
  invalid,
  notFound,
  overloaded,
  problemBody,
  sendProblem,
  statusOf,
  type Problem,
} from './errors.ts'
import { limits } from './limits.ts'
import { registerReference } from './openapi/reference.ts'
import { registerAudit } from './routes/audit.ts'
import { registerBatch } from './routes/batch.ts'
import { registerConsole } from './routes/console.ts'
import { registerCorridors } from './routes/corridors.ts'
import { registerDecision } from './routes/decision.ts'
import { registerDemo } from './routes/demo.ts'
import { registerExport } from './routes/export.ts'
import { registerLog } from './routes/log.ts'
import { registerHealth } from './routes/health.ts'
import { registerMethodology } from './routes/methodology.ts'
import { registerMetrics } from './routes/metrics.ts'
import { registerOrganisation } from './routes/organisation.ts'
import { registerOutcome } from './routes/outcome.ts'
import { registerOverride } from './routes/override.ts'
import { registerPlatform } from './routes/platform.ts'
import { registerRanking } from './routes/ranking.ts'
import { registerProbes } from './routes/probes.ts'
import { registerReadiness } from './routes/readiness.ts'
import { registerReplay } from './routes/replay.ts'
import { registerRequestAccess } from './routes/request-access.ts'
import { registerVerifications } from './routes/verifications.ts'
import { registerVerificationsSummary } from './routes/verifications-summary.ts'
import { registerVerify } from './routes/verify.ts'
import { registerWebhooks } from './routes/webhooks.ts'
import { compileValidator } from './input/validator.ts'
import { contractMajor } from './openapi/version.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Present on keyed routes only. */
    access?: Access
    /** Present on public routes that are limited by the caller's address. */
    open?: OpenWindow
    /** Answered also while others are refused since there is too much to do. */
    isVital?: true
    /** An empty body stands for an empty object. */
    emptyBody?: true
    /** The body may also be CSV. */
    takesCsv?: true
    /** The member that holds the rows of a body; their values are judged by their own reader, which finds every fault. */
    rowsAt?: string
  }
  interface FastifyInstance {
    /** All that there is, but for the refusals of other methods. */
    servedRoutes: readonly ServedRoute[]
  }
  interface FastifyRequest {
    caller: KeyRecord | null
    trace: DecisionTimer
    isShed: boolean
  }
}

/** A route, and what it demands of its caller. */
export interface ServedRoute {
  readonly method: string
  readonly url: string
  /** Null: no key is needed. */
  readonly access: Access | null
}

/** False: nobody. A number: so many proxies stand before us. A list: these addresses are proxies. */
export type TrustProxy = false | number | string

export interface AppDeps {
  readonly store: Store
  readonly limiter: Limiter
  readonly clock: Clock
  readonly random: Random
  readonly authenticate: Authenticate
  readonly verify: Verify
  readonly recordOverride: RecordOverride
  readonly reportOutcome: ReportOutcome
  readonly webhooks: Webhooks
  readonly requestAccess: RequestAccess
  readonly metrics: Metrics
  /** Seals what is recorded by now; resolves also where that fails. */
  readonly sealNow: () => Promise<void>
  /** Whether a request is to be refused since there is too much to do. */
  readonly shedder: Shedding
  readonly signals: { readonly shadow: SignalSource; readonly live: LiveSource }
  readonly setup: Setup
  readonly policy: Policy
  readonly limits: Readonly<Record<LimitName, RateLimit>>
  /** Who may say for whom it speaks; see `Config`. */
  readonly trustProxy: TrustProxy
  readonly logger: FastifyBaseLogger
  /** Null where it was not built. */
  readonly console: BuiltConsole | null
}

/** The console as `npm run build` made it: the folder of its files, and the page that every address of it has. */
export interface BuiltConsole {
  readonly folder: string
  readonly page: string
}

export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

export async function createApp(deps: AppDeps): Promise<App> {
  const trusted = deps.trustProxy
  const app: App = Fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: limits.bodyBytesMax,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      // How often Node looks for those who are too slow; at its default a timeout of 10 s acts after 30.
      connectionsCheckingInterval: limits.timeoutsCheckedEveryMs,
      // A missing host is refused below, in our own shape.
      requireHostHeader: false,
    },
    // Requests that are under way when the stop is asked for are answered as usual; the socket takes no others.
    return503OnClosing: false,
    trustProxy: typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted,
    requestIdHeader: false,
    genReqId: () => prefixedId('req', deps.random),
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: (request) => decodable(request.url ?? '/'),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, deps.random),
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setValidatorCompiler(compileValidator)
  // The engine's own: serialisers made from the schemas try every branch of a union for each value (docs/decisions/0016).
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, notFound))
  registerBodyParser(app)
  registerHooks(app, deps)
  for (const method of everyMethod) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const routes = collectRoutes(app)

  await registerReference(app)
  await registerConsole(app, deps.console)
  registerHealth(app, deps)
  registerProbes(app, deps.store)
  registerMetrics(app, deps.metrics)
  registerMethodology(app, deps.policy)
  registerVerify(app, deps.verify)
  registerVerifications(app, deps.store)
  registerVerificationsSummary(app, deps)
  registerAudit(app, deps.store)
  registerExport(app, deps)
  registerLog(app, deps)
  registerOverride(app, deps.recordOverride)
  registerOutcome(app, deps)
  registerIntelligence(app, deps)
  registerWebhooks(app, deps)
  registerRequestAccess(app, deps.requestAccess)
  await registerDemo(app, createDemo(deps))
  registerRanking(app, deps)
  await registerBatch(app, createAssessBatch(deps))
  app.decorate('servedRoutes', [...routes])
  refuseOtherMethods(app)
  refuseOddities(app, deps.random)
  return app
}

function registerIntelligence(app: App, deps: AppDeps): void {
  const { live } = deps.signals
  registerDecision(app, deps.store)
  registerCorridors(app, createLookAtCorridor(deps))
  registerReplay(app, { replay: createReplay(deps), clock: deps.clock })
  registerReadiness(app, { ...deps, live })
  registerPlatform(app, { ...deps, live })
  registerOrganisation(app, { ...deps, live })
}

function registerHooks(app: App, deps: AppDeps): void {
  const guard = createGuard(deps)
  const openGuard = createOpenGuard(deps)
  app.decorateRequest('caller', null)
  app.decorateRequest('isShed', false)
  // Replaced by a real one before anything reads it.
  app.decorateRequest('trace', null as unknown as DecisionTimer)

  app.addHook('onRequest', async (request, reply) => {
    startTrace(request, deps.clock)
    reply.headers({
      'x-request-id': request.id,
      'x-svc-version': contractMajor,
      'x-svc-environment': environmentOf.shadow,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    if (request.is404) return sendProblem(reply, notFound)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return sendProblem(reply, invalid([{ path: '/headers/host', message: 'is required' }]))
    }
    if (isShed(request, deps.shedder)) return sendProblem(reply, overloaded)
    await nextTurn()
    const { access, open } = request.routeOptions.config
    if (open !== undefined && !(await openGuard(request, reply, open))) return reply
    if (access === undefined) return
    request.caller = await guard(request, reply, access)
    if (request.caller === null) return reply
    reply.header('x-svc-environment', environmentOf[access.mode ?? modeOfKeyType[request.caller.type]])
    request.trace.mark('key_authenticated')
  })

  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    done()
  })

  // Decisions are in the store already, so what went well is told only to those who ask for it.
  const tellsAll = deps.logger.level === 'debug' || deps.logger.level === 'trace'
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    deps.metrics.answered({
      method: request.method,
      route: request.routeOptions.url,
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
    route: request.routeOptions.url ?? '(none)',
    status,
    response_ms: request.trace.elapsedMs(),
    key_id: request.caller?.keyId,
  }
}

/** A path that cannot be decoded is taken letter by letter: it names nothing, which is a 404 like any other. */
function decodable(url: string): string {
  if (!url.includes('%')) return url
  const queryAt = url.indexOf('?')
  const path = queryAt < 0 ? url : url.slice(0, queryAt)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + (queryAt < 0 ? '' : url.slice(queryAt))
  }
}

function collectRoutes(app: App): ServedRoute[] {
  const routes: ServedRoute[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    const access = config?.access ?? null
    for (const one of [method].flat()) routes.push({ method: one, url, access })
  })
  return routes
}

/** All that Node can parse, so that none of them falls through; CONNECT has an event of its own. */
const everyMethod = METHODS.filter((method) => method !== 'CONNECT')

/** A path that exists, with a method that it does not have: 405, and what it has. */
function refuseOtherMethods(app: App): void {
  for (const [url, routes] of Map.groupBy(app.servedRoutes, (route) => route.url)) {
    const methods = new Set(routes.map(({ method }) => method))
    const allowed = [...methods].toSorted().join(', ')
    app.route({
      method: everyMethod.filter((method) => !methods.has(method)),
      url,
      schema: { hide: true },
      // The body is of no interest, whatever it is.
      onRequest: (_request, reply, done) => {
        reply.header('allow', allowed)
        sendProblem(reply, { code: 'METHOD_NOT_ALLOWED', message: `This path takes ${allowed} only.` })
        done()
      },
      handler: () => {
        throw new Error('a refused method reached its handler')
      },
    })
  }
}

const brokenRequests: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', message: 'The request headers are too large.' },
}

/** What is not even HTTP still gets our shape, if the line is open. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, random: Random): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else
    answerRaw(
      socket,
      brokenRequests[error.code ?? ''] ?? invalid([{ path: '', message: 'is not valid HTTP' }]),
      random,
    )
}

/** Requests that Node hands out by other ways than the ordinary one. */
function refuseOddities(app: App, random: Random): void {
  app.server.on('connect', (_request, socket: Socket) => {
    answerRaw(socket, { code: 'METHOD_NOT_ALLOWED', message: 'There is no tunnel here.' }, random)
  })
  app.server.on('checkExpectation', (request: IncomingMessage) => {
    const message = 'may only be 100-continue'
    answerRaw(request.socket, invalid([{ path: '/headers/expect', message }]), random)
  })
}

function answerRaw(socket: Socket, problem: Problem, random: Random): void {
  const requestId = prefixedId('req', random)
  const body = JSON.stringify(problemBody(problem, requestId))
  const head = [
    `HTTP/1.1 ${statusOf[problem.code]} ${problem.code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    `x-svc-version: ${contractMajor}`,
    `x-svc-environment: ${environmentOf.shadow}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

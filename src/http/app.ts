/** Builds the HTTP application: everything except the socket. */

import Fastify, { LogController, type FastifyError } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { prefixedId } from '../app/verify/ids.ts'
import { answerBrokenRequest, refuseTunnels } from './wire/broken-requests.ts'
import { createPublicGuard, settleOwed } from './auth.ts'
import { handleError, logUnexpected } from './errors.ts'
import { registerHooks } from './hooks.ts'
import { acceptMissingBodies, registerBodyParser } from './input/body.ts'
import { compileValidator } from './input/validator.ts'
import { collectPaths, routerOptions } from './known-paths.ts'
import { limits } from './limits.ts'
import { createAnswerUnknownPath } from './not-found.ts'
import { registerReference } from './openapi/reference.ts'
import { registerAdmin } from './routes/admin/register.ts'
import { registerAudit } from './routes/audit.ts'
import { registerCalibration } from './routes/calibration.ts'
import { registerBatch } from './routes/batch.ts'
import { registerBatchReports } from './routes/batch-reports.ts'
import { registerConsole } from './routes/console.ts'
import { registerCorridors } from './routes/corridors.ts'
import { registerDecision } from './routes/decision.ts'
import { registerDecisionFile } from './routes/decision-file.ts'
import { registerDemo } from './routes/demo.ts'
import { registerEvents } from './routes/events.ts'
import { registerExport } from './routes/export.ts'
import { registerFeeds } from './routes/feeds.ts'
import { registerGuide } from './routes/guide.ts'
import { registerHolds } from './routes/holds.ts'
import { registerLog } from './routes/log.ts'
import { registerHealth } from './routes/health.ts'
import { registerMcp } from './routes/mcp.ts'
import { registerMe } from './routes/me.ts'
import { registerMethodology } from './routes/methodology.ts'
import { registerMetrics } from './routes/metrics.ts'
import { registerOrganisation } from './routes/organisation.ts'
import { registerOutcome } from './routes/outcome.ts'
import { registerOutcomes } from './routes/outcomes.ts'
import { registerOverride } from './routes/override.ts'
import { registerPlatform } from './routes/platform.ts'
import { registerBacktests } from './routes/backtests.ts'
import { registerPolicies } from './routes/policies.ts'
import { registerRanking } from './routes/ranking.ts'
import { registerProbes } from './routes/probes.ts'
import { registerReadiness } from './routes/readiness.ts'
import { registerReplay } from './routes/replay.ts'
import { registerRequestAccess } from './routes/request-access.ts'
import { registerReviews } from './routes/reviews.ts'
import { registerSearch } from './routes/search.ts'
import { registerSignIn } from './routes/sign-in.ts'
import { registerVerifications } from './routes/verifications.ts'
import { registerVerificationsSummary } from './routes/verifications-summary.ts'
import { registerVerify } from './routes/verify.ts'
import { registerDeliveries } from './routes/webhook-deliveries.ts'
import { registerWebhooks } from './routes/webhooks.ts'
import type { App, AppDeps } from './types.ts'
import { endUnreadResponses } from './wire/unread-responses.ts'

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
      // How often Node checks for slow connections. At its default, a timeout of 10 s takes effect after 30 s.
      connectionsCheckingInterval: limits.timeoutsCheckedEveryMs,
      // The onRequest hook refuses a missing or repeated host, with an error in the API's own shape.
      requireHostHeader: false,
    },
    // Requests in progress at shutdown are answered normally; the socket accepts no new ones.
    return503OnClosing: false,
    trustProxy: typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted,
    requestIdHeader: false,
    genReqId: () => prefixedId('req', deps.random),
    routerOptions,
    rewriteUrl: (request) => decodable(request.url ?? '/'),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, deps.random),
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setValidatorCompiler(compileValidator)
  // Serialisers compiled from the schemas try every branch of a union for each value (docs/decisions/0016).
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const failure = await settleOwed(request, error)
    if (failure !== error) logUnexpected(error, request)
    return failure === null ? reply : handleError(failure as FastifyError, request, reply)
  })
  const answerUnknownPath = createAnswerUnknownPath(deps.console)
  app.setNotFoundHandler(answerUnknownPath)
  registerBodyParser(app)
  acceptMissingBodies(app)
  const paths = collectPaths(app)
  app.decorate('servedRoutes', paths.routes)
  // Before all others, since these may answer.
  endUnreadResponses(app)
  registerHooks(app, deps, { ...paths, answerUnknown: answerUnknownPath })
  await registerRoutes(app, deps)
  refuseTunnels(app, deps.random)
  return app
}

async function registerRoutes(app: App, deps: AppDeps): Promise<void> {
  await registerReference(app, deps.console)
  registerConsole(app, deps.console)
  registerGuide(app, deps.console)
  registerHealth(app, deps)
  registerProbes(app, deps)
  registerMetrics(app, deps.metrics)
  registerMethodology(app, deps.policy)
  registerVerify(app, deps.verify)
  registerVerifications(app, deps)
  registerVerificationsSummary(app, deps)
  registerSearch(app, deps)
  registerAudit(app, deps.store)
  registerExport(app, deps)
  registerLog(app, deps)
  registerOverride(app, deps.recordOverride)
  registerOutcome(app, deps)
  await registerOutcomes(app, deps)
  registerIntelligence(app, deps)
  registerWebhooks(app, deps)
  registerDeliveries(app, deps)
  registerEvents(app, deps)
  registerRequestAccess(app, deps.requestAccess)
  registerSignIn(app, deps)
  registerMe(app, deps)
  await registerDemo(app, deps.demo, createPublicGuard(deps))
  registerRanking(app, deps)
  registerPolicies(app, deps)
  registerBacktests(app, deps)
  registerCalibration(app, deps)
  registerReviews(app, deps)
  registerHolds(app, deps)
  registerAdmin(app, deps)
  await registerBatch(app, deps.assessBatch)
  await registerBatchReports(app, deps)
  await registerMcp(app, deps)
}

function registerIntelligence(app: App, deps: AppDeps): void {
  registerDecision(app, deps)
  registerDecisionFile(app, deps)
  registerCorridors(app, deps)
  registerReplay(app, deps)
  registerReadiness(app, deps)
  registerPlatform(app, deps)
  registerFeeds(app, deps)
  registerOrganisation(app, deps)
}

/** Escapes a path that cannot be decoded, so that it matches no route and gets a 404 like any other. */
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

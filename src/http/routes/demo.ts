/** POST /api/v1/demo-verify and POST /api/v1/demo-compare: public, synthetic, kept nowhere. */

import type { Demo, DemoPayment } from '../../app/verify/demo.ts'
import { parseCorridor, type Corridor } from '../../core/reference/corridor.ts'
import { demoModel } from '../../core/decision/engine.ts'
import { profileGoFloorHundredths, profileLabels, profileNames } from '../../core/decision/profiles.ts'
import type { App } from '../types.ts'
import { registerEmptyBodyParser } from '../input/body.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { readCurrency, readRoute, type Route } from '../input/payment.ts'
import { errorResponses, response } from '../schemas/common.ts'
import {
  DemoCompareAnswer,
  DemoCompareBody,
  demoDefaults,
  DemoVerifyAnswer,
  DemoVerifyBody,
} from '../schemas/demo.ts'

export async function registerDemo(app: App, demo: Demo): Promise<void> {
  await app.register(async (part: App) => {
    registerEmptyBodyParser(part)
    registerDemoVerify(part, demo)
  })
  registerDemoCompare(app, demo)
}

function registerDemoVerify(app: App, demo: Demo): void {
  app.route({
    method: 'POST',
    url: '/api/v1/demo-verify',
    config: { open: 'demo-verify', emptyBody: true },
    schema: {
      operationId: 'demoVerify',
      tags: ['Demo'],
      summary: 'Try a verification, without a key',
      description:
        'A decision on synthetic signals, kept nowhere. Send synthetic values only. The test amounts act, but for `.09`.',
      body: DemoVerifyBody,
      response: {
        200: response(DemoVerifyAnswer, 'limited'),
        ...errorResponses('limited', 400, 413, 415, 429, 500, 503),
      },
    },
    onRequest: (request, _reply, done) => {
      // A type that is empty is none.
      if (request.headers['content-type'] === '') delete request.raw.headers['content-type']
      done()
    },
    // No body at all is an empty one.
    preValidation: (request, _reply, done) => {
      if (request.body === undefined) request.body = {}
      done()
    },
    async handler(request, reply) {
      const { body } = request
      const errors: FieldError[] = []
      const payment = paymentOf(body, '', errors)
      if (payment === null) return sendProblem(reply, invalid(errors))
      const answer = demo.verify(payment, request.id, body.correlation_id ?? null)
      return {
        ...answer,
        reasons: [...answer.reasons],
        reason_codes: [...answer.reason_codes],
        environment: 'sandbox' as const,
        idempotency_hit: false,
        response_ms: request.trace.elapsedMs(),
      }
    },
  })
}

function registerDemoCompare(app: App, demo: Demo): void {
  app.route({
    method: 'POST',
    url: '/api/v1/demo-compare',
    config: { open: 'demo-compare' },
    schema: {
      operationId: 'demoCompare',
      tags: ['Demo'],
      summary: 'See how the risk profiles judge one payment, without a key',
      description:
        'One score against three thresholds, and nothing else: the cap of 50,000 does not act here, though it does in a verification; the cap of 500,000 and the rule for unsupported corridors do. An amount of 85000 shows the profiles differ, 15000 shows them agree. Test amounts do not act.',
      body: DemoCompareBody,
      response: {
        200: response(DemoCompareAnswer, 'limited'),
        ...errorResponses('limited', 400, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const payment = paymentOf(request.body.payment, '/payment', errors)
      if (payment === null) return sendProblem(reply, invalid(errors))
      const profiles = request.body.profiles ?? [...profileNames]
      const { views, divergence, scoreHundredths, evaluatedAtMs } = demo.compare(payment, profiles)
      const results = [...views].map(([profile, view]) => [
        profile,
        {
          decision: view.verdict,
          score: scoreHundredths / 100,
          go_threshold: profileGoFloorHundredths[profile] / 100,
          recheck_required: view.recheckRequired,
          profile_label: profileLabels[profile],
          recommended_action: view.recommendedAction,
          ...(view.validForSeconds === null ? {} : { valid_for_seconds: view.validForSeconds }),
        },
      ])
      return {
        ...payment,
        profiles_compared: profiles,
        results: Object.fromEntries(results) as object,
        divergence: { profiles_agree: divergence.agree, summary: divergence.summary },
        evaluated_at: new Date(evaluatedAtMs).toISOString(),
        model_version: demoModel,
        environment: 'sandbox' as const,
      }
    },
  })
}

type GivenPayment = Route & { readonly amount?: number; readonly currency?: string }

const defaultCorridor = parseCorridor(demoDefaults.corridor) as Corridor

function paymentOf(given: GivenPayment, base: string, errors: FieldError[]): DemoPayment | null {
  const corridor = readRoute(given, defaultCorridor, base, errors)
  const currency = readCurrency(given.currency, `${base}/currency`, errors)
  if (corridor === null || currency === null) return null
  return { corridor, amount: given.amount ?? demoDefaults.amount, currency }
}

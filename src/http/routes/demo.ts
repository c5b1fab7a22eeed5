/** POST /api/v1/demo-verify and POST /api/v1/demo-compare: public and synthetic; nothing is stored. */

import type { Demo, DemoPayment } from '../../app/verify/demo.ts'
import { parseCorridor, type Corridor } from '../../core/reference/corridor.ts'
import { demoModel } from '../../core/decision/engine.ts'
import {
  profileGoFloorHundredths,
  profileLabels,
  profileNames,
  type ProfileView,
} from '../../core/decision/profiles.ts'
import type { App } from '../types.ts'
import { registerEmptyBodyParser } from '../input/body.ts'
import type { PublicGuard } from '../auth.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { readCurrency, readRoute, warnOfCountries, type Route } from '../input/payment.ts'
import { warningsOf } from '../input/validator.ts'
import { errorResponses, response, withWarnings } from '../schemas/common.ts'
import {
  DemoCompareAnswer,
  DemoCompareBody,
  demoDefaults,
  DemoVerifyAnswer,
  DemoVerifyBody,
} from '../schemas/demo.ts'

export async function registerDemo(app: App, demo: Demo, admit: PublicGuard): Promise<void> {
  await app.register(async (plugin: App) => {
    registerEmptyBodyParser(plugin)
    registerDemoVerify(plugin, demo, admit)
  })
  registerDemoCompare(app, demo, admit)
}

function registerDemoVerify(app: App, demo: Demo, admit: PublicGuard): void {
  app.route({
    method: 'POST',
    url: '/api/v1/demo-verify',
    config: { publicWindow: 'demo-attempts', emptyBody: true },
    schema: {
      operationId: 'demoVerify',
      tags: ['Demo'],
      summary: 'Try a verification without a key',
      description:
        'A decision on synthetic signals, not stored. Send synthetic values only. Test amounts take effect, except `.09`. No policy acts on it.',
      body: DemoVerifyBody,
      response: {
        200: response(DemoVerifyAnswer, 'limited'),
        ...errorResponses('limited', 400, 413, 415, 429, 500, 503),
      },
    },
    onRequest: (request, _reply, done) => {
      // An empty Content-Type counts as a missing one.
      if (request.headers['content-type'] === '') delete request.raw.headers['content-type']
      done()
    },
    async handler(request, reply) {
      const { body } = request
      const errors: FieldError[] = []
      const payment = paymentOf(body, { input: body, base: '' }, errors)
      if (payment === null) return sendProblem(reply, invalid(errors))
      if (!(await admit(request, reply, 'demo-verify'))) return reply
      const answer = demo.verify(payment, {
        requestId: request.id,
        correlationId: body.correlation_id ?? null,
        warnings: warningsOf(body),
      })
      const { warnings, ...rest } = answer
      return {
        ...rest,
        ...(warnings === undefined ? {} : { warnings: [...warnings] }),
        reasons: [...answer.reasons],
        reason_codes: [...answer.reason_codes],
        environment: 'sandbox' as const,
        idempotency_hit: false,
        response_ms: request.timer.elapsedMs(),
      }
    },
  })
}

function registerDemoCompare(app: App, demo: Demo, admit: PublicGuard): void {
  app.route({
    method: 'POST',
    url: '/api/v1/demo-compare',
    config: { publicWindow: 'demo-attempts' },
    schema: {
      operationId: 'demoCompare',
      tags: ['Demo'],
      summary: 'Compare the risk profiles on one payment without a key',
      description:
        'Compares one score with three thresholds. Unlike in a verification, the cap of 50,000 does not apply; the cap of 500,000 and the rule for unsupported corridors do. With an amount of 85000 the profiles differ, with 15000 they agree. Test amounts have no effect. No policy acts on it.',
      body: DemoCompareBody,
      response: {
        200: response(withWarnings(DemoCompareAnswer), 'limited'),
        ...errorResponses('limited', 400, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const payment = paymentOf(request.body, { input: request.body.payment, base: '/payment' }, errors)
      if (payment === null) return sendProblem(reply, invalid(errors))
      if (!(await admit(request, reply, 'demo-compare'))) return reply
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
          cap_not_applied: view.capNotApplied,
          ...(view.validForSeconds === null ? {} : { valid_for_seconds: view.validForSeconds }),
        },
      ])
      return {
        ...payment,
        profiles_compared: profiles,
        results: Object.fromEntries(results) as object,
        divergence: { profiles_agree: divergence.agree, summary: `${divergence.summary}${capNote(views)}` },
        evaluated_at: new Date(evaluatedAtMs).toISOString(),
        model_version: demoModel,
        environment: 'sandbox' as const,
      }
    },
  })
}

/** A `GO` by threshold must not be taken for one of verify. */
function capNote(views: ReadonlyMap<unknown, ProfileView>): string {
  const isIgnored = [...views.values()].some(({ capNotApplied }) => capNotApplied)
  return isIgnored
    ? ' The review cap is not applied here: verify gives at most DEGRADED for this amount.'
    : ''
}

type PaymentInput = Route & { readonly amount?: number; readonly currency?: string }

const defaultCorridor = parseCorridor(demoDefaults.corridor) as Corridor

/** `base` is the place of the payment in the body. */
function paymentOf(
  body: object,
  { input, base }: { readonly input: PaymentInput; readonly base: string },
  errors: FieldError[],
): DemoPayment | null {
  const corridor = readRoute(input, defaultCorridor, base, errors)
  const currency = readCurrency(input.currency, `${base}/currency`, errors)
  if (corridor === null || currency === null) return null
  const ends = input.corridor === undefined ? ['sender_country', 'destination_country'] : ['corridor']
  const [from, to] = ends.map((member) => `${base}/${member}`)
  warnOfCountries(body, corridor, from, to)
  return { corridor, amount: input.amount ?? demoDefaults.amount, currency }
}

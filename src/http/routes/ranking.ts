/** POST /api/v1/decision/compare: ranks partners for one payment, simulated or declared ones. Nothing is stored. */

import { Type } from 'typebox'
import { rankLive } from '../../app/inspect/live-ranking.ts'
import type { ActivePolicies } from '../../app/policy/active.ts'
import type { LiveSource, SignalSource } from '../../app/ports/signals.ts'
import type { Clock } from '../../app/ports/system.ts'
import type { LiveCorridor, LivePartner } from '../../core/live/world.ts'
import { iso } from '../../core/time/durations.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { rankPartners } from '../../core/decision/ranking.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, sendProblem, signalsUnavailable, type FieldError } from '../errors.ts'
import { limits } from '../limits.ts'
import { readPayment } from '../input/payment.ts'
import {
  named,
  errorResponses,
  keyed,
  Mode,
  nullable,
  RecommendedAction,
  response,
  Score,
  SignalName,
  Timestamp,
  Verdict,
  withWarnings,
} from '../schemas/common.ts'
import { plainText, VerifyBody } from '../schemas/verify.ts'

const { corridor, amount, currency } = VerifyBody.properties

const RankingBody = named(
  'PartnerRankingRequest',
  Type.Object({
    corridor,
    amount,
    currency,
    partners: Type.Array(
      Type.String({ minLength: 1, maxLength: limits.partnerNameLengthMax, pattern: plainText }),
      {
        minItems: limits.partnersMin,
        maxItems: limits.partnersMax,
        description:
          'With a test key unique names of your choice, each with its own simulated network, liquidity and history. With a live key ids of declared partners.',
      },
    ),
  }),
)

/** Only with a live key. */
const liveRow = {
  fee: Type.Optional(
    nullable(
      Type.Number({ minimum: 0, description: 'Null if it is not known for this payment. Live mode only.' }),
    ),
  ),
  fee_currency: Type.Optional(nullable(Type.String({ description: 'Live mode only.' }))),
  available: Type.Optional(
    Type.Boolean({ description: 'Whether it can be read and takes the amount. Live mode only.' }),
  ),
  unavailable_signals: Type.Optional(
    Type.Array(SignalName, { description: 'Signals that could not be read. Live mode only.' }),
  ),
  unavailable_reason: Type.Optional(
    nullable(Type.String({ description: 'A phrase, like `takes at most 20,000`. Live mode only.' })),
  ),
}

const RankingAnswer = named(
  'PartnerRankingResponse',
  Type.Object(
    {
      corridor: Type.String(),
      amount: nullable(Type.Number()),
      currency: Type.String({ description: 'The currency of the request.' }),
      mode: Mode,
      recommended_partner: nullable(
        Type.String({
          description:
            'The best partner. Null if its decision is NO-GO, the corridor is unsupported, or no partner takes the amount.',
        }),
      ),
      partner_count: Type.Integer(),
      evaluated_at: Timestamp,
      ranked_partners: Type.Array(
        Type.Object({
          rank: Type.Integer({ minimum: 1 }),
          partner: Type.String(),
          decision: nullable(Verdict),
          score: nullable(Score),
          recommended_action: nullable(RecommendedAction),
          ...liveRow,
        }),
        {
          description:
            'Best first. Equal scores are sorted by name; in live mode by fee, then id. A partner that is not available comes last, without a decision.',
        },
      ),
    },
    { description: 'Every partner, scored by the same engine. Nothing is stored.' },
  ),
)

export interface RankingDeps {
  readonly activePolicies: ActivePolicies
  readonly clock: Clock
  readonly policy: Policy
  readonly live: LiveSource
  readonly liveSignals: SignalSource
}

export function registerRanking(app: App, deps: RankingDeps): void {
  const { clock, policy, live, liveSignals, activePolicies } = deps
  app.route({
    method: 'POST',
    url: '/api/v1/decision/compare',
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'comparePartners',
      tags: ['Decisions'],
      summary: 'Rank partners for a payment',
      description:
        'With a test key on simulated signals, without test amounts. With a live key the declared partners of the corridor, by their feeds, fees and policies, as verify ranks them. Policies do not act on simulated partners.',
      security: keyed,
      body: RankingBody,
      response: {
        200: response(withWarnings(RankingAnswer), 'limited'),
        ...errorResponses('limited', 400, 401, 403, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { body } = request
      const errors: FieldError[] = []
      const payment = readPayment(body, errors)
      const partners = readPartners(body.partners, errors)
      if (payment === null || errors.length > 0) return sendProblem(reply, invalid(errors))
      const { ownerId, mode } = callerOf(request)
      const atMs = clock.nowMs()
      const evaluatedAt = iso(atMs)
      if (mode === 'live') {
        const declared = declaredPartners(
          live.current().world.corridors.get(payment.corridor),
          partners,
          errors,
        )
        if (errors.length > 0) return sendProblem(reply, invalid(errors))
        const policies = await activePolicies.of(ownerId)
        const ranked = { ...payment, policy, policies, atMs, ownerId, partners: declared }
        const ranking = await rankLive(liveSignals, ranked)
        if (ranking.kind === 'unavailable') return sendProblem(reply, signalsUnavailable(ranking))
        return answerOf('live', payment, ranking.recommended, ranking.rows, evaluatedAt)
      }
      const { ranked, recommended } = rankPartners({ ...payment, partners, policy })
      const rows = ranked.map(({ partner, decision }, index) => ({
        rank: index + 1,
        partner,
        decision: decision.verdict,
        score: decision.scoreHundredths / 100,
        recommended_action: decision.recommendedAction,
      }))
      return answerOf('shadow', payment, recommended, rows, evaluatedAt)
    },
  })
}

function answerOf<Payment extends object, Rows extends readonly object[]>(
  mode: 'shadow' | 'live',
  payment: Payment,
  recommended: string | null,
  rows: Rows,
  evaluatedAt: string,
) {
  return {
    ...payment,
    mode,
    recommended_partner: recommended,
    partner_count: rows.length,
    evaluated_at: evaluatedAt,
    ranked_partners: rows,
  }
}

/** In live mode only declared partners have data. */
function declaredPartners(
  found: LiveCorridor | undefined,
  names: readonly string[],
  errors: FieldError[],
): LivePartner[] {
  const declared = found?.partners ?? []
  const known =
    declared.length === 0
      ? 'no partner is declared for this corridor'
      : `declared are ${declared.map(({ id }) => id).join(', ')}`
  return names.flatMap((name, place) => {
    const partner = declared.find(({ id }) => id === name)
    if (partner === undefined)
      errors.push({ path: `/partners/${place}`, message: `is not a declared partner: ${known}` })
    return partner ?? []
  })
}

/** Trims the names and rejects empty and repeated ones. */
function readPartners(names: readonly string[], errors: FieldError[]): string[] {
  const partners = names.map((name) => name.trim())
  for (const [index, name] of partners.entries()) {
    const path = `/partners/${index}`
    const first = partners.indexOf(name)
    if (name === '') errors.push({ path, message: 'must not be empty' })
    else if (first < index) errors.push({ path, message: `repeats the name at /partners/${first}` })
  }
  return partners
}

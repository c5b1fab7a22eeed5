/** POST /api/v1/decision/compare: ranks simulated partners for one payment. Nothing is stored. */

import { Type } from 'typebox'
import type { Clock } from '../../app/ports/system.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { rankPartners } from '../../core/decision/ranking.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { modeOfKeyType } from '../../core/identity/api-key.ts'
import { invalid, sendProblem, type FieldError, type Problem } from '../errors.ts'
import { limits } from '../limits.ts'
import { readPayment } from '../input/payment.ts'
import {
  named,
  errorResponses,
  keyed,
  nullable,
  RecommendedAction,
  response,
  Score,
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
          'Unique names of your choice. Each partner has its own simulated network, liquidity and history.',
      },
    ),
  }),
)

const RankingAnswer = named(
  'PartnerRankingResponse',
  Type.Object(
    {
      corridor: Type.String(),
      amount: nullable(Type.Number()),
      currency: Type.String(),
      mode: Type.Enum(['shadow']),
      recommended_partner: nullable(
        Type.String({
          description: 'The best partner. Null if its decision is NO-GO or the corridor is unsupported.',
        }),
      ),
      partner_count: Type.Integer(),
      evaluated_at: Timestamp,
      ranked_partners: Type.Array(
        Type.Object({
          rank: Type.Integer({ minimum: 1 }),
          partner: Type.String(),
          decision: Verdict,
          score: Score,
          recommended_action: RecommendedAction,
        }),
        { description: 'Best first. Equal scores are sorted by name.' },
      ),
    },
    { description: 'Every partner, scored by the same engine. Nothing is stored.' },
  ),
)

export function registerRanking(app: App, { clock, policy }: { clock: Clock; policy: Policy }): void {
  app.route({
    method: 'POST',
    url: '/api/v1/decision/compare',
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'comparePartners',
      tags: ['Decisions'],
      summary: 'Rank partners for a payment',
      description:
        'Uses simulated signals, so it needs a test key: a live key is refused. Test amounts have no effect.',
      security: keyed,
      body: RankingBody,
      response: {
        200: response(withWarnings(RankingAnswer), 'limited'),
        ...errorResponses('limited', 400, 401, 403, 413, 415, 422, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { body } = request
      if (modeOfKeyType[callerOf(request).type] === 'live') return sendProblem(reply, noPartners)
      const errors: FieldError[] = []
      const payment = readPayment(body, errors)
      const partners = readPartners(body.partners, errors)
      if (payment === null || errors.length > 0) return sendProblem(reply, invalid(errors))
      const { ranked, recommended } = rankPartners({ ...payment, partners, policy })
      return {
        ...payment,
        mode: 'shadow' as const,
        recommended_partner: recommended,
        partner_count: ranked.length,
        evaluated_at: new Date(clock.nowMs()).toISOString(),
        ranked_partners: ranked.map(({ partner, decision }, index) => ({
          rank: index + 1,
          partner,
          decision: decision.verdict,
          score: decision.scoreHundredths / 100,
          recommended_action: decision.recommendedAction,
        })),
      }
    },
  })
}

/** A simulated ranking would look like one of real partners. */
const noPartners: Problem = {
  code: 'UNPROCESSABLE',
  message:
    'Partners cannot be ranked with a live key: there are no live data on them. Use a test key for a simulated ranking.',
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

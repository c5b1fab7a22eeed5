/** Schemas of the public demo (contract 2.8 and 2.9). */

import { Type } from 'typebox'
import { profileNames } from '../../core/decision/profiles.ts'
import { named, RecommendedAction, Score, Timestamp, Verdict } from './common.ts'
import { plainText, VerifyAnswer, VerifyBody } from './verify.ts'

export const demoDefaults = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' } as const

const country = (which: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2,
      description: `The ${which}'s ISO 3166-1 alpha-2 code. Send both countries in place of a corridor.`,
    }),
  )

const { corridor, amount, currency, correlation_id } = VerifyBody.properties

const paymentMembers = {
  corridor: Type.Optional({ ...corridor, description: 'FROM-TO, as in verify. Default: GB-NG.' }),
  amount: Type.Optional({ ...amount, description: 'In units of the currency. Default: 1000.' }),
  currency,
  sender_country: country('sender'),
  destination_country: country('destination'),
}

export const DemoVerifyBody = named(
  'DemoVerifyRequest',
  Type.Object(
    {
      ...paymentMembers,
      sender_account_type: Type.Optional(
        Type.Enum(['business', 'personal'], {
          description: 'Accepted, but does not affect the simulated decision.',
        }),
      ),
      purpose: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: plainText,
          description: 'A purpose code. Accepted, but does not affect the simulated decision.',
        }),
      ),
      correlation_id: Type.Optional({
        ...correlation_id,
        description: 'Your own reference. Echoed, not stored.',
      }),
    },
    { description: 'All members have defaults, so the body may be empty.' },
  ),
)

const {
  cooldown: _cooldown,
  valid_until: _validUntil,
  settlement_window: _window,
  ...shared
} = VerifyAnswer.properties

export const DemoVerifyAnswer = named(
  'DemoVerifyResponse',
  Type.Object(
    {
      ...shared,
      request_id: Type.String({
        pattern: '^req_',
        description: 'Not recorded, so not available through audit.',
      }),
      mode: Type.Enum(['synthetic']),
      environment: Type.Enum(['sandbox']),
      decision_model: Type.String({ pattern: '^v\\d+\\.\\d+-demo$' }),
      suggested_path: Type.String({ description: 'The suggested next step.' }),
      scoring_framework_version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    },
    { description: 'A decision on synthetic signals. Nothing is stored.' },
  ),
)

export const DemoCompareBody = named(
  'DemoCompareRequest',
  Type.Object({
    payment: Type.Object(paymentMembers, { description: 'All members have defaults, so it may be empty.' }),
    profiles: Type.Optional(
      Type.Array(Type.Enum([...profileNames]), {
        minItems: 1,
        maxItems: profileNames.length,
        uniqueItems: true,
        description: 'Defaults to all three.',
      }),
    ),
  }),
)

const ProfileResult = named(
  'ProfileResult',
  Type.Object({
    decision: Verdict,
    score: Score,
    go_threshold: Score,
    recheck_required: Type.Boolean({
      description:
        'True for DEGRADED, and for a GO that the balanced profile would not give: verify again before release.',
    }),
    profile_label: Type.String(),
    recommended_action: RecommendedAction,
    cap_not_applied: Type.Boolean({
      description:
        'True for a GO by the threshold alone, above the review cap: verify gives at most DEGRADED.',
    }),
    valid_for_seconds: Type.Optional(
      Type.Integer({ description: 'How long the decision is valid, if the profile limits it.' }),
    ),
  }),
)

export const DemoCompareAnswer = named(
  'DemoCompareResponse',
  Type.Object(
    {
      corridor: Type.String(),
      amount: Type.Number(),
      currency: Type.String({ description: 'The currency of the request.' }),
      profiles_compared: Type.Array(Type.Enum([...profileNames])),
      results: Type.Object({
        conservative: Type.Optional(ProfileResult),
        balanced: Type.Optional(ProfileResult),
        optimise_speed: Type.Optional(ProfileResult),
      }),
      divergence: Type.Object({ profiles_agree: Type.Boolean(), summary: Type.String() }),
      evaluated_at: Timestamp,
      model_version: Type.String({ pattern: '^v\\d+\\.\\d+-demo$' }),
      environment: Type.Enum(['sandbox']),
    },
    { description: 'One score compared with the threshold of each profile. Nothing is stored.' },
  ),
)

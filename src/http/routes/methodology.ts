/** GET /api/v1/methodology: the rules, built from the constants that the scorer uses. */

import { Type } from 'typebox'
import { supportedCorridors } from '../../core/reference/corridor.ts'
import { decisionModel, engineVersion } from '../../core/decision/engine.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { profileGoFloorHundredths, profileNames } from '../../core/decision/profiles.ts'
import { signalReasonCode } from '../../core/decision/reasons.ts'
import { bandTable, penaltyFlagCount, penaltyPercent } from '../../core/decision/score.ts'
import {
  failureSlope,
  flagThresholdThousandths,
  fraudRisk,
  labelFloors,
  signalNames,
  weightPercent,
  type SignalName,
} from '../../core/decision/signals.ts'
import { scaleOf, type FeedScale } from '../../core/live/feed-map.ts'
import type { App } from '../types.ts'
import {
  named,
  Bands,
  errorResponses,
  response,
  ReasonCode,
  SignalLabel,
  SignalName as SignalNameSchema,
} from '../schemas/common.ts'

const rationale: Readonly<Record<SignalName, string>> = {
  fraud_flags: 'Money sent to a fraudster is rarely recovered, so an open flag weighs most and prevents GO.',
  network_healthy: 'A degraded rail is the most common cause of a payment stuck between two banks.',
  balance_sufficient: 'A partner without sufficient liquidity delays or returns payments.',
  fx_volatility: 'A volatile rate changes the amount received, but rarely stops a payment.',
  operation_valid: 'A corridor returns an unsupported operation or currency: late, but without loss.',
  historical_failure_rate:
    'Past failures are informative, but the signals above already reflect most of them.',
  cop_overridden: 'A bypassed payee check is a known risk with a known remedy: manual confirmation.',
}

const { baseThousandths, perFlagThousandths } = fraudRisk

const riskValueSteps: Readonly<Record<FeedScale, string>> = {
  flags: `1 without a flag, else max(0, ${baseThousandths / 1000} - ${perFlagThousandths / 1000} x flags)`,
  rate: `max(0, 1 - ${failureSlope} x share of failures), of the share rounded up to thousandths`,
  risk: 'the value from 0 (worst) to 1, rounded down to thousandths',
}

const Methodology = named(
  'Methodology',
  Type.Object(
    {
      model_version: Type.String(),
      engine_version: Type.String(),
      formula: Type.String(),
      signals: Type.Array(
        Type.Object({
          signal: SignalNameSchema,
          weight: Type.Number(),
          reason_code: ReasonCode,
          rationale: Type.String(),
          risk_value: Type.String({ description: 'The step from the value of a feed to the risk value.' }),
        }),
      ),
      labels: Type.Array(Type.Object({ label: SignalLabel, risk_value_from: Type.Number() })),
      flag_rule: Type.String(),
      penalty: Type.Object({ flagged_signals_from: Type.Integer(), share_taken: Type.Number() }),
      policy_gate: Type.Object({
        unit: Type.String(),
        degraded_above: Type.Number(),
        no_go_above: Type.Number(),
        stricter: Type.Array(
          Type.Object({ currency: Type.String(), degraded_above: Type.Number(), no_go_above: Type.Number() }),
        ),
      }),
      bands: Bands,
      profiles: Type.Array(
        Type.Object({ profile: Type.Enum([...profileNames]), go_threshold: Type.Number() }),
      ),
      confidence: Type.String(),
      supported_corridors: Type.Array(Type.String()),
      calibration: Type.Object({ status: Type.Enum(['uncalibrated']), note: Type.String() }),
    },
    { description: 'The scoring rules, from the constants that the scorer uses.' },
  ),
)

export function registerMethodology(app: App, policy: Policy): void {
  const answer = methodologyOf(policy)
  app.route({
    method: 'GET',
    url: '/api/v1/methodology',
    config: { isVital: true },
    schema: {
      operationId: 'methodology',
      tags: ['Service'],
      summary: 'Get the scoring methodology',
      response: { 200: response(Methodology, 'free'), ...errorResponses('free', 400, 500) },
    },
    handler: () => Promise.resolve(answer),
  })
}

function methodologyOf(policy: Policy) {
  const { reviewAbove, blockAbove } = policy.standard
  return {
    model_version: decisionModel,
    engine_version: engineVersion,
    formula:
      'composite = sum of weight x risk_value over the seven signals; score = composite less the penalty, rounded down once to two decimals. The bands apply to the score.',
    signals: signalNames.map((signal) => ({
      signal,
      weight: weightPercent[signal] / 100,
      reason_code: signalReasonCode[signal],
      rationale: rationale[signal],
      risk_value: riskValueSteps[scaleOf[signal]],
    })),
    labels: labelFloors.map(([label, floor]) => ({ label, risk_value_from: floor / 1000 })),
    flag_rule: `A signal is flagged if its risk_value is below ${flagThresholdThousandths / 1000}; fraud_flags is flagged by one or more flags.`,
    penalty: { flagged_signals_from: penaltyFlagCount, share_taken: penaltyPercent / 100 },
    policy_gate: {
      unit: 'units of the request currency',
      degraded_above: reviewAbove,
      no_go_above: blockAbove,
      stricter: [...policy.stricter].map(([currency, cap]) => ({
        currency,
        degraded_above: cap.reviewAbove,
        no_go_above: cap.blockAbove,
      })),
    },
    bands: bandTable(),
    profiles: profileNames.map((profile) => ({
      profile,
      go_threshold: profileGoFloorHundredths[profile] / 100,
    })),
    confidence:
      'The weighted mean of the confidence of each signal, independent of the score. For an unsupported corridor it is multiplied by 0.4.',
    supported_corridors: [...supportedCorridors],
    calibration: {
      status: 'uncalibrated' as const,
      note: 'Weights and thresholds are set by judgement. They are not fitted to observed outcomes. Shadow signals are simulated.',
    },
  }
}

/**
 * Changes that break the letter of the released contract on purpose, because its letter would mislead. Each was reviewed
 * and has a reason. Nothing else may break it without a new major version.
 */

import { signalNames } from '../../src/core/decision/signals.ts'

export interface SafetyException {
  /** As the comparison of documents names it. */
  readonly change: string
  readonly reason: string
}

const noData =
  'A live corridor that is not supported has no data. A number or a boolean in its place was simulated, and was taken for an observation.'

const nullable = [
  ...signalNames.map((signal) => `schemas/SignalValues (output)/${signal}`),
  'schemas/ProbeDetail (output)/risk_value',
  'schemas/AuditRecord (output)/signal_contributions/*/risk_value',
  'schemas/Factor (output)/risk_value',
  'schemas/SignalProvenance (output)/signals/*/risk_value',
]

const leftOut = ['decision', 'score', 'recommended_action'].map(
  (member) => `schemas/PartnerRankingResponse (output)/ranked_partners/*/${member}`,
)

export const safetyExceptions: readonly SafetyException[] = [
  ...leftOut.map((place) => ({
    change: `${place}: may now be null`,
    reason:
      'A declared partner that cannot be read has no decision, and any value in its place would be invented. Only live keys see it, which could not rank partners before.',
  })),
  ...nullable.map((place) => ({ change: `${place}: may now be null`, reason: noData })),
  ...['bearer', 'apiKey'].map((scheme) => ({
    change: `POST /api/v1/decision/{id}/outcome: ${scheme} decision:read no longer sufficient`,
    reason:
      'Outcomes feed the live failure rate: a key that may only read could make a corridor look sound. They need outcome:write.',
  })),
  {
    change: 'schemas/SignalProvenance (output)/signals/*/confidence: minimum is 0, was 0.7',
    reason: noData,
  },
]

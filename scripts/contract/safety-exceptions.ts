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

/** A change in the meaning of the same form, which no comparison of documents can see. */
export interface UnseenException {
  /** The request, as the table of docs/contract.md names it, and its answers. */
  readonly request: string
  readonly before: string
  readonly now: string
  readonly reason: string
}

const ignoredAmount =
  'An amount, currency or key under a wrong name was ignored: 600,000 became a GO without an amount.'

export const unseenExceptions: readonly UnseenException[] = [
  {
    request: 'a misspelt member, column or parameter (`ammount`)',
    before: 'ignored',
    now: '400',
    reason: `${ignoredAmount} A misspelt mode was that of the key.`,
  },
  {
    request: 'another name (`total`, `ccy`) for an absent amount or currency',
    before: 'ignored',
    now: '400',
    reason: ignoredAmount,
  },
  {
    request: 'a member given twice',
    before: 'the last one counted',
    now: '400',
    reason: 'A second amount replaced the first unseen, so the decision was for another payment.',
  },
  {
    request: 'an unknown parameter of a list (`page`)',
    before: 'ignored',
    now: '400',
    reason: 'The first page passed for the page that was asked for, or a whole list for a filtered one.',
  },
  {
    request: '`POST /api/v1/decision/compare` with a live key',
    before: 'a simulated ranking',
    now: 'declared partners alone',
    reason: 'A simulated ranking of invented partners was taken for one of real ones.',
  },
  {
    request: '`POST /api/v1/verify` live, an unsupported corridor',
    before: '503, or simulated signals',
    now: '`DEGRADED`, no signals',
    reason: noData,
  },
  {
    request: '`GET /api/v1/corridors/{corridor}` with a live key and no feeds',
    before: '`OPERATIONAL`, simulated',
    now: '`IMPAIRED`, no data',
    reason: noData,
  },
]

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

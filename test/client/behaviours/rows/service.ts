/** The clients and the service itself, from a decision to its outcome. */

import type { Row } from '../row.ts'

const paymentOf = (amount: number, corridor = 'GB-NG') => ({ corridor, amount, currency: 'GBP' })
export const verifyOf = (amount: number, corridor?: string) => ({
  call: 'verify',
  args: [paymentOf(amount, corridor)],
})
const override = {
  request_id: '{decision.request_id}',
  action: 'EXECUTE',
  reason_code: 'COMPLIANCE_APPROVED',
  justification: 'Payee confirmed by telephone.',
}
const id = ['{decision.request_id}']
export const listed = (...names: string[]) => names.map((name) => ({ request_id: `{${name}.request_id}` }))

const life: readonly Row[] = [
  {
    name: 'a decision can be explained, audited, overridden and closed, and is one in every view',
    service: {},
    steps: [
      {
        ...verifyOf(60_000),
        as: 'decision',
        expect: { answer: { decision: 'DEGRADED', idempotency_hit: false }, allows: false },
      },
      { call: 'explainDecision', args: id, expect: { answer: { request_id: id[0] } } },
      { call: 'decisionImpact', args: id, expect: { answer: { request_id: id[0] } } },
      { call: 'decisionTimeline', args: id, expect: { answer: { request_id: id[0] } } },
      { call: 'signalProvenance', args: id, expect: { error: undefined } },
      {
        call: 'search',
        args: id,
        expect: { answer: { results: listed('decision').map(() => ({})) } },
      },
      { call: 'override', args: [override], as: 'made', expect: { answer: { action: 'EXECUTE' } } },
      { call: 'override', args: [override], expect: { answer: { override_id: '{made.override_id}' } } },
      {
        call: 'override',
        args: [{ ...override, action: 'REJECT' }],
        expect: {
          error: { classes: ['ConflictError', 'FairwayError'], code: 'OVERRIDE_EXISTS', status: 409 },
        },
      },
      { ...verifyOf(7), as: 'allowed', expect: {} },
      {
        call: 'override',
        args: [{ ...override, request_id: '{allowed.request_id}' }],
        expect: { error: { classes: ['UnprocessableError', 'FairwayError'], status: 422 } },
      },
      {
        call: 'reportOutcome',
        args: [id[0], { outcome: 'COMPLETED' }],
        expect: { answer: { outcome: 'COMPLETED' } },
      },
      {
        call: 'reportOutcome',
        args: [id[0], { outcome: 'FAILED' }],
        expect: { error: { code: 'OUTCOME_EXISTS' } },
      },
      {
        call: 'audit',
        args: id,
        expect: { answer: { request_id: id[0], human_override: { action: 'EXECUTE' } } },
      },
      { call: 'decisionFile', args: id, expect: { answer: { audit: { request_id: id[0] } } } },
      { call: 'exportAudit', args: id, expect: { answer: { record: { request_id: id[0] } } } },
      {
        call: 'exportAudit',
        args: id,
        options: { format: 'csv' },
        expect: { answer: /SVC-/ },
      },
      { call: 'verifications', query: {}, read: 'items', expect: { answer: listed('allowed', 'decision') } },
    ],
  },
  {
    name: 'the service decides GO, DEGRADED and NO-GO or holds, and a GO alone allows',
    service: {},
    steps: [
      { ...verifyOf(1000), expect: { answer: { decision: 'GO' }, allows: true } },
      { ...verifyOf(10, 'US-MX'), expect: { answer: { decision: 'DEGRADED' }, allows: false } },
      { ...verifyOf(1000.08), expect: { answer: { decision: 'NO-GO' }, allows: false } },
      {
        ...verifyOf(1000.09, 'NG-GB'),
        options: { idempotencyKey: 'pay-1' },
        as: 'hold',
        expect: {
          answer: undefined,
          hold: {
            code: 'SIGNALS_UNAVAILABLE',
            retryAfterSeconds: 120,
            unavailableSignals: ['fx_volatility', 'network_healthy'],
            idempotencyKey: 'pay-1',
          },
          allows: false,
          waits: [],
        },
      },
      { call: 'verifications', query: {}, read: 'items', expect: { answer: [{}, {}, {}] } },
      { call: 'holds', query: { hours: 1 }, expect: { answer: { requests: 1 } } },
    ],
  },
  {
    name: 'a verify with the key of another is the same decision, or a conflict if its body differs',
    service: {},
    steps: [
      {
        ...verifyOf(5),
        options: { idempotencyKey: 'pay-1' },
        as: 'first',
        expect: { answer: { idempotency_hit: false } },
      },
      {
        ...verifyOf(5),
        options: { idempotencyKey: 'pay-1' },
        expect: { answer: { idempotency_hit: true, request_id: '{first.request_id}' } },
      },
      {
        ...verifyOf(6),
        options: { idempotencyKey: 'pay-1' },
        expect: { error: { classes: ['ConflictError', 'FairwayError'], code: 'IDEMPOTENCY_CONFLICT' } },
      },
    ],
  },
  {
    name: 'a verify without a key of its own, whose answers are lost, is decided and recorded once',
    service: { losses: 3 },
    steps: [
      {
        ...verifyOf(1000),
        as: 'decision',
        expect: { answer: { decision: 'GO', idempotency_hit: true }, waits: [1, 2, 4] },
      },
      { call: 'verifications', query: {}, read: 'items', expect: { answer: listed('decision') } },
    ],
  },
]

const refusals: readonly Row[] = [
  {
    name: 'the service says what is wrong with a request, and where',
    service: {},
    steps: [
      {
        ...verifyOf(-5),
        expect: {
          error: {
            classes: ['InvalidRequestError', 'FairwayError'],
            status: 400,
            code: 'INVALID_REQUEST',
            requestId: /./,
            errors: [{ path: '/amount', message: /./ }],
          },
        },
      },
      { call: 'audit', args: ['SVC-2026-NONE'], expect: { error: { code: 'NOT_FOUND' } } },
      { ...verifyOf(5), options: { mode: 'live' }, expect: { error: { code: 'FORBIDDEN' } } },
      { open: { apiKey: 'pk_test_unknown' }, expect: {} },
      {
        ...verifyOf(5),
        expect: { error: { classes: ['AuthenticationError', 'FairwayError'], code: 'UNAUTHORIZED' } },
      },
    ],
  },
  {
    name: 'a limit of the service is waited for as it says, and told when the time is up',
    service: { limit: 1 },
    steps: [
      { ...verifyOf(5), expect: { answer: { decision: 'GO' } } },
      {
        ...verifyOf(5),
        limits: { maxRetries: 1, totalTimeoutSeconds: 600 },
        expect: {
          error: { classes: ['RateLimitError', 'FairwayError'], code: 'RATE_LIMITED', attempts: 2 },
          waits: (waits: readonly number[]) => waits.length === 1 && Number(waits[0]) >= 50,
        },
      },
    ],
  },
]

export const service: readonly Row[] = [...life, ...refusals]

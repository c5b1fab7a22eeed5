/** An answer to verify is a decision, a hold or an error, and nothing else ever passes for a decision. */

import { decided, refused, type Scripted } from '../../../helpers/peers/scripted.ts'
import type { Row } from '../row.ts'

export const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }
export const verifyPayment = { call: 'verify', args: [payment] } as const

const held = refused(
  503,
  'SIGNALS_UNAVAILABLE',
  { 'retry-after': '120' },
  { unavailable_signals: ['fx_volatility', 'network_healthy'], signals_without_feed: ['fx_volatility'] },
)

const decisions: readonly Row[] = (['GO', 'DEGRADED', 'NO-GO'] as const).map((decision) => ({
  name: `a ${decision} is returned as it came, and ${decision === 'GO' ? 'allows' : 'does not allow'}`,
  script: [decided(decision)],
  steps: [
    {
      ...verifyPayment,
      expect: {
        answer: { decision, score: 0.96, request_id: 'SVC-2026-ONE' },
        allows: decision === 'GO',
        requests: [
          {
            method: 'POST',
            url: '/api/v1/verify',
            headers: { 'content-type': 'application/json', accept: 'application/json' },
            json: payment,
          },
        ],
      },
    },
  ],
}))

const holds: readonly Row[] = [
  {
    name: 'a 503 is a hold with what is known of it, and is not waited out',
    script: [held],
    steps: [
      {
        ...verifyPayment,
        options: { idempotencyKey: 'pay-1' },
        expect: {
          hold: {
            message: 'SIGNALS_UNAVAILABLE it is.',
            code: 'SIGNALS_UNAVAILABLE',
            requestId: 'req_one',
            retryAfterSeconds: 120,
            unavailableSignals: ['fx_volatility', 'network_healthy'],
            signalsWithoutFeed: ['fx_volatility'],
            idempotencyKey: 'pay-1',
          },
          answer: undefined,
          allows: false,
          waits: [],
          sent: 1,
        },
      },
    ],
  },
  {
    name: 'a hold is waited for where the caller gives the time',
    script: [held, decided()],
    client: { totalTimeoutSeconds: 300 },
    steps: [{ ...verifyPayment, expect: { answer: { decision: 'GO' }, waits: [120], sent: 2, keys: 1 } }],
  },
  {
    name: "a proxy's 503 is a hold of two minutes without a code",
    script: [
      {
        status: 503,
        text: 'no backend',
        headers: { 'content-type': 'text/plain', 'x-request-id': 'edge-1' },
      },
    ],
    steps: [
      {
        ...verifyPayment,
        limits: { maxRetries: 0 },
        expect: {
          hold: {
            code: null,
            message: /503/,
            requestId: 'edge-1',
            retryAfterSeconds: 120,
            unavailableSignals: [],
            signalsWithoutFeed: [],
            idempotencyKey: /./,
          },
          allows: false,
          keys: 1,
        },
      },
    ],
  },
  {
    name: 'a hold without an own key has the key that was sent, every time it was sent',
    script: [refused(503, 'OVERLOADED', { 'retry-after': '1' })],
    steps: [
      { ...verifyPayment, expect: { hold: { code: 'OVERLOADED' }, sent: 5, keys: 1, waits: [1, 1, 1, 1] } },
    ],
  },
]

const noDecisions: readonly (readonly [name: string, answer: Scripted])[] = [
  ['a page', { status: 200, text: '<html>GO</html>', headers: { 'content-type': 'text/html' } }],
  ['an empty body', { status: 200, text: '' }],
  ['null', { status: 200, text: 'null' }],
  ['a text', { status: 200, text: '"GO"' }],
  ['a number', { status: 200, text: '1' }],
  ['half a JSON', { status: 200, text: '{"decision":"GO"' }],
  ['two JSONs', { status: 200, text: '{"decision":"GO"}{}' }],
  ['NaN, which is no JSON', { status: 200, text: '{"decision":"GO","score":NaN}' }],
  ['a nesting without end', { status: 200, text: '['.repeat(100_000) }],
  ['an object without a decision', { status: 200, body: { score: 1 } }],
  ['another word', { status: 200, body: { decision: 'MAYBE' } }],
  ['a word in small letters', { status: 200, body: { decision: 'go' } }],
  ['a decision that is a list', { status: 200, body: { decision: ['GO'] } }],
  ['a decision that is true', { status: 200, body: { decision: true } }],
  ['a list', { status: 200, body: ['GO'] }],
  ['a 202', { status: 202, body: { decision: 'GO' } }],
  ['a 204', { status: 204, text: '' }],
  ['a 206', { status: 206, body: { decision: 'GO' } }],
]

const refusals: readonly Row[] = noDecisions.map(([name, answer]) => ({
  name: `${name} never passes for a decision, is not asked for again, and the key is told`,
  script: [answer, decided()],
  steps: [
    {
      ...verifyPayment,
      options: { idempotencyKey: 'pay-1' },
      expect: {
        error: {
          classes: ['UnexpectedAnswerError', 'FairwayError'],
          status: typeof answer === 'object' ? answer.status : null,
          code: null,
          idempotencyKey: 'pay-1',
          attempts: 1,
        },
        sent: 1,
      },
    },
  ],
}))

export const verify: readonly Row[] = [...decisions, ...holds, ...refusals]

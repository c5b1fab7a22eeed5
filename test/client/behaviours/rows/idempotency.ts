/** The idempotency key: one for each payment, however often it is asked for. */

import { decided, refused } from '../../../helpers/peers/scripted.ts'
import type { Row } from '../row.ts'
import { payment, verifyPayment } from './verify.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** In the options, then in the body. */
const wrongKeys: readonly Row[] = Object.entries({
  'an empty key': '',
  'a key that is not ASCII': 'ä',
  'a key of two lines': 'a\nb',
  'a key with a line break at its end': 'a\n',
  'a key of more than 255 characters': 'x'.repeat(256),
}).map(([name, key]) => ({
  name: `${name} is refused before anything is sent`,
  script: [decided()],
  steps: [
    { ...verifyPayment, options: { idempotencyKey: key }, expect: { misuse: /idempotency.?key/i, sent: 0 } },
    {
      call: 'verify',
      args: [{ ...payment, idempotency_key: key }],
      expect: { misuse: /idempotency.?key/i, sent: 0 },
    },
  ],
}))

export const idempotency: readonly Row[] = [
  {
    name: 'a verify without a key gets one, the same at every try and another for every call',
    script: [refused(500, 'INTERNAL_ERROR'), 'drop', refused(429, 'RATE_LIMITED'), decided()],
    steps: [
      {
        ...verifyPayment,
        expect: {
          answer: { decision: 'GO' },
          sent: 4,
          keys: 1,
          requests: Array.from({ length: 4 }, () => ({ json: { ...payment, idempotency_key: uuid } })),
        },
      },
      { ...verifyPayment, expect: { sent: 1, keys: 1 } },
    ],
    expect: { keys: 2 },
  },
  {
    name: 'the body of a verify is the same at every try, byte for byte',
    script: ['drop', 'half', refused(500, 'INTERNAL_ERROR'), decided()],
    steps: [{ ...verifyPayment, expect: { answer: { decision: 'GO' }, sent: 4, bodies: 1 } }],
  },
  {
    name: "the caller's own key is taken from the options or the body as it is",
    script: [decided()],
    steps: [
      {
        ...verifyPayment,
        options: { idempotencyKey: 'pay-1' },
        expect: { requests: [{ json: { ...payment, idempotency_key: 'pay-1' } }] },
      },
      {
        call: 'verify',
        args: [{ ...payment, idempotency_key: ' pay 2 ' }],
        expect: { requests: [{ json: { idempotency_key: ' pay 2 ' } }] },
      },
      {
        call: 'verify',
        args: [{ ...payment, idempotency_key: 'pay-3' }],
        options: { idempotencyKey: 'pay-3' },
        expect: { requests: [{ json: { idempotency_key: 'pay-3' } }] },
      },
      {
        ...verifyPayment,
        options: { idempotencyKey: 'x'.repeat(255) },
        expect: { requests: [{ json: { idempotency_key: 'x'.repeat(255) } }] },
      },
    ],
  },
  {
    name: 'two different keys of one call are refused before anything is sent',
    script: [decided()],
    steps: [
      {
        call: 'verify',
        args: [{ ...payment, idempotency_key: 'a' }],
        options: { idempotencyKey: 'b' },
        expect: { misuse: /differ/, sent: 0 },
      },
    ],
  },
  ...wrongKeys,
  {
    name: 'a failure tells the key that was sent, so that the caller can ask again later',
    script: ['drop', refused(500, 'INTERNAL_ERROR'), refused(409, 'IDEMPOTENCY_CONFLICT')],
    client: { maxRetries: 0 },
    steps: [
      { ...verifyPayment, expect: { error: { classes: ['ConnectionError', 'FairwayError'] }, keys: 1 } },
      { ...verifyPayment, expect: { error: { idempotencyKey: uuid }, keys: 1 } },
      {
        ...verifyPayment,
        options: { idempotencyKey: 'pay-1' },
        expect: { error: { idempotencyKey: 'pay-1', code: 'IDEMPOTENCY_CONFLICT' }, keys: 1 },
      },
    ],
    expect: { keys: 3 },
  },
  {
    name: 'a mode goes into the query',
    script: [decided()],
    steps: [
      {
        ...verifyPayment,
        options: { mode: 'shadow' },
        expect: { requests: [{ url: '/api/v1/verify?mode=shadow' }] },
      },
    ],
  },
]

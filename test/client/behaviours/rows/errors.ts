/** Every failure is a class of its own with the same members. */

import { statusOf } from '../../../../src/http/errors.ts'
import { refused } from '../../../helpers/peers/scripted.ts'
import type { Row } from '../row.ts'
import { verifyPayment } from './verify.ts'

const classOf: Readonly<Record<number, string>> = {
  400: 'InvalidRequestError',
  401: 'AuthenticationError',
  403: 'PermissionError',
  404: 'NotFoundError',
  405: 'InvalidRequestError',
  408: 'InvalidRequestError',
  409: 'ConflictError',
  413: 'InvalidRequestError',
  415: 'InvalidRequestError',
  422: 'UnprocessableError',
  429: 'RateLimitError',
  431: 'InvalidRequestError',
  500: 'ServerError',
  503: 'UnavailableError',
}
const baseOf = (status: number): string[] =>
  status === 503 ? ['ServerError', 'FairwayError'] : ['FairwayError']

const audit = { call: 'audit', args: ['SVC-1'], limits: { maxRetries: 0 } } as const

const codes: readonly Row[] = Object.entries(statusOf).map(([code, status]) => ({
  name: `${code} is ${classOf[status]}, with everything that the answer says`,
  script: [
    refused(
      status,
      code,
      { 'retry-after': '9' },
      {
        errors: [{ path: '/amount', message: 'is odd' }],
        unavailable_signals: ['fx_volatility', 'network_healthy'],
        signals_without_feed: ['fx_volatility'],
      },
    ),
  ],
  steps: [
    {
      ...audit,
      expect: {
        error: {
          classes: [classOf[status], ...baseOf(status)],
          status,
          code,
          message: `${code} it is.`,
          requestId: 'req_one',
          retryAfterSeconds: 9,
          errors: [{ path: '/amount', message: 'is odd' }],
          unavailableSignals: ['fx_volatility', 'network_healthy'],
          signalsWithoutFeed: ['fx_volatility'],
          idempotencyKey: null,
          attempts: 1,
        },
      },
    },
  ],
}))

/** Members of an error that says nothing of them. */
const nothing = {
  code: null,
  retryAfterSeconds: null,
  errors: [],
  unavailableSignals: [],
  signalsWithoutFeed: [],
  idempotencyKey: null,
}

const strange: readonly Row[] = Object.entries({
  'a page': '<html>',
  nothing: '',
  'a list': '["x"]',
  'a text': '"x"',
  'a nesting without end': '['.repeat(100_000),
  'bytes that are no text': Buffer.from([0x80, 0xff]),
  'members of other types': JSON.stringify({
    message: 5,
    code: [],
    request_id: {},
    errors: 'x',
    unavailable_signals: {},
    signals_without_feed: 1,
  }),
}).flatMap(([name, text]) =>
  [
    [502, 'ServerError'],
    [418, 'InvalidRequestError'],
  ].map(([status = 0, className]) => ({
    name: `a ${status} with ${name} has a message that says so, and defaults`,
    script: [{ status: Number(status), text, headers: { 'x-request-id': 'edge-1' } }],
    steps: [
      {
        call: 'health',
        limits: { maxRetries: 0 },
        expect: {
          error: {
            ...nothing,
            classes: [className, 'FairwayError'],
            status,
            message: new RegExp(String(status)),
            requestId: 'edge-1',
          },
        },
      },
    ],
  })),
)

const redirects: readonly Row[] = [301, 302, 303, 307, 308].map((status) => ({
  name: `a ${status} is not followed, nor asked for again: the key goes to no other address`,
  script: [{ status, headers: { location: '{elsewhere}/api/v1/verify' } }],
  elsewhere: [{ status: 200, body: { decision: 'GO' } }],
  steps: [
    {
      ...verifyPayment,
      expect: {
        error: { classes: ['UnexpectedAnswerError', 'FairwayError'], status, message: /redirect/ },
        sent: 1,
      },
    },
  ],
}))

export const errors: readonly Row[] = [
  ...codes,
  ...strange,
  ...redirects,
  {
    name: 'a service that cannot be reached is a ConnectionError that says why, without the API key',
    script: 'closed',
    steps: [
      {
        ...verifyPayment,
        expect: {
          error: {
            ...nothing,
            classes: ['ConnectionError', 'FairwayError'],
            message: /cannot be reached: .*(?:ECONNREFUSED|refused|Connect call failed)/,
            status: null,
            requestId: null,
            idempotencyKey: /./,
            attempts: 5,
          },
          waits: [1, 2, 4, 8],
        },
      },
    ],
  },
  {
    name: 'a 200 that is no JSON is an UnexpectedAnswerError of any call',
    script: [{ status: 200, text: '<html>', headers: { 'x-request-id': 'edge-1' } }],
    steps: [
      {
        ...audit,
        expect: {
          error: {
            ...nothing,
            classes: ['UnexpectedAnswerError', 'FairwayError'],
            status: 200,
            requestId: 'edge-1',
            attempts: 1,
          },
        },
      },
    ],
  },
]

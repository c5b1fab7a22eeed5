/** Requests as the server gets them: the key, the address, the parts of a path, the query and the body. */

import { decided, refused } from '../../../helpers/peers/scripted.ts'
import type { Row } from '../row.ts'
import { payment, verifyPayment } from './verify.ts'

const ok = { status: 200, body: {} }
const authorization = 'Bearer pk_test_topsecret'
const audit = (id: string) => ({ call: 'audit', args: [id] })

const parts: readonly Row[] = (
  [
    ['a/../../b?c#d e', 'a%2F..%2F..%2Fb%3Fc%23d%20e'],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['Zürich\n', 'Z%C3%BCrich%0A'],
    ['a\\b;c=d&e+f@g:h', 'a%5Cb%3Bc%3Dd%26e%2Bf%40g%3Ah'],
  ] as const
).map(([id, part]) => ({
  name: `the id ${JSON.stringify(id)} stays one part of the path`,
  script: [ok],
  steps: [{ ...audit(id), expect: { requests: [{ url: `/api/v1/audit/${part}` }] } }],
}))

const noParts: readonly Row[] = ['', '.', '..'].map((id) => ({
  name: `the id "${id}" would be another path, and is refused`,
  script: [ok],
  steps: [
    { ...audit(id), expect: { misuse: /id/, sent: 0 } },
    { call: 'webhookDelivery', args: ['wh_1', id], expect: { misuse: /id/, sent: 0 } },
    { call: 'webhookDeliveries', args: [id], query: {}, read: 'page', expect: { misuse: /id/, sent: 0 } },
  ],
}))

const bodies: readonly Row[] = Object.entries({
  'a text that is not ASCII': 'Grüße an 東京 🎉',
  'a text with characters that JSON escapes': 'a"b\\c\n\t\u0000\u2028</script>',
}).map(([name, text]) => ({
  name: `${name} reaches the server whole`,
  script: [decided()],
  steps: [
    {
      call: 'verify',
      args: [{ ...payment, amount: 0.1, correlation_id: text }],
      expect: { requests: [{ json: { ...payment, amount: 0.1, correlation_id: text } }] },
    },
  ],
}))

export const requests: readonly Row[] = [
  {
    name: 'the API key goes with keyed calls as a bearer token, and with no other',
    script: [ok],
    steps: [
      { ...audit('SVC-1'), expect: { requests: [{ headers: { authorization } }] } },
      { call: 'health', expect: { requests: [{ headers: { authorization: undefined } }] } },
      { call: 'demoVerify', expect: { requests: [{ headers: { authorization: undefined } }] } },
      {
        call: 'auditCheckpoint',
        query: { from: 7 },
        expect: { requests: [{ headers: { authorization: undefined }, query: { from: '7' } }] },
      },
      { ...audit('SVC-1'), expect: { requests: [{ headers: { authorization } }] } },
    ],
  },
  {
    name: 'the API key is sent the same at every try',
    script: [refused(500, 'INTERNAL_ERROR'), 'drop', ok],
    steps: [
      {
        ...audit('SVC-1'),
        expect: { answer: {}, requests: Array.from({ length: 3 }, () => ({ headers: { authorization } })) },
      },
    ],
  },
  {
    name: 'a call that needs an API key says so before anything is sent; others need none',
    script: [ok],
    client: { apiKey: null },
    steps: [
      { ...verifyPayment, expect: { misuse: /API key/i, sent: 0 } },
      { ...audit('SVC-1'), expect: { misuse: /API key/i, sent: 0 } },
      { call: 'verifications', query: {}, read: 'page', expect: { misuse: /API key/i, sent: 0 } },
      { call: 'health', expect: { answer: {}, sent: 1 } },
    ],
  },
  {
    name: 'a base URL may have a path, and slashes at its end',
    script: [ok],
    steps: [
      { open: { baseUrl: '{url}/fairway//' }, expect: {} },
      { call: 'health', expect: { requests: [{ url: '/fairway/api/health' }] } },
      { open: { baseUrl: '{url}/' }, expect: {} },
      { call: 'health', expect: { requests: [{ url: '/api/health' }] } },
    ],
  },
  ...parts,
  ...noParts,
  {
    name: 'a query is encoded, and has what was given alone',
    script: [ok],
    steps: [
      {
        call: 'verificationsSummary',
        query: { from: '2026-03-01T12:00:00+01:00', corridor: 'GB-NG&mode=live' },
        expect: {
          requests: [
            {
              url: /^\/api\/v1\/verifications\/summary\?[\w%.=&+-]+$/,
              query: { from: '2026-03-01T12:00:00+01:00', corridor: 'GB-NG&mode=live', mode: undefined },
            },
          ],
        },
      },
      {
        call: 'verificationsSummary',
        query: {},
        expect: { requests: [{ url: '/api/v1/verifications/summary' }] },
      },
      {
        call: 'search',
        args: ['Zürich 7 & 8'],
        expect: { requests: [{ query: { q: 'Zürich 7 & 8' } }] },
      },
    ],
  },
  ...bodies,
  {
    name: 'a call without a body sends none, nor its type',
    script: [ok],
    steps: [
      {
        call: 'testWebhook',
        args: ['wh_1'],
        expect: { requests: [{ method: 'POST', text: '', headers: { 'content-type': undefined } }] },
      },
      { ...audit('SVC-1'), expect: { requests: [{ text: '', headers: { 'content-type': undefined } }] } },
    ],
  },
  {
    name: 'a connection that the server has closed meanwhile fails no call, not even one that is never repeated',
    script: [{ ...ok, closes: true }],
    steps: Array.from({ length: 4 }, () => ({
      call: 'testWebhook',
      args: ['wh_1'],
      expect: { answer: {}, sent: 1 },
    })),
  },
]

/** When the clients ask again and how long they wait before, by section 7 of the contract. */

import { decided, refused, type Scripted } from '../../../helpers/peers/scripted.ts'
import type { Row } from '../row.ts'
import { verifyPayment } from './verify.ts'

const fault = refused(500, 'INTERNAL_ERROR')
const proxy = { status: 502, text: '<html>', headers: { 'content-type': 'text/html' } }
const limited = (retryAfter: string): Scripted => refused(429, 'RATE_LIMITED', { 'retry-after': retryAfter })

const jitter: readonly Row[] = [
  [0, 0.9],
  [0.25, 0.95],
  [0.99, 1.098],
].map(([chance = 0, factor = 0]) => ({
  name: `a chance of ${chance} makes waits ${factor} times as long`,
  script: [fault],
  chance,
  steps: [{ ...verifyPayment, expect: { waits: [1, 2, 4, 8].map((seconds) => seconds * factor), sent: 5 } }],
}))

/** What is not read as a time to wait. */
const unheeded: readonly Row[] = [
  '0',
  '',
  'soon',
  '-5',
  '1.5',
  '1e3',
  '0x10',
  '1_0',
  '²',
  'Sun, 01 Mar 2020 12:00:00 GMT',
].map((text) => ({
  name: `a Retry-After of "${text}" says nothing, and the client waits as without one`,
  script: [limited(text), limited(text), decided()],
  steps: [{ ...verifyPayment, expect: { answer: { decision: 'GO' }, waits: [1, 2] } }],
}))

const unrepeated: readonly Row[] = [400, 401, 403, 404, 405, 409, 413, 415, 422, 431, 501, 505].map(
  (status) => ({
    name: `a ${status} is not asked for again`,
    script: [refused(status, 'ANY'), decided()],
    steps: [{ ...verifyPayment, expect: { error: { status, attempts: 1 }, waits: [], sent: 1 } }],
  }),
)

const repeated: readonly Row[] = [408, 429, 500, 502, 503, 504].map((status) => ({
  name: `a ${status} is asked for again`,
  script: [refused(status, 'ANY'), decided()],
  steps: [{ ...verifyPayment, expect: { answer: { decision: 'GO' }, waits: [1], sent: 2, keys: 1 } }],
}))

export const retries: readonly Row[] = [
  {
    name: 'retries wait 1, 2, 4 and 8 seconds after faults, and then the fault is told',
    script: [fault],
    steps: [
      {
        ...verifyPayment,
        expect: {
          error: { classes: ['ServerError', 'FairwayError'], attempts: 5 },
          waits: [1, 2, 4, 8],
          sent: 5,
        },
      },
    ],
  },
  {
    name: 'waits double to a minute',
    script: [fault],
    client: { maxRetries: 9, totalTimeoutSeconds: 10_000 },
    steps: [{ ...verifyPayment, expect: { waits: [1, 2, 4, 8, 16, 32, 60, 60, 60], sent: 10 } }],
  },
  ...jitter,
  {
    name: 'Retry-After goes before the own wait, which goes on from the number of tries',
    script: [limited('7'), refused(503, 'SIGNALS_UNAVAILABLE', { 'retry-after': '3' }), fault, decided()],
    steps: [{ ...verifyPayment, expect: { answer: { decision: 'GO' }, waits: [7, 3, 4] } }],
  },
  {
    name: 'Retry-After is never shortened or lengthened by chance',
    script: [limited('10'), limited('10'), decided()],
    chance: 0,
    steps: [{ ...verifyPayment, expect: { answer: { decision: 'GO' }, waits: [10, 10] } }],
  },
  ...unheeded,
  {
    name: 'retries come after lost connections, half answers and the faults of proxies',
    script: ['drop', 'half', proxy, { ...proxy, status: 504 }, decided()],
    steps: [
      { ...verifyPayment, expect: { answer: { decision: 'GO' }, waits: [1, 2, 4, 8], sent: 5, keys: 1 } },
    ],
  },
  ...repeated,
  ...unrepeated,
]

/** A call always ends: by the number of its tries, by the time of one, and by the time of all. */

import { decided, refused } from '../../../helpers/peers/scripted.ts'
import type { Row } from '../row.ts'
import { verifyPayment } from './verify.ts'

const fault = refused(500, 'INTERNAL_ERROR')
const timedOut = ['TimeoutError', 'ConnectionError', 'FairwayError']

/** Far in the future, and longer than numbers are. */
const farAway: readonly Row[] = ['Fri, 01 Jan 2100 00:00:00 GMT', '9'.repeat(5_000)].map((text) => ({
  name: `a Retry-After of ${text.slice(0, 40)} is too long to be waited for`,
  script: [refused(429, 'RATE_LIMITED', { 'retry-after': text })],
  steps: [{ ...verifyPayment, expect: { error: { code: 'RATE_LIMITED', attempts: 1 }, waits: [], sent: 1 } }],
}))

const inTime: readonly Row[] = [
  [1.999, 1],
  [2, 2],
].map(([totalTimeoutSeconds = 0, tries = 0]) => ({
  name: `with ${totalTimeoutSeconds} s in all there is time for ${tries} of 1 s and a wait of 1 s between them`,
  script: [fault],
  client: { totalTimeoutSeconds, maxRetries: 1 },
  steps: [{ ...verifyPayment, expect: { error: { status: 500, attempts: tries }, sent: tries } }],
}))

export const bounds: readonly Row[] = [
  {
    name: 'retries are bounded in number by the client, or by the call, which goes first',
    script: [fault],
    client: { maxRetries: 2 },
    steps: [
      { ...verifyPayment, expect: { error: { attempts: 3 }, sent: 3 } },
      { ...verifyPayment, limits: { maxRetries: 1 }, expect: { error: { attempts: 2 }, sent: 2 } },
      { ...verifyPayment, limits: { maxRetries: 0 }, expect: { error: { attempts: 1 }, waits: [], sent: 1 } },
      { ...verifyPayment, expect: { error: { attempts: 3 }, sent: 3 } },
    ],
  },
  {
    name: 'retries are bounded in time: nothing is waited for that would end too late',
    script: [refused(429, 'RATE_LIMITED', { 'retry-after': '61' })],
    steps: [
      {
        ...verifyPayment,
        expect: {
          error: { classes: ['RateLimitError', 'FairwayError'], retryAfterSeconds: 61, attempts: 1 },
          waits: [],
          sent: 1,
        },
      },
      {
        ...verifyPayment,
        limits: { maxRetries: 100, totalTimeoutSeconds: 200 },
        expect: { error: { attempts: 4 }, waits: [61, 61, 61] },
      },
    ],
  },
  ...farAway,
  ...inTime,
  {
    name: 'limits may be endless',
    script: [fault, decided()],
    client: { timeoutSeconds: Infinity, totalTimeoutSeconds: Infinity },
    steps: [{ ...verifyPayment, expect: { answer: { decision: 'GO' }, waits: [1] } }],
  },
  {
    name: 'an answer that does not come in time is a timeout, which tells the time',
    script: ['hang'],
    steps: [
      {
        ...verifyPayment,
        limits: { maxRetries: 0, timeoutSeconds: 0.05 },
        expect: {
          error: {
            classes: timedOut,
            message: /within (?:50 ms|0?\.05 s)/,
            status: null,
            code: null,
            attempts: 1,
            idempotencyKey: /./,
          },
          sent: 1,
        },
      },
    ],
  },
  {
    name: 'a try that takes too long is given up, and tried again with the same key and body',
    script: ['hang', 'hang', decided()],
    client: { timeoutSeconds: 0.25, maxRetries: 9 },
    steps: [{ ...verifyPayment, expect: { answer: { decision: 'GO' }, keys: 1, bodies: 1 } }],
  },
  {
    name: 'an answer that comes byte by byte is given up in time, too',
    script: ['drip'],
    steps: [
      {
        ...verifyPayment,
        limits: { maxRetries: 0, timeoutSeconds: 0.25 },
        expect: { error: { classes: timedOut }, sent: 1 },
      },
    ],
  },
  {
    name: 'a try has no more time than is left of the whole',
    script: ['hang'],
    steps: [
      {
        ...verifyPayment,
        limits: { timeoutSeconds: 600, totalTimeoutSeconds: 0.05 },
        expect: { error: { classes: timedOut, attempts: 1 }, sent: 1 },
      },
    ],
  },
]

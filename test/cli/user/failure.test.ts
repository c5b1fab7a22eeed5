/** How failures end a user command: which are a hold, what is waited for, and that a 503 never is. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  FairwayError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnavailableError,
  UnexpectedAnswerError,
  UnprocessableError,
} from '../../../client/src/index.ts'
import { errorJson, failureOf } from '../../../src/cli/user/session/failure.ts'
import { withRetries } from '../../../src/cli/user/session/retry.ts'
import type { Connection } from '../../../src/cli/user/session/settings.ts'
import { commandText } from '../../../src/cli/user/session/hints.ts'
import { retryArguments } from '../../../src/cli/user/verify.ts'
import { check } from '../../helpers/check.ts'

const connection: Connection = {
  url: 'http://127.0.0.1:8080',
  key: 'the-key-itself',
  keySource: 'FAIRWAY_API_KEY',
  missingKey: '',
}

const failedWith = (code: string): ConnectionError =>
  new ConnectionError('Fairway cannot be reached.', {}, { cause: Object.assign(new Error(code), { code }) })
const refused = (): ConnectionError => failedWith('ECONNREFUSED')

test('a hold is what may help later: exit code 75; everything else is a fault: 1', () => {
  check<FairwayError, number>(
    [
      [new UnavailableError('x'), 75],
      [new RateLimitError('x'), 75],
      [new ServerError('x'), 75],
      [new TimeoutError('x'), 75],
      [new ConnectionError('x'), 75],
      [refused(), 75],
      [new InvalidRequestError('x', { code: 'REQUEST_TIMEOUT' }), 75],
      [new InvalidRequestError('x'), 1],
      [new AuthenticationError('x'), 1],
      [new PermissionError('x'), 1],
      [new NotFoundError('x'), 1],
      [new ConflictError('x'), 1],
      [new UnprocessableError('x'), 1],
      [new UnexpectedAnswerError('x'), 1],
    ],
    (error) => failureOf(error, connection).exitCode,
  )
})

test('the line says what to do, and where the key came from, never the key', () => {
  const rows: readonly (readonly [FairwayError, RegExp])[] = [
    [
      new AuthenticationError('x', { code: 'UNAUTHORIZED' }),
      /key from FAIRWAY_API_KEY was not accepted.*fairway login/,
    ],
    [
      new PermissionError('Live mode needs a live key.', { code: 'FORBIDDEN' }),
      /Live mode needs a live key\. The key came from FAIRWAY_API_KEY/,
    ],
    [new NotFoundError('x', { code: 'NOT_FOUND' }), /fairway history/],
    [refused(), /no server at http:\/\/127\.0\.0\.1:8080: run fairway quickstart/],
    [new RateLimitError('Too many.', { retryAfterSeconds: 1 }), /Too many\. Retry in 1 second\./],
    [new UnavailableError('No signals.', { retryAfterSeconds: 120 }), /Retry in 120 seconds\./],
  ]
  for (const [error, message] of rows) {
    const failure = failureOf(error, connection)
    assert.match(failure.message, message)
    assert.doesNotMatch(failure.message, /the-key-itself|\n/)
  }
  const remote = failureOf(refused(), { ...connection, url: 'https://fairway.example.com' })
  assert.doesNotMatch(remote.message, /quickstart/, 'a server is started on this machine only')
})

test('the key is spoken of only where it was sent, and Fairway itself refused', () => {
  const keyless = { ...connection, key: null, keySource: null }
  for (const Class of [AuthenticationError, PermissionError, NotFoundError]) {
    for (const told of [
      failureOf(new Class('Refused', { code: 'FORBIDDEN' }), keyless).message,
      failureOf(new Class('Refused'), connection).message,
    ]) {
      assert.match(told, /^Refused\./)
      assert.doesNotMatch(told, /key|login|history/, Class.name)
    }
  }
  assert.match(failureOf(new NotFoundError('x'), connection).message, /Address: http:/)
})

test('of many faults in a request each has its line', () => {
  const errors = [
    { path: '/amount', message: 'must not be negative' },
    { path: '/currency', message: 'must have at most 3 characters' },
  ]
  const failure = failureOf(new InvalidRequestError('… see errors.', { errors }), connection)
  assert.deepEqual(failure.details, [
    '/amount must not be negative',
    '/currency must have at most 3 characters',
  ])
  const told = errorJson(failure).error
  assert.deepEqual(told.errors, errors)
  assert.equal(told.message, '… see errors.')
})

/** Runs the call against faults that come in turn; a clock that moves when somebody sleeps. */
async function trying(faults: readonly FairwayError[], rateLimitBudgetMs?: number) {
  let calls = 0
  let nowMs = 0
  const slept: number[] = []
  const call = (): Promise<string> => {
    const fault = faults[calls]
    calls += 1
    return fault === undefined ? Promise.resolve('answer') : Promise.reject(fault)
  }
  const outcome = await withRetries(call, {
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    sleep: (ms) => {
      slept.push(ms)
      nowMs += ms
      return Promise.resolve()
    },
    note: () => {},
    ...(rateLimitBudgetMs === undefined ? {} : { rateLimitBudgetMs }),
  }).catch((error: Error) => error.name)
  return { outcome, calls, slept }
}

test('a 503 is never waited for, whatever it says of when to come again', async () => {
  for (const retryAfterSeconds of [null, 0, 1]) {
    const { outcome, calls, slept } = await trying([new UnavailableError('x', { retryAfterSeconds })])
    assert.deepEqual([outcome, calls, slept], ['UnavailableError', 1, []])
  }
})

test('nor is a server that is not there, one that took its time, or a request that is wrong', async () => {
  for (const fault of [
    refused(),
    new ConnectionError('bad port'),
    new TimeoutError('x'),
    new InvalidRequestError('x'),
    new AuthenticationError('x'),
  ]) {
    const { calls, slept } = await trying([fault, fault])
    assert.deepEqual([calls, slept], [1, []], fault.name)
  }
})

test('a connection that breaks is tried again, however that is called', async () => {
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']) {
    const { outcome, slept } = await trying([failedWith(code)])
    assert.deepEqual([outcome, slept], ['answer', [1000]], code)
  }
})

test('faults that pass are tried again for ten seconds in all', async () => {
  const lost = failedWith('ECONNRESET')
  assert.deepEqual(await trying([lost, new ServerError('x')]), {
    outcome: 'answer',
    calls: 3,
    slept: [1000, 2000],
  })
  assert.deepEqual(await trying(Array.from({ length: 9 }, () => lost)), {
    outcome: 'ConnectionError',
    calls: 4,
    slept: [1000, 2000, 4000],
  })
  const limited = (retryAfterSeconds: number): RateLimitError =>
    new RateLimitError('x', { retryAfterSeconds })
  assert.deepEqual(await trying([limited(9)]), { outcome: 'answer', calls: 2, slept: [9000] })
  assert.deepEqual(await trying([limited(10)]), { outcome: 'RateLimitError', calls: 1, slept: [] })
  assert.deepEqual(await trying([limited(60)], 70_000), { outcome: 'answer', calls: 2, slept: [60_000] })
})

test('a rate limit that does not say when it ends is waited for as other faults are', async () => {
  const limited = new RateLimitError('x', { retryAfterSeconds: 0 })
  assert.deepEqual(await trying(Array.from({ length: 9 }, () => limited)), {
    outcome: 'RateLimitError',
    calls: 4,
    slept: [1000, 2000, 4000],
  })
  assert.match(failureOf(limited, connection).message, /Retry later\./)
})

test('whoever waits long for a rate limit waits no longer for anything else', async () => {
  const broken = Array.from({ length: 9 }, () => new ServerError('x'))
  assert.deepEqual(await trying(broken, 70_000), {
    outcome: 'ServerError',
    calls: 4,
    slept: [1000, 2000, 4000],
  })
})

test('the command to ask again with can be typed as it stands', () => {
  assert.equal(
    commandText(
      retryArguments(
        { corridor: "Côte d'Ivoire-Nigeria", amount: 1e-7, currency: 'GBP', correlation_id: 'invoice 7' },
        '0.0000001',
        { mode: 'shadow', idempotencyKey: 'a key' },
      ),
      null,
    ),
    `fairway verify 'Côte d'\\''Ivoire-Nigeria' 0.0000001 --currency GBP --mode shadow --correlation-id 'invoice 7' --idempotency-key 'a key'`,
  )
  assert.equal(
    commandText(retryArguments({ corridor: 'GB-NG' }, undefined, { idempotencyKey: 'k' }), 'http://h:1/a b'),
    `fairway verify GB-NG --idempotency-key k --url 'http://h:1/a b'`,
  )
})

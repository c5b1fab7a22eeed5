/** Failures of the TypeScript client's own: limits that are undefined, and the causes that fetch tells. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, FairwayClient } from '../../client/src/index.ts'
import { failureOf, ManualWorld, refused, withScript } from '../helpers/peers/scripted.ts'

test('options that are given as undefined are not given', async () => {
  await withScript([refused(500, 'INTERNAL_ERROR')], async ({ url, asked }) => {
    const none = {
      maxRetries: undefined,
      timeoutMs: undefined,
      totalTimeoutMs: undefined,
      signal: undefined,
    }
    const { runtime } = new ManualWorld()
    const client = new FairwayClient({ baseUrl: url, apiKey: undefined, runtime, ...none })
    await failureOf(client.health(none))
    assert.equal(asked.length, 5)
  })
})

test('of a name with several addresses it is told what is wrong with each', async () => {
  const several = new AggregateError([
    new Error('connect ECONNREFUSED ::1:1'),
    new Error('connect ECONNREFUSED 127.0.0.1:1'),
  ])
  const failing = async (): Promise<never> => {
    throw new TypeError('fetch failed', { cause: several })
  }
  const client = new FairwayClient({
    baseUrl: 'http://localhost:1',
    maxRetries: 0,
    runtime: { fetch: failing },
  })
  const error = await failureOf(client.health())
  assert.ok(error instanceof ConnectionError)
  assert.match(error.message, /::1:1; .*127\.0\.0\.1:1/)
})

/** What the types of the client force on its callers. The compiler is the test: each line marked must not compile. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allows, type Hold, type VerifyResponse, type VerifyResult } from '../../client/src/index.ts'

const hold: Hold = {
  decision: 'HOLD',
  message: 'Not now.',
  code: null,
  requestId: null,
  retryAfterSeconds: 120,
  unavailableSignals: [],
  idempotencyKey: 'pay-1',
}
const answer = (decision: VerifyResponse['decision']): VerifyResult =>
  ({ decision, score: 0.9, request_id: 'SVC-1' }) as VerifyResponse

/** Compiles only while all four are handled: there is no default to fall into. */
function handled(result: VerifyResult): string {
  switch (result.decision) {
    case 'GO':
      return `pay at ${result.score}`
    case 'DEGRADED':
      return 'review'
    case 'NO-GO':
      return 'block'
    case 'HOLD':
      return `ask again in ${result.retryAfterSeconds} s`
  }
}

test('a hold must be ruled out before anything of a decision can be read', () => {
  const result = answer('GO')
  // @ts-expect-error a hold has no score
  assert.equal(result.score, 0.9)
  // @ts-expect-error a hold has no request_id
  assert.equal(result.request_id, 'SVC-1')
  if (result.decision !== 'HOLD') assert.equal(result.score, 0.9)
  if (allows(result)) assert.equal(result.score, 0.9)
})

test('a switch over the four outcomes is whole, and lacks something without HOLD', () => {
  assert.deepEqual([answer('GO'), answer('DEGRADED'), answer('NO-GO'), hold].map(handled), [
    'pay at 0.9',
    'review',
    'block',
    'ask again in 120 s',
  ])
  // @ts-expect-error not every outcome returns
  function unhandled(result: VerifyResult): string {
    switch (result.decision) {
      case 'GO':
      case 'DEGRADED':
      case 'NO-GO':
        return 'decided'
    }
  }
  assert.equal(unhandled(hold), undefined)
})

test('allows is true for GO alone', () => {
  for (const decision of ['DEGRADED', 'NO-GO'] as const) {
    assert.equal(allows(answer(decision)), false)
    assert.equal(allows(decision), false)
  }
  assert.equal(allows(answer('GO')), true)
  assert.equal(allows('GO'), true)
  assert.equal(allows(hold), false)
  assert.equal(allows('HOLD'), false)
  for (const odd of ['go', 'GO ', '', 'ALLOW', true, 1]) assert.equal(allows(odd as 'GO'), false)
})

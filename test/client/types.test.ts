/** What the types of the client force on its callers. The compiler is the test: each line marked must not compile. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allows,
  type Decided,
  type Hold,
  type VerifyRequest,
  type VerifyResponse,
  type VerifyResult,
} from '../../client/src/index.ts'

const hold: Hold = {
  held: true,
  message: 'Not now.',
  code: null,
  requestId: null,
  retryAfterSeconds: 120,
  unavailableSignals: [],
  signalsWithoutFeed: [],
  idempotencyKey: 'pay-1',
}
const answer = (decision: VerifyResponse['decision']): VerifyResult =>
  ({ held: false, decision, score: 0.9, request_id: 'SVC-1' }) as Decided

/** Compiles only in this order: the hold first, and then each decision. */
function handled(result: VerifyResult): string {
  if (result.held) return `ask again in ${result.retryAfterSeconds} s`
  switch (result.decision) {
    case 'GO':
      return `pay at ${result.score}`
    case 'DEGRADED':
      return 'review'
    case 'NO-GO':
      return 'block'
  }
}

test('a hold must be ruled out before anything of a decision can be read, even that it is no NO-GO', () => {
  assert.deepEqual([answer('GO'), answer('DEGRADED'), answer('NO-GO'), hold].map(handled), [
    'pay at 0.9',
    'review',
    'block',
    'ask again in 120 s',
  ])
  const result = answer('GO')
  // @ts-expect-error a hold has no decision: whoever blocks a NO-GO and pays the rest would pay a hold
  assert.notEqual(result.decision, 'NO-GO')
  // @ts-expect-error nor one that could be taken out of it
  const { decision } = result
  assert.equal(decision, 'GO')
  // @ts-expect-error a hold has no score
  assert.equal(result.score, 0.9)
  // @ts-expect-error a hold has no request_id
  assert.equal(result.request_id, 'SVC-1')
  if (!result.held) assert.equal(result.score, 0.9)
  if (allows(result)) assert.equal(result.score, 0.9)
})

test('a misspelt amount does not compile', () => {
  // @ts-expect-error the member is amount
  const payment: VerifyRequest = { corridor: 'GB-NG', ammount: 600_000 }
  assert.equal(payment.amount, undefined)
})

test('allows is true for GO alone', () => {
  for (const decision of ['DEGRADED', 'NO-GO'] as const) {
    assert.equal(allows(answer(decision)), false)
    assert.equal(allows(decision), false)
  }
  assert.equal(allows(answer('GO')), true)
  assert.equal(allows('GO'), true)
  assert.equal(allows(hold), false)
  for (const odd of ['go', 'GO ', '', 'ALLOW', true, 1]) assert.equal(allows(odd as 'GO'), false)
  assert.equal(allows({ ...hold, decision: 'GO' } as Hold), false, 'a hold, whatever else it says')
})

/** What a verify can end in: a decision, or the order to hold. */

import type { Decision, ErrorCode, SignalName, VerifyResponse } from './types.ts'

/** The service could not decide (503). Nothing was recorded, and the payment must wait: this is never an allow. */
export interface Hold {
  readonly decision: 'HOLD'
  /** Why, for people. */
  readonly message: string
  /** Null where something between us answered. */
  readonly code: ErrorCode | null
  readonly requestId: string | null
  /** Ask again after so many seconds. */
  readonly retryAfterSeconds: number
  readonly unavailableSignals: readonly SignalName[]
  /** Ask again with this key and the same body, and nothing is decided twice. */
  readonly idempotencyKey: string
}

/** Nothing but `decision` can be read before `HOLD` is ruled out: the compiler sees to it. */
export type VerifyResult = VerifyResponse | Hold

/** An answer that allows the payment. */
export type Allowed = VerifyResponse & { readonly decision: 'GO' }

/** True for `GO` alone: not for `DEGRADED`, not for a hold, not for a word that is new to this version. */
export function allows(result: VerifyResult): result is Allowed
export function allows(decision: Decision | 'HOLD'): decision is 'GO'
export function allows(given: VerifyResult | Decision | 'HOLD'): boolean {
  return (typeof given === 'string' ? given : given.decision) === 'GO'
}

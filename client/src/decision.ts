/** The result of a verify call: a decision or a hold. */

import type { UnavailableError } from './errors.ts'
import { jsonOf, unexpected, type Answer } from './transport.ts'
import type { Decision, ErrorCode, SignalName, VerifyResponse } from './types.ts'

/**
 * The service could not decide (503), so the payment must wait. A hold is never an allow: it has no `decision`, so it
 * cannot be mistaken for one.
 */
export interface Hold {
  readonly held: true
  /** The reason, for humans. */
  readonly message: string
  /** Null if a proxy answered instead of Fairway. */
  readonly code: ErrorCode | null
  readonly requestId: string | null
  /** Seconds to wait before the next attempt. */
  readonly retryAfterSeconds: number
  readonly unavailableSignals: readonly SignalName[]
  /** Those of them for which no feed is set up: waiting does not help. */
  readonly signalsWithoutFeed: readonly SignalName[]
  /** Retry with this key and the same body, so that nothing is decided twice. */
  readonly idempotencyKey: string
}

/** A verify response that contains a decision. */
export type Decided = VerifyResponse & { readonly held: false }

/** The compiler requires a check of `held` before any member of a decision, even `NO-GO`, can be read. */
export type VerifyResult = Decided | Hold

/** A response that allows the payment. */
export type Allowed = Decided & { readonly decision: 'GO' }

/** True for `GO` only: not for `DEGRADED`, a hold, or a decision unknown to this version. */
export function allows(result: VerifyResult): result is Allowed
export function allows(decision: Decision): decision is 'GO'
export function allows(value: VerifyResult | Decision): boolean {
  if (typeof value === 'string') return value === 'GO'
  return !value.held && value.decision === 'GO'
}

/** Used for a 503 without `Retry-After`; the service sends the same value. */
const holdSeconds = 120

const decisions: ReadonlySet<unknown> = new Set<Decision>(['GO', 'DEGRADED', 'NO-GO'])

/** Throws if the response contains no valid decision. */
export function decided(answer: Answer): Decided {
  const body = jsonOf<VerifyResponse>(answer)
  if (decisions.has(body.decision)) return { ...body, held: false }
  throw unexpected('The response has no decision. Check that the URL is that of a Fairway service.', answer)
}

export function holdOf(error: UnavailableError, idempotencyKey: string): Hold {
  const { message, code, requestId, retryAfterSeconds, unavailableSignals, signalsWithoutFeed } = error
  return {
    held: true,
    message,
    code,
    requestId,
    retryAfterSeconds: retryAfterSeconds ?? holdSeconds,
    unavailableSignals,
    signalsWithoutFeed,
    idempotencyKey,
  }
}

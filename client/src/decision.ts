/** What a verify can end in: a decision, or the order to hold. */

import type { UnavailableError } from './errors.ts'
import { jsonOf, unexpected, type Answer } from './transport.ts'
import type { Decision, ErrorCode, SignalName, VerifyResponse } from './types.ts'

/**
 * The service could not decide (503), or could not tell us: the payment must wait, and this is never an allow. It has no
 * `decision`, so that nobody can mistake one for the other.
 */
export interface Hold {
  readonly held: true
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

/** The answer of a verify, and that it is one. */
export type Decided = VerifyResponse & { readonly held: false }

/** Nothing of a decision, not even whether it is a `NO-GO`, can be read before `held` is ruled out: the compiler sees to it. */
export type VerifyResult = Decided | Hold

/** An answer that allows the payment. */
export type Allowed = Decided & { readonly decision: 'GO' }

/** True for `GO` alone: not for `DEGRADED`, not for a hold, not for a word that is new to this version. */
export function allows(result: VerifyResult): result is Allowed
export function allows(decision: Decision): decision is 'GO'
export function allows(given: VerifyResult | Decision): boolean {
  if (typeof given === 'string') return given === 'GO'
  return !given.held && given.decision === 'GO'
}

/** What a 503 without `Retry-After` means: as long as the service says where it says something. */
const holdSeconds = 120

const decisions: ReadonlySet<unknown> = new Set<Decision>(['GO', 'DEGRADED', 'NO-GO'])

/** What is no decision never passes for one. */
export function decided(answer: Answer): Decided {
  const body = jsonOf<VerifyResponse>(answer)
  if (decisions.has(body.decision)) return { ...body, held: false }
  throw unexpected('The answer has no decision: is this the address of a Fairway?', answer)
}

export function holdOf(error: UnavailableError, idempotencyKey: string): Hold {
  const { message, code, requestId, retryAfterSeconds, unavailableSignals } = error
  return {
    held: true,
    message,
    code,
    requestId,
    retryAfterSeconds: retryAfterSeconds ?? holdSeconds,
    unavailableSignals,
    idempotencyKey,
  }
}

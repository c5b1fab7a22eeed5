/** An override as it is written: action, reason code and justification, with the rules that the server also checks. */

import type { InvalidRequestError, Override } from '@fairway/client'
import { errorOf } from '../problem.tsx'

export type Action = Override['action']

export const actions: Readonly<Record<Action, string>> = {
  EXECUTE: 'Send the payment despite the decision',
  HOLD: 'Hold the payment until further notice',
  REJECT: 'Do not send the payment',
}

export interface Draft {
  readonly action: Action | null
  readonly reason: string
  readonly justification: string
}

export type Faults = Readonly<Partial<Record<keyof Draft, string>>>

export const noDraft: Draft = { action: null, reason: '', justification: '' }

/** The API's maximum. */
export const textLengthMax = 2_000

export function faultsOf({ action, reason, justification }: Draft): Faults {
  return {
    ...(action === null && { action: 'Choose an action.' }),
    ...(!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(reason) && {
      reason: 'Enter a code in capitals, digits and underscores, such as COMPLIANCE_APPROVED.',
    }),
    ...(justification.trim() === '' && { justification: 'Enter a justification for the audit.' }),
  }
}

/** Faults that the server reported. */
export function serverFaults(error: InvalidRequestError): Faults {
  const [action, reason, justification] = ['/action', '/reason_code', '/justification'].map((path) =>
    errorOf(error, path),
  )
  return { ...(action && { action }), ...(reason && { reason }), ...(justification && { justification }) }
}

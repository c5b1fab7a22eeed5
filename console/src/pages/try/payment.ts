/** The payment to verify, in the URL, in the form and as an API request. */

import type { DemoVerifyRequest } from '@fairway/client'
import { amountIn } from '../../typed-amount.ts'

/** The form's values, as typed. */
export interface Typed {
  readonly corridor: string
  readonly amount: string
  readonly currency: string
}

/** A payment; the amount is optional. */
export type Payment = Pick<Typed, 'corridor' | 'currency'> & Pick<DemoVerifyRequest, 'amount'>

export const initial: Typed = { corridor: 'GB-NG', amount: '1000', currency: 'GBP' }

/** The payment in the URL; null if it has none. */
export function typedIn(search: string): Typed | null {
  const params = new URLSearchParams(search)
  if (!Object.keys(initial).some((name) => params.has(name))) return null
  const read = (name: keyof Typed): string => params.get(name) ?? initial[name]
  return { corridor: read('corridor'), amount: read('amount'), currency: read('currency') }
}

/** The query string with this payment; other parameters stay. */
export function searchWith(search: string, typed: Partial<Typed> & { readonly show?: string }): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(typed)) params.set(name, value)
  return `?${params.toString()}`
}

/** Checks only that the amount is a number; the server validates the rest. */
export function paymentOf({ corridor, amount: typed, currency }: Typed): Payment {
  const amount = amountIn(typed)
  return {
    corridor: corridor.trim(),
    ...(amount !== undefined && { amount }),
    currency: currency.trim(),
  }
}

/** Sets the demo's default amount explicitly, so that the page shows the amount of the decision. */
export const inDemo = (payment: Payment): Required<Payment> => ({
  ...payment,
  amount: payment.amount ?? Number(initial.amount),
})

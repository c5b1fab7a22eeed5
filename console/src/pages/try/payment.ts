/** The payment that is asked about: as it stands in the address and the form, and as the API takes it. */

import { InvalidRequestError, type DemoVerifyRequest } from '@fairway/client'

/** As it was typed. */
export interface Typed {
  readonly corridor: string
  readonly amount: string
  readonly currency: string
}

/** Without an amount where none was typed. */
export type Payment = Required<Pick<DemoVerifyRequest, 'corridor' | 'currency'>> &
  Pick<DemoVerifyRequest, 'amount'>

export const opening: Typed = { corridor: 'GB-NG', amount: '1000', currency: 'GBP' }

/** Null where the address carries none of it. */
export function typedIn(search: string): Typed | null {
  const params = new URLSearchParams(search)
  if (!Object.keys(opening).some((name) => params.has(name))) return null
  const read = (name: keyof Typed): string => params.get(name) ?? opening[name]
  return { corridor: read('corridor'), amount: read('amount'), currency: read('currency') }
}

/** The address with this payment, and with what else was in it. */
export function searchWith(search: string, typed: Partial<Typed> & { readonly show?: string }): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(typed)) params.set(name, value)
  return `?${params.toString()}`
}

/** What JSON can carry; all else about it is for the server to judge. */
export function paymentOf({ corridor, amount, currency }: Typed): Payment {
  const isGiven = amount.trim() !== ''
  if (isGiven && !/^\s*-?\d+(?:\.\d+)?\s*$/.test(amount)) {
    const message = 'must be a plain number without separators, like 1234.56'
    throw new InvalidRequestError(message, { errors: [{ path: '/amount', message }] })
  }
  return {
    corridor: corridor.trim(),
    ...(isGiven && { amount: Number(amount) }),
    currency: currency.trim(),
  }
}

/** The demo always has an amount: what it would take by itself is said, so that the page shows what was decided. */
export const inDemo = (payment: Payment): Required<Payment> => ({
  ...payment,
  amount: payment.amount ?? Number(opening.amount),
})

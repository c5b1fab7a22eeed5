/** The policy gate: caps on the amount, in units of the request's currency. */

import { parseCurrency, type Currency } from '../reference/currency.ts'

export interface Cap {
  /** Above this amount the verdict is floored at `DEGRADED`. */
  readonly reviewAbove: number
  /** Above this amount the verdict is `NO-GO`. */
  readonly blockAbove: number
}

export interface Policy {
  readonly standard: Cap
  /** Caps for single currencies; never looser than the standard one. */
  readonly stricter: ReadonlyMap<Currency, Cap>
}

export type Gate = 'none' | 'review' | 'block'

export const standardCap: Cap = { reviewAbove: 50_000, blockAbove: 500_000 }
export const standardPolicy: Policy = { standard: standardCap, stricter: new Map() }

/** Parses stricter caps: `NGN=20000/200000,USD=40000/400000`. */
export function parseCaps(text: string): ReadonlyMap<Currency, Cap> | null {
  const caps = new Map<Currency, Cap>()
  for (const part of text.split(',').filter((item) => item.trim() !== '')) {
    const [, code, review, block] = /^\s*([A-Z]{3})=(\d+)\/(\d+)\s*$/.exec(part) ?? []
    const currency = parseCurrency(code ?? '')
    const cap = { reviewAbove: Number(review), blockAbove: Number(block) }
    const stricter = cap.reviewAbove <= standardCap.reviewAbove && cap.blockAbove <= standardCap.blockAbove
    if (currency === null || !stricter || cap.reviewAbove > cap.blockAbove || caps.has(currency)) return null
    caps.set(currency, cap)
  }
  return caps
}

export function capFor(policy: Policy, currency: Currency): Cap {
  const own = policy.stricter.get(currency)
  if (own === undefined) return policy.standard
  return {
    reviewAbove: Math.min(own.reviewAbove, policy.standard.reviewAbove),
    blockAbove: Math.min(own.blockAbove, policy.standard.blockAbove),
  }
}

/** A partner without a maximum takes every amount, and every partner takes a payment without one. */
export function takesAmount(
  { amountMax }: { readonly amountMax: number | null },
  amount: number | null,
): boolean {
  return amount === null || amountMax === null || amount <= amountMax
}

/** A missing amount is above no cap. */
export function gateFor(amount: number | null, cap: Cap): Gate {
  if (amount === null) return 'none'
  if (amount > cap.blockAbove) return 'block'
  return amount > cap.reviewAbove ? 'review' : 'none'
}

/** ISO 4217 currencies: parsed once at the edge, branded from there on. */

import { currencyCodes } from './data/currencies.ts'

export type Currency = string & { readonly brand: 'Currency' }

/** What a caller is told who sends anything else. */
export const currencyRule = 'must be an ISO 4217 code, like GBP'

const known: ReadonlySet<string> = new Set(currencyCodes)

export function parseCurrency(text: string): Currency | null {
  return known.has(text) ? (text as Currency) : null
}

/** What a request without a currency means. */
export const defaultCurrency = 'GBP' as Currency

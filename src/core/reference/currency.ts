/** ISO 4217 currencies, parsed once at the edge into a branded type. */

import { currencyCodes, currencyDecimals } from './data/currencies.ts'

export type Currency = string & { readonly brand: 'Currency' }

/** The error message for any other value. */
export const currencyRule = 'must be an ISO 4217 code, like GBP'

const codes: ReadonlySet<string> = new Set(currencyCodes)

/** In any case. Letters of ASCII only: others can become one of them in upper case. */
export function parseCurrency(text: string): Currency | null {
  const code = /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : ''
  return codes.has(code) ? (code as Currency) : null
}

/** The currency of a request that names none. */
export const defaultCurrency = 'GBP' as Currency

/** The decimals of an amount by ISO 4217. */
export function decimalsOf(currency: Currency): number {
  return currencyDecimals[currency] ?? 2
}

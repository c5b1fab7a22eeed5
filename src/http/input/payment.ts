/** Corridor and currency of a request: read by one rule, with the path of what is wrong. */

import {
  corridorRule,
  parseCorridor,
  parseCountryCode,
  type Corridor,
} from '../../core/reference/corridor.ts'
import { currencyRule, defaultCurrency, parseCurrency, type Currency } from '../../core/reference/currency.ts'
import type { FieldError } from '../errors.ts'

export function readCorridor(text: string, path: string, errors: FieldError[]): Corridor | null {
  const corridor = parseCorridor(text)
  if (corridor === null) errors.push({ path, message: corridorRule })
  return corridor
}

export function readCurrency(text: string | undefined, path: string, errors: FieldError[]): Currency | null {
  const currency = text === undefined ? defaultCurrency : parseCurrency(text)
  if (currency === null) errors.push({ path, message: currencyRule })
  return currency
}

export interface Payment {
  readonly corridor: Corridor
  /** Null: none was given, which is not zero. */
  readonly amount: number | null
  readonly currency: Currency
}

/** The payment of a body that has these three; null where one cannot be read. */
export function readPayment(
  body: { readonly corridor: string; readonly amount?: number; readonly currency?: string },
  errors: FieldError[],
): Payment | null {
  const corridor = readCorridor(body.corridor, '/corridor', errors)
  const currency = readCurrency(body.currency, '/currency', errors)
  return corridor === null || currency === null ? null : { corridor, amount: body.amount ?? null, currency }
}

export interface Route {
  readonly corridor?: string
  readonly sender_country?: string
  readonly destination_country?: string
}

/** A corridor, its two countries, or all three if they say the same; the given one where there is none. */
export function readRoute(
  route: Route,
  fallback: Corridor,
  base: string,
  errors: FieldError[],
): Corridor | null {
  const named = route.corridor === undefined ? null : readCorridor(route.corridor, `${base}/corridor`, errors)
  const ends = (['sender_country', 'destination_country'] as const).map((member) => {
    const text = route[member]
    const code = text === undefined ? null : parseCountryCode(text)
    if (text !== undefined && code === null) {
      errors.push({ path: `${base}/${member}`, message: 'must be an ISO 3166-1 alpha-2 code, like GB' })
    }
    return { member, given: text !== undefined, code }
  })
  if (errors.length > 0) return null
  if (ends.every(({ given }) => !given)) return named ?? fallback
  if (named === null) {
    for (const { member, given } of ends) {
      if (!given) errors.push({ path: `${base}/${member}`, message: 'is required beside the other country' })
    }
    return errors.length > 0 ? null : parseCorridor(ends.map(({ code }) => code).join('-'))
  }
  for (const [place, { member, code }] of ends.entries()) {
    if (code !== null && code !== named.split('-')[place]) {
      errors.push({ path: `${base}/${member}`, message: `differs from the corridor ${named}` })
    }
  }
  return errors.length > 0 ? null : named
}

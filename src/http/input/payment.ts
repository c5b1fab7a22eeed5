/** Parses the corridor and currency of a request, and reports the path of each error. */

import {
  corridorRule,
  parseCorridor,
  parseCountryCode,
  unassignedCountries,
  type Corridor,
} from '../../core/reference/corridor.ts'
import { currencyRule, defaultCurrency, parseCurrency, type Currency } from '../../core/reference/currency.ts'
import type { FieldError } from '../errors.ts'
import { addWarning } from './validator.ts'

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

/** Two letters that name no country are well-formed, but most likely a misspelling. The paths are those of the countries. */
export function warnOfCountries(body: object, corridor: Corridor, from = '/corridor', to = from): void {
  const unassigned = Map.groupBy(unassignedCountries(corridor), (code) =>
    corridor.startsWith(code) ? from : to,
  )
  for (const [path, codes] of unassigned) {
    const message = `ISO 3166 has not assigned the country code ${codes.join(' or ')}.`
    addWarning(body, { code: 'UNKNOWN_COUNTRY', message, path })
  }
}

export interface Payment {
  readonly corridor: Corridor
  /** Null if missing, which is not zero. */
  readonly amount: number | null
  readonly currency: Currency
}

/** The payment in a body; null if a member is invalid. */
export function readPayment(
  body: { readonly corridor: string; readonly amount?: number; readonly currency?: string },
  errors: FieldError[],
): Payment | null {
  const corridor = readCorridor(body.corridor, '/corridor', errors)
  const currency = readCurrency(body.currency, '/currency', errors)
  if (corridor !== null) warnOfCountries(body, corridor)
  return corridor === null || currency === null ? null : { corridor, amount: body.amount ?? null, currency }
}

export interface Route {
  readonly corridor?: string
  readonly sender_country?: string
  readonly destination_country?: string
}

/** Reads a corridor, two countries, or all three if they agree; returns `fallback` if none is given. */
export function readRoute(
  route: Route,
  fallback: Corridor,
  base: string,
  errors: FieldError[],
): Corridor | null {
  const stated =
    route.corridor === undefined ? null : readCorridor(route.corridor, `${base}/corridor`, errors)
  const ends = (['sender_country', 'destination_country'] as const).map((member) => {
    const text = route[member]
    const code = text === undefined ? null : parseCountryCode(text)
    if (text !== undefined && code === null) {
      errors.push({ path: `${base}/${member}`, message: 'must be an ISO 3166-1 alpha-2 code, like GB' })
    }
    return { member, isPresent: text !== undefined, code }
  })
  if (errors.length > 0) return null
  if (ends.every(({ isPresent }) => !isPresent)) return stated ?? fallback
  if (stated === null) {
    for (const { member, isPresent } of ends) {
      if (!isPresent)
        errors.push({ path: `${base}/${member}`, message: 'is required with the other country' })
    }
    return errors.length > 0 ? null : parseCorridor(ends.map(({ code }) => code).join('-'))
  }
  for (const [index, { member, code }] of ends.entries()) {
    if (code !== null && code !== stated.split('-')[index]) {
      errors.push({ path: `${base}/${member}`, message: `must match the corridor ${stated}` })
    }
  }
  return errors.length > 0 ? null : stated
}

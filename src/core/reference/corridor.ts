/** Parses corridors from any accepted spelling to the canonical `GB-NG`; their support and currencies. */

import { countryRows } from './data/countries.ts'
import type { Currency } from './currency.ts'

export type Corridor = string & { readonly brand: 'Corridor' }

export const supportedCorridors = ['GB-NG', 'NG-GB'] as readonly string[] as readonly Corridor[]

/** The longest accepted spelling; longer than any pair of country names. */
export const corridorLengthMax = 128

/** The error message for any other value. */
export const corridorRule = 'must name two countries as FROM-TO, like GB-NG or United Kingdom-Nigeria'

/** A name shared by two countries maps to null. */
const codeByName = new Map<string, string | null>()
const currencyByCode = new Map<string, Currency | null>()

for (const [alpha2, alpha3, currency, ...names] of countryRows) {
  currencyByCode.set(alpha2, currency as Currency | null)
  for (const name of [alpha3, ...names]) {
    const key = nameKey(name)
    codeByName.set(key, (codeByName.get(key) ?? alpha2) === alpha2 ? alpha2 : null)
  }
}

/** The characters of country names. Others are refused before normalisation, which can expand one to twenty. */
const nameLetters = /^[\p{Script=Latin}\p{M}\p{Zs}.,'\u2019()&_-]+$/u
/** More than the two longest names have when their words are joined by hyphens. */
const hyphensMax = 16

/** Folds case, accents and word separators, so that spellings of one name are equal. */
function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('\u2019', "'")
    .replaceAll(/[-_ ]+/g, ' ')
    .toLowerCase()
}

/** Two letters, with `UK` for `GB`; null for anything else. */
export function parseCountryCode(text: string): string | null {
  if (!/^[A-Za-z]{2}$/.test(text)) return null
  const code = text.toUpperCase()
  return code === 'UK' ? 'GB' : code
}

function countryCode(text: string): string | null {
  return parseCountryCode(text) ?? codeByName.get(nameKey(text)) ?? null
}

/**
 * The canonical corridor, or null if the text is not a corridor. A country's name may contain a hyphen (Guinea-Bissau),
 * so every hyphen is tried as the separator.
 */
export function parseCorridor(text: string): Corridor | null {
  if (supportedCorridors.includes(text as Corridor)) return text as Corridor
  if (text.length > corridorLengthMax) return null
  const trimmed = text.trim()
  if (!nameLetters.test(trimmed)) return null
  const hyphens = trimmed.split('-').length - 1
  if (hyphens > hyphensMax) return null
  for (let at = trimmed.indexOf('-'); at >= 0; at = trimmed.indexOf('-', at + 1)) {
    const from = countryCode(trimmed.slice(0, at))
    const to = from === null ? null : countryCode(trimmed.slice(at + 1))
    if (to !== null) return `${from}-${to}` as Corridor
  }
  return null
}

export function isSupported(corridor: Corridor): boolean {
  return supportedCorridors.includes(corridor)
}

/** The codes of a corridor that name no country, each once. */
export function unassignedCountries(corridor: Corridor): string[] {
  const codes = new Set([corridor.slice(0, 2), corridor.slice(3)])
  return [...codes].filter((code) => !currencyByCode.has(code))
}

/** The currency of the destination; null if its code is not a country. */
export function settlementCurrency(corridor: Corridor): Currency | null {
  return currencyByCode.get(corridor.slice(3)) ?? null
}

/** The currencies of both countries; null for a code that is not a country. */
export function corridorCurrencies(corridor: Corridor): [Currency | null, Currency | null] {
  return [currencyByCode.get(corridor.slice(0, 2)) ?? null, settlementCurrency(corridor)]
}

/** A corridor accepts the currencies of its two countries. */
export function acceptsCurrency(corridor: Corridor, currency: Currency): boolean {
  return currency === settlementCurrency(corridor) || currency === currencyByCode.get(corridor.slice(0, 2))
}

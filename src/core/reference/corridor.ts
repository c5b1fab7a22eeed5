/** Corridors: from any accepted spelling to the canonical `GB-NG`, and what is known of each. */

import { countryRows } from './data/countries.ts'
import type { Currency } from './currency.ts'

export type Corridor = string & { readonly brand: 'Corridor' }

export const supportedCorridors = ['GB-NG', 'NG-GB'] as readonly string[] as readonly Corridor[]

/** The longest accepted spelling; longer than any pair of country names. */
export const corridorLengthMax = 128

/** What a caller is told who sends anything else. */
export const corridorRule = 'must name two countries as FROM-TO, like GB-NG or United Kingdom-Nigeria'

/** A name that two countries share names neither. */
const codeByName = new Map<string, string | null>()
const currencyByCode = new Map<string, Currency | null>()

for (const [alpha2, alpha3, currency, ...names] of countryRows) {
  currencyByCode.set(alpha2, currency as Currency | null)
  for (const name of [alpha3, ...names]) {
    const key = nameKey(name)
    codeByName.set(key, (codeByName.get(key) ?? alpha2) === alpha2 ? alpha2 : null)
  }
}

/** What country names are written in. Anything else is refused before it costs: some letters unfold to twenty. */
const nameLetters = /^[\p{Script=Latin}\p{M}\p{Zs}.,'\u2019()&_-]+$/u
/** As many as the two longest names have when their words are joined by hyphens, and some. */
const hyphensMax = 16

/** Folds case, accents, and what stands between words, so that spellings of one name meet. */
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
 * The canonical corridor, or null where the text is none. A country's name may hold a hyphen (Guinea-Bissau), so
 * every hyphen is tried as the one that parts the two countries.
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

/** The currency in which the destination is paid, or null where the destination is no country. */
export function settlementCurrency(corridor: Corridor): Currency | null {
  return currencyByCode.get(corridor.slice(3)) ?? null
}

/** The currencies of its two ends; null for what is no country. */
export function corridorCurrencies(corridor: Corridor): [Currency | null, Currency | null] {
  return [currencyByCode.get(corridor.slice(0, 2)) ?? null, settlementCurrency(corridor)]
}

/** A corridor takes the currencies of its two ends. */
export function takesCurrency(corridor: Corridor, currency: Currency): boolean {
  return currency === settlementCurrency(corridor) || currency === currencyByCode.get(corridor.slice(0, 2))
}

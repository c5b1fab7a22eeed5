/** Corridors: from any accepted spelling to the canonical `GB-NG`, and what is known of each. */

import { countryRows } from './data/countries.ts'
import type { Currency } from './currency.ts'

export type Corridor = string & { readonly brand: 'Corridor' }

export const supportedCorridors = ['GB-NG', 'NG-GB'] as readonly string[] as readonly Corridor[]

/** The longest accepted spelling; longer than any pair of country names. */
export const corridorLengthMax = 128

const codeByName = new Map<string, string>()
const currencyByCode = new Map<string, Currency | null>()

for (const [alpha2, alpha3, currency, ...names] of countryRows) {
  currencyByCode.set(alpha2, currency as Currency | null)
  for (const name of [alpha3, ...names]) codeByName.set(nameKey(name), alpha2)
}

/** Folds case, accents, underscores and punctuation, so that spellings of one name meet. */
function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
}

function countryCode(text: string): string | null {
  const trimmed = text.trim()
  if (/^[A-Za-z]{2}$/.test(trimmed)) {
    const code = trimmed.toUpperCase()
    return code === 'UK' ? 'GB' : code
  }
  if (!/^[\p{L}\p{M}_ .,'’()&-]+$/u.test(trimmed)) return null
  return codeByName.get(nameKey(trimmed)) ?? null
}

/**
 * The canonical corridor, or null where the text is none. A country's name may hold a hyphen (Guinea-Bissau), so
 * every hyphen is tried as the one that parts the two countries.
 */
export function parseCorridor(text: string): Corridor | null {
  if (/^[A-Z]{2}-[A-Z]{2}$/.test(text) && !text.includes('UK')) return text as Corridor
  if (text.length > corridorLengthMax) return null
  for (let at = text.indexOf('-'); at >= 0; at = text.indexOf('-', at + 1)) {
    const from = countryCode(text.slice(0, at))
    const to = countryCode(text.slice(at + 1))
    if (from !== null && to !== null) return `${from}-${to}` as Corridor
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

/** A corridor takes the currencies of its two ends. */
export function takesCurrency(corridor: Corridor, currency: Currency): boolean {
  return currency === settlementCurrency(corridor) || currency === currencyByCode.get(corridor.slice(0, 2))
}

/** Formats lists, counts and amounts for sentences. */

import { currencyDecimals } from '../reference/data/currencies.ts'

/** `a, b and c`. */
export function joinList(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** `1 row`, `1,234 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${withThousands(count)} ${count === 1 ? one : many}`
}

/** `1,234.50 GBP`, `1,234 JPY`: with the decimals of the currency, and with any that an amount has beyond these. */
export function moneyText(amount: number, currency: string): string {
  return `${withThousands(amount, currencyDecimals[currency] ?? 2)} ${currency}`
}

/** `1,234.50`: groups the integer part by thousands. */
export function withThousands(amount: number, decimals = Number.isInteger(amount) ? 0 : 2): string {
  const fixed = amount.toFixed(decimals)
  const text = Math.abs(amount) < 1e21 && Number(fixed) === amount ? fixed : withoutExponent(amount)
  return text.replace(/^\d+(?=\.|$)/, (digits) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ','))
}

/** Created on first use: creating it would slow the start of every command, and few need it. */
let plainFormat: Intl.NumberFormat | null = null

function withoutExponent(amount: number): string {
  const text = String(amount)
  if (!text.includes('e')) return text
  plainFormat ??= new Intl.NumberFormat('en-GB', { useGrouping: false, maximumFractionDigits: 20 })
  return plainFormat.format(amount)
}

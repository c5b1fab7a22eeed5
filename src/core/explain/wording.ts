/** Formats lists, counts and amounts for sentences. */

/** `a, b and c`. */
export function joinList(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** `1 row`, `1,234 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${withThousands(count)} ${count === 1 ? one : many}`
}

/** `1,234.50 GBP`. */
export function moneyText(amount: number, currency: string): string {
  return `${withThousands(amount)} ${currency}`
}

/** `1,234.50`: groups the integer part by thousands, and writes cents with two digits. */
export function withThousands(amount: number): string {
  const isInteger = Number.isInteger(amount)
  const text =
    !isInteger && Number(amount.toFixed(2)) === amount ? amount.toFixed(2) : withoutExponent(amount)
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

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB']

/** `1.2 GB`, in units of a thousand. */
export function bytesText(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${byteUnits[power] ?? 'B'}`
}

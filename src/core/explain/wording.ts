/** Lists and numbers as sentences have them. */

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

/** `1,234.50`: only what stands before the point is parted; cents are whole. */
export function withThousands(amount: number): string {
  const isWhole = Number.isInteger(amount)
  const text = !isWhole && Number(amount.toFixed(2)) === amount ? amount.toFixed(2) : plainly(amount)
  return text.replace(/^\d+(?=\.|$)/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','))
}

/** Made when the first such number comes: it takes longer than the start of most commands may, and few ever see one. */
let withoutExponent: Intl.NumberFormat | null = null

function plainly(amount: number): string {
  const text = String(amount)
  if (!text.includes('e')) return text
  withoutExponent ??= new Intl.NumberFormat('en-GB', { useGrouping: false, maximumFractionDigits: 20 })
  return withoutExponent.format(amount)
}

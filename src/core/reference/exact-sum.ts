/** Sums amounts without rounding errors: each amount counts as the decimal that its caller wrote. */

/** A sum in progress: for each number of decimal places, the sum of the amounts that have so many. */
export type ExactSum = Map<number, bigint>

export function addAmount(sum: ExactSum, amount: number): void {
  const [mantissa = '', exponent = '0'] = String(amount).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  // 1e+21 has fewer than no decimal places.
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -places))
  const scale = Math.max(0, places)
  sum.set(scale, (sum.get(scale) ?? 0n) + digits)
}

/** Rounded once, to the nearest number. */
export function amountOf(sum: ExactSum): number {
  const places = Math.max(0, ...sum.keys())
  let total = 0n
  for (const [scale, digits] of sum) total += digits * 10n ** BigInt(places - scale)
  return Number(`${total}e-${places}`)
}

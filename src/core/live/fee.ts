/** A partner's fee for a payment, in whole minor units of its currency: the shown fee is the one that decides. */

import { decimalsOf, type Currency } from '../reference/currency.ts'

export interface FeeRule {
  /** At most `feeDecimalsMax` decimals, like `percent`. */
  readonly fixed: number
  readonly percent: number
  readonly currency: Currency
}

export interface Fee {
  readonly minorUnits: bigint
  readonly currency: Currency
}

export const feeDecimalsMax = 4

/** `fixed` and `percent` are integers in this unit. */
const unit = 10 ** feeDecimalsMax

/** Whether a number of the file is exact in the unit of fees. */
export function isFeeNumber(value: number): boolean {
  return Number((Math.round(value * unit) / unit).toFixed(feeDecimalsMax)) === value
}

/**
 * Rounded half up to a minor unit. Null if it is not known: the fee is in another currency than the payment, or depends
 * on an amount that was not given.
 */
export function feeFor(rule: FeeRule | null, amount: number | null, currency: Currency): Fee | null {
  if (rule === null || rule.currency !== currency) return null
  const fixed = BigInt(Math.round(rule.fixed * unit))
  const percent = BigInt(Math.round(rule.percent * unit))
  if (amount === null && percent > 0n) return null
  const { digits, decimals } = exactly(amount ?? 0)
  // Both in units of 10^-(decimals + 6): a percentage has two decimals more than its number.
  const places = decimals + feeDecimalsMax + 2
  const exact = fixed * 10n ** BigInt(places - feeDecimalsMax) + digits * percent
  const scaled = exact * 10n ** BigInt(decimalsOf(currency))
  const one = 10n ** BigInt(places)
  return { minorUnits: (2n * scaled + one) / (2n * one), currency }
}

/** The published form: a number in units of the currency. */
export function feeAmount({ minorUnits, currency }: Fee): number {
  return Number(minorUnits) / 10 ** decimalsOf(currency)
}

/** The decimal number that is shown for a double, as digits and a number of decimals. */
function exactly(amount: number): { digits: bigint; decimals: number } {
  const [mantissa = '0', exponent = '0'] = String(amount).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return decimals >= 0 ? { digits, decimals } : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 }
}

/** A failure rate with its interval. */

export interface Counts {
  records: number
  failures: number
}

export interface Rate extends Readonly<Counts> {
  /** Null below `recordsMin` records, like the interval: so few say nothing. */
  readonly rate: number | null
  readonly low: number | null
  readonly high: number | null
}

export const recordsMin = 20

/** The 97.5% quantile of the normal distribution: 2.5% lie above the interval, and 2.5% below. */
const z = 1.959963984540054

/** The rate, with the Wilson score interval of 95%. */
export function rateOf({ records, failures }: Readonly<Counts>): Rate {
  if (records < recordsMin) return { records, failures, rate: null, low: null, high: null }
  const rate = failures / records
  const scale = 1 + (z * z) / records
  const middle = (rate + (z * z) / (2 * records)) / scale
  const reach = (z / scale) * Math.sqrt((rate * (1 - rate)) / records + (z * z) / (4 * records * records))
  return {
    records,
    failures,
    rate,
    low: failures === 0 ? 0 : middle - reach,
    high: failures === records ? 1 : middle + reach,
  }
}

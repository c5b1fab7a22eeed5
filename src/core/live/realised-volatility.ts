/** Realised volatility of a daily exchange rate, annualised. */

export interface DailyRate {
  /** `2026-03-31` */
  readonly day: string
  readonly rate: number
}

/** The conventional number of trading days per year. */
const tradingDays = 252

export interface Realised {
  /** The standard deviation of daily log returns times the square root of trading days: 0.1 is 10% per year. */
  readonly volatility: number
  /** The number of returns used. */
  readonly returns: number
  /** The newest day. */
  readonly day: string
}

/** The fewest returns for a meaningful deviation. */
export const returnsMin = 5

/** Uses the newest `returnsMax` returns; null if there are too few. Rates must be in ascending order of days. */
export function realisedVolatility(rates: readonly DailyRate[], returnsMax: number): Realised | null {
  const newest = rates.slice(-(returnsMax + 1))
  const returns: number[] = []
  for (let index = 1; index < newest.length; index += 1) {
    returns.push(Math.log((newest[index]?.rate ?? 0) / (newest[index - 1]?.rate ?? 0)))
  }
  const last = newest.at(-1)
  if (last === undefined || returns.length < returnsMin) return null
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length
  const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const volatility = Math.sqrt(squares / (returns.length - 1)) * Math.sqrt(tradingDays)
  return { volatility, returns: returns.length, day: last.day }
}

/** The price of one currency in another on every day that has both, from rates per euro. */
export function crossRates(
  series: ReadonlyMap<string, readonly DailyRate[]>,
  [base, quote]: readonly [string, string],
): DailyRate[] {
  const inEuro = (currency: string): ReadonlyMap<string, number> =>
    new Map((series.get(currency) ?? []).map(({ day, rate }) => [day, rate]))
  const euro = 'EUR'
  const bases = inEuro(base)
  const quotes = inEuro(quote)
  const days = base === euro ? [...quotes.keys()] : [...bases.keys()]
  return days.toSorted().flatMap((day) => {
    const ofBase = base === euro ? 1 : bases.get(day)
    const ofQuote = quote === euro ? 1 : quotes.get(day)
    return ofBase === undefined || ofQuote === undefined ? [] : [{ day, rate: ofQuote / ofBase }]
  })
}

/** Realised volatility: how much a published daily rate has moved lately, as a yearly figure. */

export interface DailyRate {
  /** `2026-03-31` */
  readonly day: string
  readonly rate: number
}

/** Trading days of a year, as the field counts them. */
const tradingDays = 252

export interface Realised {
  /** The standard deviation of daily logarithmic returns, times the root of the trading days: 0.1 is ten percent a year. */
  readonly volatility: number
  /** Of how many returns it is made. */
  readonly returns: number
  /** The newest day. */
  readonly day: string
}

/** Fewer returns than this say nothing of a deviation. */
export const returnsMin = 5

/** Of the newest returns, up to so many; null where there are too few. Days come in order, the newest last. */
export function realisedVolatility(rates: readonly DailyRate[], returnsMax: number): Realised | null {
  const newest = rates.slice(-(returnsMax + 1))
  const returns: number[] = []
  for (let place = 1; place < newest.length; place += 1) {
    returns.push(Math.log((newest[place]?.rate ?? 0) / (newest[place - 1]?.rate ?? 0)))
  }
  const last = newest.at(-1)
  if (last === undefined || returns.length < returnsMin) return null
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length
  const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const volatility = Math.sqrt(squares / (returns.length - 1)) * Math.sqrt(tradingDays)
  return { volatility, returns: returns.length, day: last.day }
}

/** The price of one currency in another, on every day that has both; rates are those of one euro. */
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

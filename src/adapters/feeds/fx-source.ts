/** FX volatility from a published series of daily rates, in either of the two CSV forms in which the ECB gives them. */

import { parse } from 'csv-parse/sync'
import { parseCurrency } from '../../core/currency.ts'
import { corridorCurrencies } from '../../core/corridor.ts'
import { crossRates, realisedVolatility, returnsMin, type DailyRate } from '../../core/realised-volatility.ts'
import type { SignalQuery } from '../../app/ports.ts'
import { openProvider } from './client.ts'
import type { DeclaredFeed } from './file.ts'
import type { FxSeriesSpec } from './schema.ts'
import { breakerRule, FeedError, scaledValue, type Fetched, type Source } from './source.ts'
import { compileTemplate } from './template.ts'

const defaults = {
  /** Five days: over a long weekend nothing is published. */
  maxAgeS: 5 * 86_400,
  cacheMs: 3_600_000,
  bytesMax: 2_097_152,
  connections: 2,
  days: 20,
} as const

export function fxSource(feed: DeclaredFeed, spec: FxSeriesSpec): Source {
  const template = compileTemplate(spec.url)
  if (typeof template === 'string') throw new Error(template)
  const provider = openProvider({
    origin: template.origin,
    connections: spec.connections ?? defaults.connections,
    bytesMax: spec.max_bytes ?? defaults.bytesMax,
  })
  const days = spec.days ?? defaults.days
  const headers = { accept: 'text/csv', ...feed.headers }
  return {
    kind: 'fx-series',
    maxAgeMs: (spec.max_age_s ?? defaults.maxAgeS) * 1000,
    cacheMs: spec.cache_ms ?? defaults.cacheMs,
    breaker: breakerRule(spec.breaker),
    // A price and its inverse move alike.
    keyOf: (query) => pairOf(spec, query).toSorted().join('/'),
    async fetch(query, signal) {
      const path = template.render(query)
      const { body } = await provider.ask({ method: 'GET', path, headers, body: null }, signal)
      return readSeries(feed, ratesOf(body), pairOf(spec, query), days)
    },
    close: () => provider.close(),
  }
}

function pairOf(spec: FxSeriesSpec, { corridor }: SignalQuery): [string, string] {
  const [base, quote] = spec.pair?.split('/') ?? corridorCurrencies(corridor)
  return [base ?? '', quote ?? '']
}

type Series = ReadonlyMap<string, readonly DailyRate[]>

function readSeries(feed: DeclaredFeed, series: Series, pair: [string, string], days: number): Fetched {
  const realised = realisedVolatility(crossRates(series, pair), days)
  if (realised === null) {
    throw new FeedError('no_history', `has fewer than ${returnsMin + 1} days of ${pair.join('/')}`, false)
  }
  return {
    ...scaledValue(feed.signal, feed.map, Number(realised.volatility.toFixed(6))),
    // The day itself: when in it the rate was fixed, the series does not say.
    observedAtMs: Date.parse(`${realised.day}T00:00:00Z`),
    history: { have: realised.returns, need: days },
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const unreadable = (why: string): FeedError => new FeedError('unreadable', `answered with ${why}`, true)

/** Wide: a column a currency, a row a day. Long: a row for each, as the ECB's data service gives them. */
export function ratesOf(body: Uint8Array): Series {
  let rows: string[][]
  try {
    rows = parse(utf8.decode(body), {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    })
  } catch {
    throw unreadable('what is no CSV')
  }
  const [head = [], ...lines] = rows
  const series = new Map<string, DailyRate[]>()
  const add = (currency: string, day: string, text: string): void => {
    // Days without a rate are published as N/A.
    if (text === '' || text === 'N/A' || text === 'NaN') return
    const rate = Number(text)
    if (!isDay(day) || !(rate > 0 && Number.isFinite(rate))) throw unreadable('a rate that cannot be read')
    const rates = series.get(currency) ?? []
    rates.push({ day, rate })
    series.set(currency, rates)
  }
  const [day, currency, denominator, value] = ['TIME_PERIOD', 'CURRENCY', 'CURRENCY_DENOM', 'OBS_VALUE'].map(
    (name) => head.indexOf(name),
  )
  if (head[0] === 'Date') {
    for (const cells of lines) {
      for (const [place, name] of head.entries()) {
        // Each line of the file ends in a comma, and so in a column without a name.
        if (place > 0 && parseCurrency(name) !== null) add(name, cells[0] ?? '', cells[place] ?? '')
      }
    }
  } else if (
    day !== undefined &&
    day >= 0 &&
    currency !== undefined &&
    currency >= 0 &&
    value !== undefined &&
    value >= 0
  ) {
    for (const cells of lines) {
      const isInEuro = denominator === undefined || denominator < 0 || cells[denominator] === 'EUR'
      if (isInEuro) add(cells[currency] ?? '', cells[day] ?? '', cells[value] ?? '')
    }
  } else throw unreadable('columns that no rate series has')
  return series
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}

/** Source of FX volatility from a published series of daily rates. */

import { corridorCurrencies, type Corridor } from '../../core/reference/corridor.ts'
import type { World } from '../../core/live/world.ts'
import { crossRates, realisedVolatility, returnsMin } from '../../core/live/realised-volatility.ts'
import { openAddress, type Connections } from './client.ts'
import type { DeclaredFeed } from './feed-spec.ts'
import { ratesOf, type Series } from './rate-series.ts'
import type { FxSeriesSpec } from './schema.ts'
import { breakerRule, FeedError, scaledValue, type Fetched, type Source } from './source.ts'
import { dayMs, hourMs } from '../../core/time/durations.ts'

const defaults = {
  /** A week: around Easter and Christmas no rates are published for five days. */
  maxAgeS: 7 * 86_400,
  cacheMs: hourMs,
  /** The ECB's complete history has two million. */
  max_bytes: 4_194_304,
  connections: 2,
  days: 20,
} as const

export function fxSource(
  feed: DeclaredFeed,
  spec: FxSeriesSpec,
  { world, connections }: { readonly world: World; readonly connections: Connections },
): Source {
  const { template, provider } = openAddress(feed, { ...defaults, ...spec }, connections)
  const days = spec.days ?? defaults.days
  const headers = { accept: 'text/csv', ...feed.headers }
  return {
    kind: 'fx-series',
    maxAgeMs: (spec.max_age_s ?? defaults.maxAgeS) * 1000,
    // A rate has a date without a time, and the day starts earlier in other time zones.
    aheadMsMax: dayMs,
    cacheMs: spec.cache_ms ?? defaults.cacheMs,
    breaker: breakerRule(spec.breaker),
    isPerPartner: false,
    isProbed: true,
    // A rate and its inverse have the same volatility.
    keyOf: ({ corridor }) => pairOf(spec, corridor, world).toSorted().join('/'),
    async fetch(query, signal) {
      const path = template.render(query)
      const { body } = await provider.send({ method: 'GET', path, headers, body: null }, signal)
      const pair = pairOf(spec, query.corridor, world)
      return readSeries(feed, ratesOf(body, pair), pair, days)
    },
  }
}

/** Unless the file names a pair: from the currency of the origin to the one that is paid out. */
function pairOf(spec: FxSeriesSpec, corridor: Corridor, world: World): [string, string] {
  const [base, quote] = spec.pair?.split('/') ?? [
    corridorCurrencies(corridor)[0],
    world.corridors.get(corridor)?.settlementCurrency,
  ]
  return [base ?? '', quote ?? '']
}

function readSeries(feed: DeclaredFeed, series: Series, pair: [string, string], days: number): Fetched {
  const realised = realisedVolatility(crossRates(series, pair), days)
  if (realised === null) {
    throw new FeedError('no_history', `has fewer than ${returnsMin + 1} days of ${pair.join('/')}`, 'answer')
  }
  return {
    ...scaledValue(feed.signal, feed.map, Number(realised.volatility.toFixed(6))),
    // Midnight: the series does not contain the time of day.
    observedAtMs: Date.parse(`${realised.day}T00:00:00Z`),
    history: { have: realised.returns, need: days },
  }
}

/** A declared world on a test provider: a corridor with two partners, one with a calendar, one without either. */

import { feedsAt, httpFeed, providerBody, text, calm, type Answering, type FeedsSpec } from './provider.ts'
import type { SignalName } from '../../../src/core/decision/signals.ts'

/** On the path of a signal, or of a partner's own: `/network_healthy/alpha`. */
const own = (origin: string, signal: SignalName) => ({
  [signal]: httpFeed(origin, signal, {
    url: `${origin}/${signal}/{partner}?corridor={corridor}&amount={amount}`,
  }),
})

export const lagos = {
  time_zone: 'Africa/Lagos',
  weekdays: [1, 2, 3, 4, 5],
  windows: [{ opens: '08:00', cut_off: '16:00' }],
  holidays: ['2023-10-02', '2024-04-09', '2024-09-16'],
  valid_through: '2026-12-31',
  source: 'notices of the ministry',
}

export function worldAt(origin: string, more: Partial<FeedsSpec> = {}): FeedsSpec {
  const signals = own(origin, 'network_healthy')
  return {
    ...feedsAt(origin),
    corridors: {
      'GB-KE': { settlement_currency: 'KES', currencies: ['GBP', 'KES'], partners: ['beta', 'alpha'] },
      'GB-NG': { calendar: 'lagos' },
      'US-MX': { settlement_currency: 'USD', currencies: ['USD'] },
    },
    partners: {
      alpha: {
        name: 'Alpha Remit',
        signals,
        fees: { 'GB-KE': { fixed: 1.5, percent: 0.4, currency: 'GBP' } },
        amount_max: { 'GB-KE': 20_000 },
      },
      beta: { signals, fees: { 'GB-KE': { fixed: 0.3, percent: 0.4, currency: 'GBP' } } },
    },
    calendars: { lagos },
    ...more,
  }
}

/** Healthy values, with these risk values for the network of partners. */
export const networks =
  (risks: Readonly<Record<string, number>> = {}): Answering =>
  ({ signal, partner }) =>
    text(providerBody(risks[partner ?? ''] ?? calm[signal as SignalName]))

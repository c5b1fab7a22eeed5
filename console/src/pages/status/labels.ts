/** Labels of the status page: readiness items with their purpose, followers, feed kinds and phases. */

import type { CipStatus, SignalStatus } from '@fairway/client'

export const items: Readonly<Record<string, readonly [name: string, why: string]>> = {
  store_reachable: ['Store', 'Decisions are recorded here; without it none is made.'],
  migrations_current: ['Database schema', 'The database schema matches this version of Fairway.'],
  durable_commits: ['Durable records', 'A returned decision survives a crash.'],
  records_write_once: ['Write-once records', 'The database refuses to change recorded decisions.'],
  shared_store: ['Shared store', 'Several instances share one database.'],
  api_keys_active: ['API keys', 'Callers can authenticate.'],
  live_keys_active: ['Live keys', 'Callers can verify real payments.'],
  captcha_configured: ['Captcha', 'Bots cannot request sandbox keys in bulk.'],
  tls_proxy_trusted: ['TLS proxy', 'Traffic is encrypted, and rate limits use the real client address.'],
  rate_limits_in_force: ['Rate limits', 'One caller cannot exhaust the service.'],
  cooldown_in_force: ['Cooldown', 'Repeating a request does not get around a NO-GO.'],
  webhooks_configured: ['Webhooks', 'At least one endpoint receives events.'],
  webhook_addresses_guarded: ['Guarded webhook addresses', 'Webhooks cannot reach a private network.'],
  live_feeds: ['Live feeds', 'Live decisions need all seven signals from real sources.'],
  corridor_probe: ['Corridor probe', 'Every corridor is observed regularly, even without requests.'],
  telemetry_quality_gate: ['Telemetry gate', 'Telemetry can influence decisions only after this check.'],
}

type Feed = SignalStatus['available']['feeds'][number]
type Live = NonNullable<Feed['live']>

const kinds: Readonly<Record<Live['kind'], string>> = {
  http: 'Provider over HTTP',
  'fx-series': 'Published rate series',
  outcomes: 'Reported outcomes',
  constant: 'Fixed value',
}

export const kindLabel = (live: Pick<Live, 'kind'> | null): string =>
  live === null ? 'Simulation' : kinds[live.kind]

export const breakers: Readonly<Record<Live['breaker'], string>> = {
  closed: 'Closed',
  open: 'Open: requests paused',
  half_open: 'Half open: trying again',
}

export const states: Readonly<Record<CipStatus['state'], string>> = {
  telemetry_only: 'Telemetry only',
  scoring_passive: 'Scoring without influence on decisions',
  scoring_active: 'Scoring with influence on decisions',
}

/** A follower that this version does not know keeps its own name. */
export const followers: Readonly<Record<string, string>> = {
  totals: 'Totals and summaries',
  webhooks: 'Webhook events',
  policies: 'Candidate reports',
  calibration: 'Calibration counts',
  events: 'Event stream',
  stream: 'NATS stream',
  reviews: 'Reviews',
  log: 'Sealed log',
}

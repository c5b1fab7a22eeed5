/** What the sixteen items of readiness are called, and why each matters. Whatever is not known here is shown as it came. */

import type { CipStatus, SignalStatus } from '@fairway/client'

export const items: Readonly<Record<string, readonly [name: string, why: string]>> = {
  store_reachable: ['Store', 'Without it no decision can be recorded, so none is given.'],
  migrations_current: ['Database schema', 'Program and database must agree on the form of a record.'],
  durable_commits: ['Durable records', 'A decision that was answered survives a crash.'],
  records_write_once: ['Write-once records', 'Nobody can change what was decided, not even an operator.'],
  shared_store: ['Shared store', 'Several instances work as one.'],
  api_keys_active: ['API keys', 'Callers can sign in.'],
  live_keys_active: ['Live keys', 'Somebody may ask about real payments.'],
  captcha_configured: ['Captcha', 'Machines cannot ask for keys in bulk.'],
  tls_proxy_trusted: ['TLS proxy', 'Keys and payments travel encrypted, and limits count the real client.'],
  rate_limits_in_force: ['Rate limits', 'One caller cannot take the places of all.'],
  cooldown_in_force: ['Cooldown', 'A refused payment is not asked through by repetition.'],
  webhooks_configured: ['Webhooks', 'Somebody is told of decisions as they are made.'],
  webhook_addresses_guarded: ['Guarded webhook addresses', 'Events cannot be led into a private network.'],
  live_feeds: ['Live feeds', 'Live decisions need all seven signals from real sources.'],
  corridor_probe: ['Corridor probe', 'Every corridor is looked at, whether or not somebody asks.'],
  telemetry_quality_gate: ['Telemetry gate', 'Telemetry may weigh in a decision only after this.'],
}

type Feed = SignalStatus['available']['feeds'][number]
type Live = NonNullable<Feed['live']>

const kinds: Readonly<Record<Live['kind'], string>> = {
  http: 'Provider over HTTP',
  'fx-series': 'Published rate series',
  outcomes: 'Reported outcomes',
  constant: 'Fixed value',
}

export const kindWords = ({ live }: Feed): string => (live === null ? 'Simulation' : kinds[live.kind])

export const states: Readonly<Record<CipStatus['state'], string>> = {
  telemetry_only: 'Telemetry only',
  scoring_passive: 'Scoring, without influence',
  scoring_active: 'Scoring, with influence',
}

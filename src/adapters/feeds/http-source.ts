/** Source of a signal from an operator's provider: one HTTP request, one value of its JSON response. */

import { unescaped } from '../../core/reference/json.ts'
import type { Clock } from '../../app/ports/system.ts'
import type { RouteQuery } from '../../app/ports/feeds.ts'
import { openAddress, type Connections, type ProviderRequest, type ProviderResponse } from './client.ts'
import type { DeclaredFeed } from './feed-spec.ts'
import type { HttpSpec, TimeFormat } from './schema.ts'
import { breakerRule, FeedError, scaledValue, type Fetched, type Source } from './source.ts'
import { remembered } from './template.ts'

const defaults = { maxAgeS: 300, cacheMs: 0, max_bytes: 65_536, connections: 32 } as const

/** A provider's clock may be this far ahead of ours. */
const aheadMsMax = 5_000

export function httpSource(
  feed: DeclaredFeed,
  spec: HttpSpec,
  { clock, connections }: { readonly clock: Clock; readonly connections: Connections },
): Source {
  const { template, provider } = openAddress(feed, { ...defaults, ...spec }, connections)
  const isPost = spec.method === 'POST'
  const headers = { accept: 'application/json', ...(isPost ? jsonBody : {}), ...feed.headers }
  const bodyOf = (query: RouteQuery): string | null =>
    isPost ? paymentJson(query, feed.place.partner) : null
  return {
    kind: 'http',
    maxAgeMs: (spec.max_age_s ?? defaults.maxAgeS) * 1000,
    aheadMsMax,
    cacheMs: spec.cache_ms ?? defaults.cacheMs,
    breaker: breakerRule(spec.breaker),
    isPerPartner: template.names.includes('partner'),
    // The body of a POST is the payment.
    isProbed: !isPost && !template.names.includes('amount'),
    keyOf: isPost ? (query) => `${template.render(query)} ${bodyOf(query)}` : remembered(template),
    async fetch(query, signal) {
      const body = bodyOf(query)
      const request: ProviderRequest = {
        method: isPost ? 'POST' : 'GET',
        path: template.render(query),
        headers: { ...headers, ...query.headers },
        body,
      }
      const requestedAtMs = clock.nowMs()
      return readResponse(feed, spec, await provider.send(request, signal), requestedAtMs)
    },
  }
}

const jsonBody = { 'content-type': 'application/json' }

/** The body of a POST; the amount is null if the caller sent none. The partner is in the body of its own feed. */
function paymentJson({ corridor, amount, currency }: RouteQuery, partner: string | null): string {
  return JSON.stringify({ corridor, amount, currency, ...(partner === null ? {} : { partner }) })
}

function readResponse(
  feed: DeclaredFeed,
  spec: HttpSpec,
  response: ProviderResponse,
  requestedAtMs: number,
): Fetched {
  const body = parse(response.body)
  const raw = atPointer(body, spec.value)
  if (raw === undefined) throw new FeedError('no_value', `has no value at ${spec.value}`, 'answer')
  const observedAtMs = observedAt(spec.observed_at, response, body, requestedAtMs)
  return { ...scaledValue(feed.signal, feed.map, raw), observedAtMs, history: null }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown
  } catch {
    throw new FeedError('unreadable', 'sent a response that is not JSON', 'provider')
  }
}

/** Without a freshness rule, a value counts as observed when it was requested. */
function observedAt(
  rule: HttpSpec['observed_at'],
  { headers }: ProviderResponse,
  body: unknown,
  requestedAtMs: number,
): number {
  if (rule === undefined) return requestedAtMs
  const raw =
    rule.header === undefined ? atPointer(body, rule.pointer ?? '') : headers[rule.header.toLowerCase()]
  const place = rule.header ?? rule.pointer ?? ''
  if (raw === undefined) throw new FeedError('no_value', `has no observation time at ${place}`, 'answer')
  const format = rule.format ?? (rule.header === undefined ? 'iso8601' : 'http_date')
  const atMs = timeReaders[format](raw, requestedAtMs)
  // Larger numbers are not valid dates; some providers send one for "unknown".
  if (!(Math.abs(atMs) <= dateMsMax))
    throw new FeedError('wrong_type', `has an invalid time at ${place}`, 'answer')
  return atMs
}

const dateMsMax = 8.64e15

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const seconds = /^\d{1,16}(?:\.\d{1,9})?$/

/** NaN for an invalid time. */
const timeReaders: Readonly<Record<TimeFormat, (raw: unknown, requestedAtMs: number) => number>> = {
  iso8601: (raw) => (typeof raw === 'string' && isoTime.test(raw) ? Date.parse(raw) : Number.NaN),
  http_date: (raw) => (typeof raw === 'string' && httpDate.test(raw) ? Date.parse(raw) : Number.NaN),
  epoch_s: (raw) => numberOf(raw) * 1000,
  epoch_ms: (raw) => numberOf(raw),
  age_s: (raw, requestedAtMs) => requestedAtMs - numberOf(raw) * 1000,
}

/** Accepts numbers and, for headers, numeric strings. */
function numberOf(raw: unknown): number {
  if (typeof raw === 'string') return seconds.test(raw) ? Number(raw) : Number.NaN
  return typeof raw === 'number' && raw >= 0 ? raw : Number.NaN
}

/** The value at a JSON pointer (RFC 6901), or undefined. */
function atPointer(value: unknown, pointer: string): unknown {
  let current = value
  for (const token of pointer.split('/').slice(1)) {
    const name = unescaped(token)
    if (Array.isArray(current)) current = /^(?:0|[1-9]\d*)$/.test(name) ? current[Number(name)] : undefined
    else if (typeof current === 'object' && current !== null && Object.hasOwn(current, name)) {
      current = (current as Readonly<Record<string, unknown>>)[name]
    } else return undefined
  }
  return current
}

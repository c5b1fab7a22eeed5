/** A signal from an operator's own provider: one question over HTTP, one value of its JSON answer. */

import { unescaped } from '../../core/reference/json.ts'
import type { Clock } from '../../app/ports/system.ts'
import type { SignalQuery } from '../../app/ports/feeds.ts'
import { openAddress } from './address.ts'
import type { Answered, Asked } from './client.ts'
import type { DeclaredFeed } from './file.ts'
import type { HttpSpec, TimeFormat } from './schema.ts'
import { breakerRule, FeedError, scaledValue, type Fetched, type Source } from './source.ts'

const defaults = { maxAgeS: 300, cacheMs: 0, bytesMax: 65_536, connections: 32 } as const

/** A provider's clock may be this far ahead of ours. */
const aheadMsMax = 5_000

export function httpSource(feed: DeclaredFeed, spec: HttpSpec, clock: Clock): Source {
  const { template, provider } = openAddress(spec, defaults)
  const isPost = spec.method === 'POST'
  const headers = { accept: 'application/json', ...(isPost ? jsonBody : {}), ...feed.headers }
  const bodyOf = (query: SignalQuery): string | null => (isPost ? paymentJson(query) : null)
  return {
    kind: 'http',
    maxAgeMs: (spec.max_age_s ?? defaults.maxAgeS) * 1000,
    aheadMsMax,
    cacheMs: spec.cache_ms ?? defaults.cacheMs,
    breaker: breakerRule(spec.breaker),
    keyOf: (query) => `${template.render(query)} ${bodyOf(query) ?? ''}`,
    async fetch(query, signal) {
      const body = bodyOf(query)
      const asked: Asked = {
        method: isPost ? 'POST' : 'GET',
        path: template.render(query),
        headers: { ...headers, ...query.headers },
        body,
      }
      const askedAtMs = clock.nowMs()
      return readAnswer(feed, spec, await provider.ask(asked, signal), askedAtMs)
    },
    close: () => provider.close(),
  }
}

const jsonBody = { 'content-type': 'application/json' }

/** What a POST sends; the amount is null where the caller gave none. */
function paymentJson({ corridor, amount, currency }: SignalQuery): string {
  return JSON.stringify({ corridor, amount, currency })
}

function readAnswer(feed: DeclaredFeed, spec: HttpSpec, answered: Answered, askedAtMs: number): Fetched {
  const answer = parse(answered.body)
  const raw = atPointer(answer, spec.value)
  if (raw === undefined) throw new FeedError('no_value', `has nothing at ${spec.value}`, 'answer')
  const observedAtMs = observedAt(spec.observed_at, answered, answer, askedAtMs)
  return { ...scaledValue(feed.signal, feed.map, raw), observedAtMs, history: null }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown
  } catch {
    throw new FeedError('unreadable', 'answered with what is no JSON', 'provider')
  }
}

/** Where freshness is not told, a value is as old as our question. */
function observedAt(
  rule: HttpSpec['observed_at'],
  { headers }: Answered,
  answer: unknown,
  askedAtMs: number,
): number {
  if (rule === undefined) return askedAtMs
  const told =
    rule.header === undefined ? atPointer(answer, rule.pointer ?? '') : headers[rule.header.toLowerCase()]
  const place = rule.header ?? rule.pointer ?? ''
  if (told === undefined) throw new FeedError('no_value', `does not tell when, at ${place}`, 'answer')
  const format = rule.format ?? (rule.header === undefined ? 'iso8601' : 'http_date')
  const atMs = timeReaders[format](told, askedAtMs)
  // Beyond that there is no date; some say so for "unknown".
  if (!(Math.abs(atMs) <= dateMsMax)) throw new FeedError('wrong_type', `tells no time at ${place}`, 'answer')
  return atMs
}

const dateMsMax = 8.64e15

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const seconds = /^\d{1,16}(?:\.\d{1,9})?$/

/** NaN for what is no time. */
const timeReaders: Readonly<Record<TimeFormat, (told: unknown, askedAtMs: number) => number>> = {
  iso8601: (told) => (typeof told === 'string' && isoTime.test(told) ? Date.parse(told) : Number.NaN),
  http_date: (told) => (typeof told === 'string' && httpDate.test(told) ? Date.parse(told) : Number.NaN),
  epoch_s: (told) => numberOf(told) * 1000,
  epoch_ms: (told) => numberOf(told),
  age_s: (told, askedAtMs) => askedAtMs - numberOf(told) * 1000,
}

/** In a header a number is a text. */
function numberOf(told: unknown): number {
  if (typeof told === 'string') return seconds.test(told) ? Number(told) : Number.NaN
  return typeof told === 'number' && told >= 0 ? told : Number.NaN
}

/** A JSON pointer, RFC 6901; undefined where there is nothing. */
function atPointer(value: unknown, pointer: string): unknown {
  let found = value
  for (const token of pointer.split('/').slice(1)) {
    const name = unescaped(token)
    if (Array.isArray(found)) found = /^(?:0|[1-9]\d*)$/.test(name) ? found[Number(name)] : undefined
    else if (typeof found === 'object' && found !== null && Object.hasOwn(found, name)) {
      found = (found as Readonly<Record<string, unknown>>)[name]
    } else return undefined
  }
  return found
}

/** Reads one declared feed: its source, map, URL and headers. */

import { mapFault, scaledBy, scaleOf, type FeedMap } from '../../core/live/feed-map.ts'
import { parseCurrency } from '../../core/reference/currency.ts'
import type { SignalName } from '../../core/decision/signals.ts'
import type { FeedPlace } from '../../app/ports/feeds.ts'
import { secretOf } from '../secret-file.ts'
import { checkForm, type Report, type Step } from './form.ts'
import { feedSchemas, type FeedSpec, type MapSpec } from './schema.ts'
import { compileTemplate, type UrlTemplate } from './template.ts'

export interface DeclaredFeed {
  readonly signal: SignalName
  readonly place: FeedPlace
  readonly spec: FeedSpec
  readonly map: FeedMap
  /** Null for a source without a URL. */
  readonly template: UrlTemplate | null
  /** With environment variables substituted. */
  readonly headers: Readonly<Record<string, string>>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A feed as it stands in the file. */
export interface RawFeed {
  readonly signal: SignalName
  readonly place: FeedPlace
  /** Of its member in the file. */
  readonly path: readonly Step[]
  readonly raw: Readonly<Record<string, unknown>>
}

/** The parts that the feeds of one file share. */
export interface FeedReading {
  readonly environment: Environment
  /** Partners mostly have the same URLs, so each text is compiled once. */
  readonly templates: (text: string) => UrlTemplate | string
}

export function createTemplates(): FeedReading['templates'] {
  const known = new Map<string, UrlTemplate | string>()
  return (text) => {
    const template = known.get(text) ?? compileTemplate(text)
    known.set(text, template)
    return template
  }
}

/** Sources that provide only one signal. */
const onlyFor: Readonly<Partial<Record<FeedSpec['source'], SignalName>>> = {
  'fx-series': 'fx_volatility',
  outcomes: 'historical_failure_rate',
}

export function readFeed(
  { signal, place, path, raw }: RawFeed,
  { environment, templates }: FeedReading,
  report: Report,
): DeclaredFeed | null {
  let isValid = true
  const fail: Report = (...finding) => {
    isValid = false
    report(...finding)
  }
  const { source } = raw
  if (typeof source !== 'string' || !Object.hasOwn(feedSchemas, source)) {
    fail([...path, 'source'], `must be one of ${Object.keys(feedSchemas).join(', ')}`)
    return null
  }
  const onlySignal = onlyFor[source as FeedSpec['source']]
  if (onlySignal !== undefined && onlySignal !== signal) {
    fail([...path, 'source'], `can only be the source of ${onlySignal}, not of this signal`)
    return null
  }
  checkForm(feedSchemas[source as FeedSpec['source']], raw, path, fail)
  const isWellFormed = isValid
  // A wrong form elsewhere does not hide a wrong URL.
  const compiled = typeof raw['url'] === 'string' ? templates(raw['url']) : null
  if (typeof compiled === 'string') fail([...path, 'url'], compiled)
  if (!isWellFormed) return null
  const spec = raw as FeedSpec
  const map = 'map' in spec && spec.map !== undefined ? readMap(signal, spec.map, path, fail) : null
  if (spec.source === 'constant' && isValid) checkConstant(signal, spec.value, map, path, fail)
  if (spec.source === 'http') checkObserved(spec.observed_at, path, fail)
  if (spec.source === 'fx-series' && !isPair(spec.pair)) {
    fail([...path, 'pair'], 'must be two different currencies, like GBP/USD')
  }
  let headers: Record<string, string> = {}
  const template = typeof compiled === 'string' ? null : compiled
  if ('url' in spec) {
    if (spec.source === 'fx-series' && template !== null && template.names.length > 0)
      fail([...path, 'url'], 'must not contain a {name}: all payments use the same series')
    headers = readHeaders(
      (spec.headers ?? {}) as Readonly<Record<string, string>>,
      environment,
      [...path, 'headers'],
      fail,
    )
  }
  return isValid ? { signal, place, spec, map, template, headers } : null
}

function readMap(signal: SignalName, spec: MapSpec, path: readonly Step[], fail: Report): FeedMap {
  const { points, cases } = spec
  if ((points === undefined) === (cases === undefined)) {
    fail([...path, 'map'], 'must have either points or cases')
    return null
  }
  const map: FeedMap =
    points !== undefined ? { kind: 'points', points } : { kind: 'cases', cases: cases ?? [] }
  const kinds = new Set((cases ?? []).map(([value]) => typeof value))
  if (kinds.size > 1) fail([...path, 'map', 'cases'], 'must be all strings or all booleans')
  const fault = mapFault(map, scaleOf[signal])
  if (fault !== null)
    fail([...path, 'map', map.kind, ...(fault.place === null ? [] : [fault.place])], fault.message)
  return map
}

function checkConstant(
  signal: SignalName,
  value: number | boolean | string,
  map: FeedMap,
  path: readonly Step[],
  fail: Report,
): void {
  const { kind } = scaledBy(map, scaleOf[signal], value)
  if (kind === 'scaled') return
  const target = map === null ? `the scale of ${signal}` : 'its map'
  fail([...path, 'value'], kind === 'wrong_type' ? `has the wrong type for ${target}` : `is not on ${target}`)
}

function checkObserved(
  observed: { readonly pointer?: string; readonly header?: string } | undefined,
  path: readonly Step[],
  fail: Report,
): void {
  if (observed === undefined || (observed.pointer === undefined) !== (observed.header === undefined)) return
  fail([...path, 'observed_at'], 'must have either a pointer or a header')
}

/** Two different currencies: a currency priced in itself never moves. */
function isPair(pair: string | undefined): boolean {
  const [base = '', quote = ''] = pair?.split('/') ?? ['GBP', 'NGN']
  return base !== quote && parseCurrency(base) !== null && parseCurrency(quote) !== null
}

/** Headers that the HTTP client sets itself. */
const reservedHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'keep-alive',
])

function readHeaders(
  declared: Readonly<Record<string, string>>,
  environment: Environment,
  path: readonly Step[],
  fail: Report,
): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>
  for (const [name, template] of Object.entries(declared)) {
    const missing: string[] = []
    const value = template.replaceAll(/\$\{([^}]*)\}/g, (_all, variable: string) => {
      const secret = secretOf(environment, variable)
      if (secret.kind === 'fault') fail([...path, name], secret.reason)
      else if (secret.text === '') missing.push(variable)
      return secret.kind === 'read' ? secret.text : ''
    })
    const lower = name.toLowerCase()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || reservedHeaders.has(lower))
      fail([...path, name], 'is not a header that can be set')
    else if (Object.hasOwn(headers, lower)) fail([...path, name], 'is duplicated')
    // The value is never reported: it may be a secret.
    else if (missing.length > 0) fail([...path, name], `needs ${missing.join(', ')} in the environment`)
    else if (!/^[\t\x20-\x7e]*$/.test(value))
      fail([...path, name], 'contains characters that a header cannot carry')
    headers[lower] = value
  }
  return { ...headers }
}

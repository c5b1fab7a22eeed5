/** Generates requests from the OpenAPI document, both valid and invalid. */

import { anyString, hostileString, hostileValue, oddTexts } from './hostile.ts'
import type { Rng } from './random.ts'

export interface Generated {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** Objects that requests may refer to; ids are added as responses contain them. */
export interface World {
  readonly keys: readonly string[]
  /** The headers of people who are signed in. */
  readonly people: readonly Readonly<Record<string, string>>[]
  readonly ids: readonly string[]
  readonly webhookIds: readonly string[]
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Described {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

interface Operation {
  readonly method: string
  readonly template: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | null
}

export type Generate = (rng: Rng) => Generated

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** `paths` must have all references resolved. */
export function createGenerate(paths: object, world: World): Generate {
  const operations = operationsOf(paths)
  return (rng) => {
    const operation = rng.pick(operations)
    const request = wellFormed(rng, operation, world)
    // Half are valid, so that the code behind the validation is reached.
    const kind = rng.below(20)
    if (kind < 10) return request
    if (kind < 14) return withOddBody(rng, operation, request)
    if (kind < 16) return { ...request, body: brokenBody(rng, request.body) }
    if (kind < 18) return { ...request, url: oddUrl(rng, request.url) }
    if (kind < 19) return { ...request, headers: { ...request.headers, ...oddHeaders(rng) } }
    return { ...request, method: rng.pick(methods) }
  }
}

function operationsOf(paths: object): Operation[] {
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations as Record<string, Described>).map(([method, described]) => ({
      method: method.toUpperCase(),
      template,
      parameters: described.parameters ?? [],
      body: described.requestBody?.content['application/json']?.schema ?? null,
    })),
  )
}

/** A caller that waits for events would wait for good: the clock of a run stands while its requests are answered. */
const waiting = 'wait_s'

function wellFormed(rng: Rng, { method, template, parameters, body }: Operation, world: World): Generated {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let path = template
  for (const { in: place, name, schema, required } of parameters) {
    const odd = textOf(valueOf(rng, schema, name, world)).toWellFormed()
    const value = name === waiting ? '0' : segment(odd)
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (required !== true && rng.below(3) > 0) continue
    else if (place === 'query') query.set(name, value)
    else headers[name] = printable(value)
  }
  // Sometimes without a key.
  if (world.people.length > 0 && rng.below(4) === 0) Object.assign(headers, rng.pick(world.people))
  else if (rng.below(30) > 0) headers['authorization'] = `Bearer ${rng.pick(world.keys)}`
  if (body === null) return { method, url: `${path}${searchOf(query)}`, headers, body: null }
  headers['content-type'] = 'application/json'
  const text = JSON.stringify(valueOf(rng, body, '', world))
  return { method, url: `${path}${searchOf(query)}`, headers, body: Buffer.from(text) }
}

const searchOf = (query: URLSearchParams): string => (query.size === 0 ? '' : `?${query.toString()}`)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `.` and `..` would change the path, so they are replaced. */
const segment = (text: string): string => (/^\.{1,2}$/.test(text) ? 'dots' : text)

/** Replaces characters that a header cannot carry. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').trim()

/** Meaningful values by member name: random strings would never be a corridor. */
const meaningful: Readonly<Record<string, readonly string[]>> = {
  corridor: [
    'GB-NG',
    'NG-GB',
    'gb-ng',
    'GBR-NGA',
    'United Kingdom-Nigeria',
    'FR-DE',
    'XX-YY',
    'GB-GB',
    'UK-NG',
  ],
  currency: ['GBP', 'NGN', 'EUR', 'USD', 'JPY', 'XXX', 'ABC'],
  url: [
    'https://127.0.0.1/hook',
    'http://127.0.0.1:9/hook',
    'http://[::1]:9/',
    'https://10.0.0.1/',
    'ftp://127.0.0.1/',
    'nonsense',
  ],
  email: ['a@example.com', 'b@example.com', 'not an address', 'é@example.com'],
  occurred_at: ['2026-02-28T10:00:00Z', '2026-03-01T12:00:00+01:00', '2026-02-30T00:00:00Z', 'yesterday'],
  from: ['2026-03-01T00:00:00Z', '2026-02-28', '0000-01-01T00:00:00Z', 'x'],
  to: ['2026-03-02T00:00:00Z', '2026-03-01', '9999-12-31T23:59:59Z', 'x'],
  timestamp: ['2026-02-28T10:00:00Z', '28/02/2026'],
  sender_country: ['GB', 'NG', 'XX'],
  destination_country: ['NG', 'GB', 'ZZ'],
  idempotency_key: ['one', 'two', 'three'],
  'idempotency-key': ['one', 'two', 'three'],
  reason_code: ['COMPLIANCE_APPROVED', 'SEEN', 'lower_case'],
}

const idNames = new Set(['id', 'request_id', 'decision_id', 'webhook_id', 'cursor'])

function valueOf(rng: Rng, schema: Schema, name: string, world: World): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return rng.pick(schema.enum)
  if (schema.anyOf !== undefined) return valueOf(rng, rng.pick(schema.anyOf), name, world)
  switch (schema.type) {
    case 'object':
      return objectOf(rng, schema, world)
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 5 } = schema
      const length = minItems + rng.below(Math.min(maxItems - minItems, 4) + 1)
      return Array.from({ length }, () => valueOf(rng, items, name, world))
    }
    case 'integer':
    case 'number':
      return numberOf(rng, schema)
    case 'boolean':
      return rng.below(2) === 0
    case 'string':
      return stringOf(rng, schema, name, world)
    default:
      return hostileValue(rng)
  }
}

function objectOf(rng: Rng, { properties = {}, required = [] }: Schema, world: World): object {
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || rng.below(2) === 0)
  return Object.fromEntries(members.map(([name, schema]) => [name, valueOf(rng, schema, name, world)]))
}

function numberOf(rng: Rng, { type, minimum = -1e6, maximum = 1e6 }: Schema): number {
  const top = rng.pick([100, 20_000, 60_000, 600_000, maximum])
  const value = minimum + rng.next() * (Math.min(top, maximum) - minimum)
  return type === 'integer' ? Math.round(value) : Math.round(value * 100) / 100
}

function stringOf(rng: Rng, schema: Schema, name: string, world: World): string {
  const values = meaningful[name]
  const kind = rng.below(10)
  if (values !== undefined && kind < 9) return rng.pick(values)
  const ids = name === 'webhook_id' ? world.webhookIds : world.ids
  if (idNames.has(name) && kind < 8 && ids.length > 0) return rng.pick(ids)
  const { minLength = 0, maxLength = 40 } = schema
  const length = minLength + rng.below(Math.min(maxLength - minLength, 60) + 1)
  if (kind === 9) return hostileString(rng)
  return anyString(rng, length)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '.')
}

/** One member of the body is replaced, removed or added. */
function withOddBody(rng: Rng, { body }: Operation, request: Generated): Generated {
  if (body === null || request.body === null) {
    return {
      ...request,
      headers: { ...request.headers, 'content-type': 'application/json' },
      body: oddBody(rng),
    }
  }
  const value = JSON.parse(request.body.toString()) as Record<string, unknown>
  const names = Object.keys(body.properties ?? {})
  const name = rng.below(6) === 0 || names.length === 0 ? hostileString(rng) : rng.pick(names)
  const odd = { ...value, [name]: hostileValue(rng) }
  if (rng.below(6) === 0) delete odd[name]
  return { ...request, body: Buffer.from(JSON.stringify(odd)) }
}

const oddBody = (rng: Rng): Buffer => Buffer.from(rng.pick(oddTexts))

/** Truncates or changes bytes, so that the body is rarely valid JSON or UTF-8. */
function brokenBody(rng: Rng, body: Buffer | null): Buffer | null {
  if (body === null || rng.below(3) === 0) return oddBody(rng)
  const bytes = Buffer.from(body)
  const at = rng.below(Math.max(1, bytes.length))
  if (rng.below(3) === 0) return bytes.subarray(0, at)
  for (let changed = 0; changed <= rng.below(4); changed += 1)
    bytes[rng.below(Math.max(1, bytes.length))] = rng.below(256)
  return bytes
}

function oddUrl(rng: Rng, url: string): string {
  const odd = encodeURIComponent(hostileString(rng).toWellFormed())
  switch (rng.below(6)) {
    case 0:
      return `/${odd}`
    case 1:
      return url.replace(/\/[^/?]*(?=\?|$)/, `/${odd}`)
    case 2:
      return `${url}${url.includes('?') ? '&' : '?'}${odd}=${odd}`
    case 3:
      return `${url}${url.includes('?') ? '&' : '?'}limit=${odd}&mode=${odd}&format=${odd}&amount=${odd}`
    case 4:
      return `${url}/%zz%`
    default:
      return `${url}?${'a=1&'.repeat(500)}`
  }
}

const junk: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    'text/plain',
    'application/json; charset=utf-16',
    'application/xml',
    '',
    ';',
    'text/csv',
    'a/b/c',
  ],
  'content-encoding': ['gzip', 'identity', 'br, gzip'],
  accept: ['text/csv', '*/*;q=0', ',,,', 'a/b;q=x', 'text/csv;q=0.5, application/json;q=0.1'],
  authorization: ['Bearer', 'Basic YTpi', 'Bearer a b', 'bearer  x', '', 'Bearer pk_test_000'],
  'x-api-key': ['', 'x', 'pk_test_'],
  'x-forwarded-for': ['127.0.0.1', 'x', '1.1.1.1, 2.2.2.2', '::1', '"'],
  'idempotency-key': ['', ' ', 'x'.repeat(300), 'a, b'],
  'x-request-id': ['forged', 'x'.repeat(2_000)],
  'x-http-method-override': ['DELETE'],
  range: ['bytes=0-1'],
  'if-none-match': ['*'],
  origin: ['null', 'http://127.0.0.1'],
  cookie: ['', ';', '=', 'fairway-session', 'fairway-session=x', 'a=b; fairway-session=; c'],
  host: ['fairway.example', '127.0.0.1.example', '[::1]:x', ''],
  'x-fairway-owner': ['', 'own_0000000000000000', 'own_x, own_y'],
}

function oddHeaders(rng: Rng): Record<string, string> {
  const name = rng.pick(Object.keys(junk))
  return { [name]: rng.pick(junk[name] ?? ['']) }
}

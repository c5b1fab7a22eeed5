/** Requests made from the OpenAPI document: such as it asks for, and such as it does not. */

import { anyString, hostileString, hostileValue, oddTexts } from './hostile.ts'
import type { Chance } from './random.ts'

export interface Generated {
  readonly method: string
  /** Path and query, as it goes over the wire. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** What requests may refer to; ids are added as answers name them. */
export interface World {
  readonly keys: readonly string[]
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

export type Generate = (chance: Chance) => Generated

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** `paths` is that of a document in which no reference is left. */
export function createGenerate(paths: object, world: World): Generate {
  const operations = operationsOf(paths)
  return (chance) => {
    const operation = chance.pick(operations)
    const asked = wellFormed(chance, operation, world)
    // Half are as the document asks, so that what is behind the validation is reached as well.
    const kind = chance.below(20)
    if (kind < 10) return asked
    if (kind < 14) return withOddBody(chance, operation, asked)
    if (kind < 16) return { ...asked, body: brokenBody(chance, asked.body) }
    if (kind < 18) return { ...asked, url: oddUrl(chance, asked.url) }
    if (kind < 19) return { ...asked, headers: { ...asked.headers, ...oddHeaders(chance) } }
    return { ...asked, method: chance.pick(methods) }
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

function wellFormed(
  chance: Chance,
  { method, template, parameters, body }: Operation,
  world: World,
): Generated {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let path = template
  for (const { in: place, name, schema, required } of parameters) {
    const value = segment(textOf(valueOf(chance, schema, name, world)).toWellFormed())
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (required !== true && chance.below(3) > 0) continue
    else if (place === 'query') query.set(name, value)
    else headers[name] = printable(value)
  }
  // Now and then without a key.
  if (chance.below(30) > 0) headers['authorization'] = `Bearer ${chance.pick(world.keys)}`
  if (body === null) return { method, url: `${path}${searchOf(query)}`, headers, body: null }
  headers['content-type'] = 'application/json'
  const text = JSON.stringify(valueOf(chance, body, '', world))
  return { method, url: `${path}${searchOf(query)}`, headers, body: Buffer.from(text) }
}

const searchOf = (query: URLSearchParams): string => (query.size === 0 ? '' : `?${query.toString()}`)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Dots alone are taken for a way up or down, and another path is asked for. */
const segment = (text: string): string => (/^\.{1,2}$/.test(text) ? 'dots' : text)

/** What a header may carry. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').trim()

/** Values that mean something, by the name of their member: chance alone would never find a corridor. */
const meant: Readonly<Record<string, readonly string[]>> = {
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

function valueOf(chance: Chance, schema: Schema, name: string, world: World): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return chance.pick(schema.enum)
  if (schema.anyOf !== undefined) return valueOf(chance, chance.pick(schema.anyOf), name, world)
  switch (schema.type) {
    case 'object':
      return objectOf(chance, schema, world)
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 5 } = schema
      const length = minItems + chance.below(Math.min(maxItems - minItems, 4) + 1)
      return Array.from({ length }, () => valueOf(chance, items, name, world))
    }
    case 'integer':
    case 'number':
      return numberOf(chance, schema)
    case 'boolean':
      return chance.below(2) === 0
    case 'string':
      return stringOf(chance, schema, name, world)
    default:
      return hostileValue(chance)
  }
}

function objectOf(chance: Chance, { properties = {}, required = [] }: Schema, world: World): object {
  const members = Object.entries(properties).filter(
    ([name]) => required.includes(name) || chance.below(2) === 0,
  )
  return Object.fromEntries(members.map(([name, schema]) => [name, valueOf(chance, schema, name, world)]))
}

function numberOf(chance: Chance, { type, minimum = -1e6, maximum = 1e6 }: Schema): number {
  const top = chance.pick([100, 20_000, 60_000, 600_000, maximum])
  const value = minimum + chance.next() * (Math.min(top, maximum) - minimum)
  return type === 'integer' ? Math.round(value) : Math.round(value * 100) / 100
}

function stringOf(chance: Chance, schema: Schema, name: string, world: World): string {
  const known = meant[name]
  const kind = chance.below(10)
  if (known !== undefined && kind < 9) return chance.pick(known)
  const ids = name === 'webhook_id' ? world.webhookIds : world.ids
  if (idNames.has(name) && kind < 8 && ids.length > 0) return chance.pick(ids)
  const { minLength = 0, maxLength = 40 } = schema
  const length = minLength + chance.below(Math.min(maxLength - minLength, 60) + 1)
  if (kind === 9) return hostileString(chance)
  return anyString(chance, length)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '.')
}

/** One place of the body holds something else, is missing, or there is one too many. */
function withOddBody(chance: Chance, { body }: Operation, asked: Generated): Generated {
  if (body === null || asked.body === null) {
    return {
      ...asked,
      headers: { ...asked.headers, 'content-type': 'application/json' },
      body: oddBody(chance),
    }
  }
  const value = JSON.parse(asked.body.toString()) as Record<string, unknown>
  const names = Object.keys(body.properties ?? {})
  const name = chance.below(6) === 0 || names.length === 0 ? hostileString(chance) : chance.pick(names)
  const odd = { ...value, [name]: hostileValue(chance) }
  if (chance.below(6) === 0) delete odd[name]
  return { ...asked, body: Buffer.from(JSON.stringify(odd)) }
}

const oddBody = (chance: Chance): Buffer => Buffer.from(chance.pick(oddTexts))

/** Bytes cut off, changed or added: no JSON, or no UTF-8, or both by luck. */
function brokenBody(chance: Chance, body: Buffer | null): Buffer | null {
  if (body === null || chance.below(3) === 0) return oddBody(chance)
  const bytes = Buffer.from(body)
  const at = chance.below(Math.max(1, bytes.length))
  if (chance.below(3) === 0) return bytes.subarray(0, at)
  for (let changed = 0; changed <= chance.below(4); changed += 1)
    bytes[chance.below(Math.max(1, bytes.length))] = chance.below(256)
  return bytes
}

function oddUrl(chance: Chance, url: string): string {
  const odd = encodeURIComponent(hostileString(chance).toWellFormed())
  switch (chance.below(6)) {
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
}

function oddHeaders(chance: Chance): Record<string, string> {
  const name = chance.pick(Object.keys(junk))
  return { [name]: chance.pick(junk[name] ?? ['']) }
}

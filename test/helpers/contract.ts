/** Every answer in the HTTP tests is held against the OpenAPI document that the service itself publishes. */

import assert from 'node:assert/strict'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import type { App } from '../../src/http/types.ts'
import { consolePages } from '../../src/http/routes/console.ts'
import { ErrorBody } from '../../src/http/schemas/common.ts'

const errorBody = Compile(ErrorBody)

/** A last page has no next one, and not every file has something to warn of. */
const occasional = new Set(['Link', 'X-SVC-Warning'])

/** A document is made once, so each of its schemas is compiled once. */
const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

function validatorOf(schema: TSchema): ReturnType<typeof Compile> {
  const known = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, known)
  return known
}

interface DescribedResponse {
  readonly content?: Readonly<Record<string, { schema?: TSchema }>>
  readonly headers?: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly responses?: Readonly<Record<string, DescribedResponse>>
}

/** An answer, however it came. */
export interface Seen {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  /** Undefined where it is no JSON. */
  readonly body: unknown
}

/** The first service of a process publishes it for all: test/contract/drift.test.ts sees that settings change nothing in it. */
let own: Paths | null = null

/** Throws where an answer in process is not what the service publishes. */
export function checkAgainstContract(
  app: App,
  request: InjectOptions,
  { statusCode: status, headers }: LightMyRequestResponse,
  body: unknown,
): void {
  const { method = 'GET', url = '/' } = request
  const path = (typeof url === 'string' ? url : (url.pathname ?? '/')).split('?')[0] ?? '/'
  own ??= pathsOf(app.swagger())
  checkAnswer(own, { method, path, status, headers, body })
}

/** Throws where the status is not documented for the operation, a header is missing, or the body does not fit. */
export function checkAnswer(paths: Paths, seen: Seen): void {
  const { method, path, status, headers, body } = seen
  const isHead = method.toUpperCase() === 'HEAD'
  const operation = operationFor(paths, path, isHead ? 'get' : method.toLowerCase())
  const isPage =
    operation === null && status === 404 && String(headers['content-type']).startsWith('text/html')
  // A browser has a page for an unknown path, and programs have the error.
  // What the protocol of tools answers itself, past the guard, is in its own shape.
  const isRpc = path === '/mcp' && typeof body === 'object' && body !== null && 'jsonrpc' in body
  if (status >= 400 && !isHead && !isPage && !isRpc) checkError(body)
  if (operation === null) return checkUndocumented(paths, seen)
  const described = operation.responses?.[String(status)]
  assert.ok(described !== undefined, `${method} ${path} does not document ${status}`)
  for (const name of Object.keys(described.headers ?? {})) {
    const there = occasional.has(name) || headers[name.toLowerCase()] !== undefined
    assert.ok(there, `${method} ${path} ${status} lacks the header ${name}`)
  }
  const type = headers['content-type']?.toString().split(';')[0] ?? ''
  assert.ok(described.content?.[type] !== undefined, `${path} does not document ${type} for ${status}`)
  const schema = described.content['application/json']?.schema
  if (schema === undefined || type !== 'application/json' || isHead) return
  const errors = validatorOf(schema).Errors(body)
  assert.deepEqual(errors, [], `the answer of ${path} does not fit its schema`)
  assert.deepEqual(
    [...undescribed(schema, body, '')],
    [],
    `the answer of ${path} has more than its schema says`,
  )
}

export function checkError(body: unknown): void {
  assert.ok(errorBody.Check(body), `an error of another shape: ${JSON.stringify(body)}`)
}

/** Pages for people and figures for the operator: deliberately no part of the contract. */
const outside = [
  ...consolePages.map((page) => new RegExp(`^${page.replace(/:\w+/, '[^/]+')}$`)),
  /^\/(?:(?:theme|site|reference)\.js|assets\/[^/]+)$/,
  /^\/favicon\.ico$/,
  /^\/openapi\.json$/,
  /^\/(?:docs|guide)(?:\/.*)?$/,
  /^\/(?:metrics|livez|readyz)$/,
  // It describes itself, by its list of tools.
  /^\/mcp$/,
  // Redirects, for browsers.
  /^\/auth\/(?:login|callback)$/,
]

/** What the document does not name is refused: a path with 404, a method of a path that it names with 405. */
function checkUndocumented(paths: Paths, { method, path, status }: Seen): void {
  if (outside.some((pattern) => pattern.test(path))) return
  const isKnown = Object.keys(paths).some((template) => patternOf(template).test(path))
  assert.equal(status, isKnown ? 405 : 404, `${method} ${path} is not documented, and answers`)
}

interface Described {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: boolean | TSchema
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

/** Schemas are open, so what they do not name would pass unseen: the places of such members. */
function* undescribed(schema: TSchema, value: unknown, path: string): Generator<string> {
  const { properties, additionalProperties, items, anyOf } = schema as Described
  const fitting = anyOf?.filter((branch) => validatorOf(branch).Check(value)) ?? []
  if (anyOf !== undefined) {
    const found = fitting.map((branch) => [...undescribed(branch, value, path)])
    if (!found.some((places) => places.length === 0)) yield* found[0] ?? [path]
  } else if (Array.isArray(value)) {
    for (const item of value) if (items !== undefined) yield* undescribed(items, item, `${path}/*`)
  } else if (typeof value === 'object' && value !== null && additionalProperties === undefined) {
    for (const [name, member] of Object.entries(value)) {
      const known = properties?.[name]
      if (known === undefined) yield `${path}/${name}`
      else yield* undescribed(known, member, `${path}/${name}`)
    }
  }
}

export type Paths = Readonly<Record<string, Record<string, Operation>>>

/** Made once for each document. */
const plainPaths = new WeakMap<object, Paths>()

export function pathsOf(document: { readonly paths?: unknown }): Paths {
  const paths = plainPaths.get(document) ?? (withoutReferences(document, document.paths) as Paths)
  plainPaths.set(document, paths)
  return paths
}

/** A part of a document in which what references name stands where they stood. */
export function withoutReferences(document: object, part: unknown): unknown {
  const resolved = new Map<string, unknown>()
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: unknown }
    if (typeof $ref !== 'string') {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]))
    }
    if (!resolved.has($ref)) resolved.set($ref, resolve(named(document, $ref)))
    return resolved.get($ref)
  }
  return resolve(part)
}

function named(document: object, $ref: string): unknown {
  const steps = $ref.replace(/^#\//, '').split('/')
  const target = steps.reduce<unknown>(
    (at, step) => (at as Record<string, unknown> | undefined)?.[step],
    document,
  )
  return target ?? assert.fail(`the document has no ${$ref}`)
}

const patterns = new Map<string, RegExp>()

/** An id may be empty as well: it is one that we did not issue. */
function patternOf(template: string): RegExp {
  const pattern = patterns.get(template) ?? new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]*')}$`)
  patterns.set(template, pattern)
  return pattern
}

function operationFor(paths: Paths, path: string, method: string): Operation | null {
  // A path that is named as it is comes before one with a parameter in its place.
  const operations =
    paths[path] ?? Object.entries(paths).find(([template]) => patternOf(template).test(path))?.[1]
  return operations?.[method] ?? null
}

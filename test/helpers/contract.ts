/** Every answer in the HTTP tests is held against the OpenAPI document that the service itself publishes. */

import assert from 'node:assert/strict'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import type { App } from '../../src/http/app.ts'
import { ErrorBody } from '../../src/http/schemas/common.ts'

const errorBody = Compile(ErrorBody)

/** A last page has no next one, and not every file has something to warn of. */
const occasional = new Set(['Link', 'X-SVC-Warning'])

/** The document is made once for each service, so each of its schemas is compiled once. */
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

/** Throws where the status is not documented for the operation, a header is missing, or the body does not fit. */
export function checkAgainstContract(
  app: App,
  request: InjectOptions,
  { statusCode: status, headers }: LightMyRequestResponse,
  body: unknown,
): void {
  if (status >= 400) assert.ok(errorBody.Check(body), `an error of another shape: ${JSON.stringify(body)}`)
  const path = (typeof request.url === 'string' ? request.url : '/').split('?')[0] ?? '/'
  const operation = operationFor(app, path, (request.method ?? 'GET').toLowerCase())
  if (operation === null) return
  const described = operation.responses?.[String(status)]
  assert.ok(described !== undefined, `${request.method} ${path} does not document ${status}`)
  for (const name of Object.keys(described.headers ?? {})) {
    const there = occasional.has(name) || headers[name.toLowerCase()] !== undefined
    assert.ok(there, `${request.method} ${path} ${status} lacks the header ${name}`)
  }
  const type = (headers['content-type'] ?? '').split(';')[0] ?? ''
  assert.ok(described.content?.[type] !== undefined, `${path} does not document ${type} for ${status}`)
  const schema = described.content['application/json']?.schema
  if (schema === undefined || type !== 'application/json') return
  const errors = validatorOf(schema).Errors(body)
  assert.deepEqual(errors, [], `the answer of ${path} does not fit its schema`)
  assert.deepEqual(
    [...undescribed(schema, body, '')],
    [],
    `the answer of ${path} has more than its schema says`,
  )
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

type Paths = Readonly<Record<string, Record<string, Operation>>>

/** Made once for each service. */
const plainPaths = new WeakMap<object, Paths>()

function pathsOf(app: App): Paths {
  const document = app.swagger()
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

function operationFor(app: App, path: string, method: string): Operation | null {
  for (const [template, operations] of Object.entries(pathsOf(app))) {
    const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
    if (pattern.test(path)) return operations[method] ?? null
  }
  return null
}

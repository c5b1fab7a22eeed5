/** Moves named schemas and repeated responses of the OpenAPI document to `components` and references them. */

import { isDeepStrictEqual } from 'node:util'
import { withoutWindow } from '../schemas/common.ts'
import { isObject } from '../../core/reference/json.ts'

type Json = Readonly<Record<string, unknown>>

/** The reusable parts of the document, by name. */
interface Components {
  readonly schemas: Record<string, Json>
  readonly headers: Record<string, Json>
  readonly responses: Record<string, Json>
}

/** The same document with references. Throws if two schemas share a name. */
export function withComponents<Document extends { components?: object }>(document: Document): Document {
  const components: Components = { schemas: {}, headers: {}, responses: {} }
  const { components: existing, ...rest } = document
  const shorter = referTo(rest, components) as Omit<Document, 'components'>
  return { ...shorter, components: { ...existing, ...sorted(components) } } as Document
}

/** Sorted by name, so that the document does not depend on the order of the routes. */
function sorted(components: Components): Components {
  const inOrder = (part: Record<string, Json>): Record<string, Json> =>
    Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    schemas: inOrder(components.schemas),
    headers: inOrder(components.headers),
    responses: inOrder(components.responses),
  }
}

function referTo(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => referTo(item, components))
  if (!isObject(value)) return value
  const { title } = value
  const entries = Object.entries(value).map(([name, member]) => {
    if (name === 'responses' && isObject(member)) return [name, answersOf(member, components)]
    // An example is data, never a schema.
    return [name, name === 'example' || name === 'examples' ? member : referTo(member, components)]
  })
  const shorter = Object.fromEntries(entries) as Json
  return typeof title === 'string' && isSchema(value) ? nameSchema(title, shorter, components) : shorter
}

/** Tells a schema's `title` from a property named title and from the title of the document. */
const isSchema = (value: Json): boolean => ['type', 'enum', 'anyOf', '$ref'].some((name) => name in value)

/** A description that differs from the named schema's stays next to the reference. */
function nameSchema(title: string, schema: Json, { schemas }: Components): Json {
  const { title: _title, description, ...shape } = schema
  const $ref = `#/components/schemas/${title}`
  const registered = schemas[title]
  if (registered === undefined) {
    schemas[title] = description === undefined ? shape : { description, ...shape }
    return { $ref }
  }
  const { description: registeredDescription, ...registeredShape } = registered
  if (!isDeepStrictEqual(registeredShape, shape)) throw new Error(`two schemas are named ${title}`)
  return description === undefined || description === registeredDescription ? { $ref } : { description, $ref }
}

/** Errors differ only in the rate-limit headers, which not every route has. */
function answersOf(answers: Json, components: Components): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const described = withHeaders(referTo(answer, components), components)
      return [status, Number(status) >= 400 ? nameAnswer(status, described, components) : described]
    }),
  )
}

function withHeaders(answer: unknown, { headers: registered }: Components): unknown {
  if (!isObject(answer) || !isObject(answer['headers'])) return answer
  const headers = Object.entries(answer['headers']).map(([name, header]) => {
    registered[name] ??= header as Json
    const isSame = isDeepStrictEqual(registered[name], header)
    return [name, isSame ? { $ref: `#/components/headers/${name}` } : header]
  })
  return { ...answer, headers: Object.fromEntries(headers) as Json }
}

function nameAnswer(status: string, answer: unknown, { responses }: Components): unknown {
  const { headers = {} } = answer as { headers?: object }
  const isUsual = 'RateLimit' in headers || withoutWindow.has(Number(status))
  const name = isUsual ? `Error${status}` : `Error${status}Unlimited`
  responses[name] ??= answer as Json
  return isDeepStrictEqual(responses[name], answer) ? { $ref: `#/components/responses/${name}` } : answer
}

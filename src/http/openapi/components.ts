/** Writes each named schema and each repeated answer of the OpenAPI document once, and refers to it everywhere else. */

import { isDeepStrictEqual } from 'node:util'
import { withoutWindow } from '../schemas/common.ts'
import { isObject } from '../../core/reference/json.ts'

type Json = Readonly<Record<string, unknown>>

/** What the document has by name. */
interface Components {
  readonly schemas: Record<string, Json>
  readonly headers: Record<string, Json>
  readonly responses: Record<string, Json>
}

/** The same document, shorter. Throws where one name stands for two schemas. */
export function withComponents<Document extends { components?: object }>(document: Document): Document {
  const components: Components = { schemas: {}, headers: {}, responses: {} }
  const { components: given, ...rest } = document
  const shorter = referTo(rest, components) as Omit<Document, 'components'>
  return { ...shorter, components: { ...given, ...sorted(components) } } as Document
}

/** By name, so that the order of the routes is not that of the document. */
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
    // An example is data: whatever it looks like, it is no schema.
    return [name, name === 'example' || name === 'examples' ? member : referTo(member, components)]
  })
  const shorter = Object.fromEntries(entries) as Json
  return typeof title === 'string' && isSchema(value) ? nameSchema(title, shorter, components) : shorter
}

/** A member that is called title has an object there, and so has the information on the document none of these. */
const isSchema = (value: Json): boolean => ['type', 'enum', 'anyOf', '$ref'].some((name) => name in value)

/** What one place says of a schema may differ from what another says: that stays with the reference. */
function nameSchema(title: string, schema: Json, { schemas }: Components): Json {
  const { title: _title, description, ...shape } = schema
  const $ref = `#/components/schemas/${title}`
  const known = schemas[title]
  if (known === undefined) {
    schemas[title] = description === undefined ? shape : { description, ...shape }
    return { $ref }
  }
  const { description: told, ...form } = known
  if (!isDeepStrictEqual(form, shape)) throw new Error(`two schemas are named ${title}`)
  return description === undefined || description === told ? { $ref } : { description, $ref }
}

/** Errors are the same everywhere but for the headers of a rate limit, which not every route has. */
function answersOf(answers: Json, components: Components): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const described = withHeaders(referTo(answer, components), components)
      return [status, Number(status) >= 400 ? nameAnswer(status, described, components) : described]
    }),
  )
}

function withHeaders(answer: unknown, { headers: known }: Components): unknown {
  if (!isObject(answer) || !isObject(answer['headers'])) return answer
  const headers = Object.entries(answer['headers']).map(([name, header]) => {
    known[name] ??= header as Json
    const isKnown = isDeepStrictEqual(known[name], header)
    return [name, isKnown ? { $ref: `#/components/headers/${name}` } : header]
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

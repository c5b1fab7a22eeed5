/** Null for an optional member: the document accepts it exactly where the server takes it for an absent one. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { documentFile } from '../../scripts/generate-contract.ts'
import { withHarness, type Harness } from '../helpers/harness.ts'
import { origin, person, unlimited } from '../helpers/people.ts'
import { post } from '../helpers/post.ts'

interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const { paths, components } = JSON.parse(readFileSync(documentFile, 'utf8')) as Document

/** The schema without references. */
function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(whole)
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as Schema
  if (typeof $ref === 'string') return whole(components.schemas[$ref.split('/').at(-1) ?? ''])
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, whole(member)]))
}

type Place = readonly (string | number)[]

/** The places of all members that may be left out: those of inner objects, and of the first item of a list, too. */
function optionalIn(schema: Schema, base: Place = []): Place[] {
  if (schema.items !== undefined) return optionalIn(schema.items, [...base, 0])
  const inner = (schema.anyOf ?? []).flatMap((one) => optionalIn(one, base))
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const place = [...base, name]
    return [...(schema.required?.includes(name) === true ? [] : [place]), ...optionalIn(member, place)]
  })
  return [...inner, ...members]
}

/** The body with the member as null, or without it. Whatever is on the way there is made. */
function withMember(body: unknown, [first, ...rest]: Place, isNull: boolean): unknown {
  if (first === undefined) return null
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string | number, unknown>
  if (rest.length > 0) copy[first] = withMember(copy[first] ?? {}, rest, isNull)
  else if (isNull) copy[first] = null
  else delete copy[first]
  return copy
}

const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap(({ parameters = [], requestBody }) => {
    const { schema, example } = requestBody?.content['application/json'] ?? {}
    if (schema === undefined) return []
    const values = new Map(parameters.map((one) => [one.name, String(one.example)]))
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? name)
    return [{ path, url, schema: whole(schema) as Schema, example }]
  }),
)

/** The faults that the server finds in a body. */
async function faultsIn(harness: Harness, url: string, body: unknown, headers: Record<string, string>) {
  const { status, body: answer, text } = await post(harness, url, body, { headers })
  assert.ok(status < 500 || status === 503, text)
  // A faulty policy is a result of its check, and no error.
  return (answer?.errors as unknown) ?? []
}

test('every optional member of every body may be null in the document exactly where the server takes it as absent', async () => {
  const settings = { ...unlimited, FAIRWAY_LIMIT_ACCESS: '100000/60' }
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const admin = await person(harness, 'admin', null)
    const wrong: string[] = []
    let checked = 0
    let refused = 0
    for (const { path, url, schema, example } of routes) {
      const validator = Compile(schema as TSchema)
      assert.ok(validator.Check(example), `${path}: the document refuses its own example`)
      const headers = path.startsWith('/api/v1/admin/')
        ? { ...admin.headers }
        : { origin, authorization: `Bearer ${key}` }
      for (const place of optionalIn(schema)) {
        const [withNull, without] = [withMember(example, place, true), withMember(example, place, false)]
        const isAbsent =
          JSON.stringify(await faultsIn(harness, url, withNull, headers)) ===
          JSON.stringify(await faultsIn(harness, url, without, headers))
        checked += 1
        if (!isAbsent) refused += 1
        if (validator.Check(withNull) !== isAbsent) wrong.push(`${path} /${place.join('/')}: ${isAbsent}`)
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(routes.length > 30 && checked > 60 && refused > 5, `${routes.length}, ${checked}, ${refused}`)
  })
})

/**
 * Finds breaking changes of a schema. One rule serves both directions: callers are unaffected if all input that they
 * may send is still accepted, and if no output reaches them that was impossible before.
 */

import { isDeepStrictEqual } from 'node:util'
import {
  isObject,
  listOf,
  memberOf,
  referenceOf,
  type Direction,
  type Documents,
  type Json,
  type Pair,
} from './document.ts'

export function* schemaChanges(
  documents: Documents,
  unresolved: Pair,
  direction: Direction,
): Generator<string> {
  const pair = documents.follow(unresolved, direction)
  if (pair === null) return
  const before = formsOf(pair.before, (part) => documents.resolveBefore(part))
  const after = formsOf(pair.after, (part) => documents.resolveAfter(part))
  const { partners, removed, added } = matched(before, after)
  for (const [old, now] of partners) {
    yield* formChanges(documents, { place: pair.place, before: old.part, after: now.part }, direction)
  }
  if (direction === 'input') for (const { kind } of removed) yield `${pair.place}: ${kind} no longer accepted`
  else for (const { kind } of added) yield `${pair.place}: may now be ${kind}`
}

/** One alternative of a schema. */
interface Form {
  readonly part: unknown
  /** The type; integers count as numbers. */
  readonly kind: string
}

/** Keywords that do not restrict values. `default` is compared separately. */
const annotations = new Set([
  'description',
  'title',
  'example',
  'examples',
  'deprecated',
  '$comment',
  'default',
])

function formsOf(schema: unknown, resolve: (part: unknown) => unknown): Form[] {
  const resolved = resolve(schema)
  if (!isObject(resolved)) return [{ part: {}, kind: 'anything' }]
  const branches = listOf(resolved, 'anyOf')
  if (branches.length > 0) return branches.flatMap((branch) => formsOf(branch, resolve))
  const types = typesOf(resolved)
  const part = (type: string): unknown => {
    if (types.length > 1) return { ...resolved, type }
    return referenceOf(schema) === null ? resolved : schema
  }
  return types.map((type) => ({ part: part(type), kind: type === 'integer' ? 'number' : type }))
}

function typesOf(schema: Json): string[] {
  const { type } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.map(String)
  const values = listOf(schema, 'enum')
  if (values.length === 0) return ['anything']
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
}

/** Matches a form with the one of the same name, else with the first of its kind. */
function matched(before: readonly Form[], after: readonly Form[]) {
  const left = new Set(after)
  const partners: [Form, Form][] = []
  const removed: Form[] = []
  for (const old of before) {
    const alike = [...left].filter(({ kind }) => kind === old.kind)
    const name = referenceOf(old.part)
    const now = alike.find(({ part }) => name !== null && referenceOf(part) === name) ?? alike[0]
    if (now === undefined) removed.push(old)
    else partners.push([old, now])
    if (now !== undefined) left.delete(now)
  }
  const isOpen = (forms: readonly Form[]): boolean => forms.some(({ kind }) => kind === 'anything')
  return { partners, removed: isOpen(after) ? [] : removed, added: isOpen(before) ? [] : [...left] }
}

function* formChanges(documents: Documents, unresolved: Pair, direction: Direction): Generator<string> {
  const pair = documents.follow(unresolved, direction)
  if (pair === null) return
  const { place } = pair
  const before = isObject(pair.before) ? pair.before : {}
  const after = isObject(pair.after) ? pair.after : {}
  yield* valueChanges(place, before, after)
  yield* boundChanges(place, { before, after }, direction)
  yield* memberChanges(documents, { place, before, after }, direction)
  if (!('items' in before || 'items' in after)) return
  const items = { place: `${place}/*`, before: before['items'] ?? {}, after: after['items'] ?? {} }
  yield* schemaChanges(documents, items, direction)
}

/** Removing an enum value breaks callers that send or expect it; adding one is allowed. */
function* valueChanges(place: string, before: Json, after: Json): Generator<string> {
  const values = listOf(after, 'enum')
  if (after['enum'] === undefined) return
  for (const value of listOf(before, 'enum')) {
    if (!values.includes(value)) yield `${place}: value ${String(value)} removed`
  }
}

type Bound = (inner: number, outer: number) => boolean
const atMost: Bound = (inner, outer) => inner <= outer
const atLeast: Bound = (inner, outer) => inner >= outer

const bounds: Readonly<Record<string, Bound>> = {
  maximum: atMost,
  exclusiveMaximum: atMost,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  minimum: atLeast,
  exclusiveMinimum: atLeast,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
}

/** Compared by separate rules. */
const structure = new Set([
  'anyOf',
  'type',
  'enum',
  'items',
  'properties',
  'required',
  'additionalProperties',
  '$ref',
])

/** Values of the inner schema must fit the outer: old input fits the new schema, new output fits the old one. */
function* boundChanges(
  place: string,
  { before, after }: { before: Json; after: Json },
  direction: Direction,
): Generator<string> {
  const [inner, outer] = direction === 'input' ? [before, after] : [after, before]
  const change = (name: string): string =>
    `${place}: ${name} is ${JSON.stringify(after[name]) ?? 'absent'}, was ${JSON.stringify(before[name]) ?? 'absent'}`
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  for (const name of names) {
    const fits = bounds[name]
    if (annotations.has(name) || structure.has(name)) continue
    if (outer[name] === undefined || isDeepStrictEqual(inner[name], outer[name])) continue
    if (fits === undefined || inner[name] === undefined || !fits(Number(inner[name]), Number(outer[name]))) {
      yield change(name)
    }
  }
  // Forms of other types are not matched.
  if (inner['type'] === 'number' && outer['type'] === 'integer') yield change('type')
  // The values were free and are now enumerated, or the reverse.
  if (outer['enum'] !== undefined && inner['enum'] === undefined) yield change('enum')
  const { default: oldDefault } = before
  if (oldDefault !== undefined && !isDeepStrictEqual(oldDefault, after['default'])) yield change('default')
}

function* memberChanges(documents: Documents, pair: Pair, direction: Direction): Generator<string> {
  const { place, before, after } = pair
  const [old, now] = [memberOf(before, 'properties'), memberOf(after, 'properties')]
  for (const name of Object.keys(old)) {
    const at = `${place}/${name}`
    if (now[name] === undefined) yield `${at}: removed`
    else yield* schemaChanges(documents, { place: at, before: old[name], after: now[name] }, direction)
  }
  const [requiredBefore, requiredNow] = [listOf(before, 'required'), listOf(after, 'required')]
  const [inner, outer] = direction === 'input' ? [requiredNow, requiredBefore] : [requiredBefore, requiredNow]
  const change = direction === 'input' ? 'now required' : 'now optional'
  for (const name of inner) {
    const isRemoved = now[String(name)] === undefined && old[String(name)] !== undefined
    if (!outer.includes(name) && !isRemoved) yield `${place}/${String(name)}: ${change}`
  }
  yield* otherMemberChanges(documents, pair, direction)
}

/** Members that the schema does not name. */
function* otherMemberChanges(documents: Documents, pair: Pair, direction: Direction): Generator<string> {
  const [before, after] = [pair.before, pair.after].map(
    (part) => (isObject(part) ? part['additionalProperties'] : undefined) ?? true,
  )
  const [inner, outer] = direction === 'input' ? [before, after] : [after, before]
  const place = `${pair.place}/(any other)`
  if (isObject(before) && isObject(after))
    yield* schemaChanges(documents, { place, before, after }, direction)
  else if (outer !== true && inner !== false && !isDeepStrictEqual(inner, outer)) {
    yield direction === 'input' ? `${place}: no longer accepted` : `${place}: may now be anything`
  }
}

/**
 * What a change of a schema breaks. One rule serves both directions: callers go on as before where all that they may give
 * is still taken, and where nothing reaches them that could not before.
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

export function* schemaChanges(documents: Documents, given: Pair, direction: Direction): Generator<string> {
  const pair = documents.follow(given, direction)
  if (pair === null) return
  const before = formsOf(pair.before, (part) => documents.resolveBefore(part))
  const after = formsOf(pair.after, (part) => documents.resolveAfter(part))
  const { partners, gone, added } = matched(before, after)
  for (const [old, now] of partners) {
    yield* formChanges(documents, { place: pair.place, before: old.part, after: now.part }, direction)
  }
  if (direction === 'input') for (const { kind } of gone) yield `${pair.place}: ${kind} is not taken any more`
  else for (const { kind } of added) yield `${pair.place}: it may be ${kind} now`
}

/** One of the forms that a value may have: a schema is a list of them. */
interface Form {
  readonly part: unknown
  /** The type; whole numbers are numbers here. */
  readonly kind: string
}

/** What does not act on values; what is assumed where a value is missing is looked at apart. */
const notes = new Set(['description', 'title', 'example', 'examples', 'deprecated', '$comment', 'default'])

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

/** A form goes on as the one of the same name or, where there is no such, as the first of its kind. */
function matched(before: readonly Form[], after: readonly Form[]) {
  const left = new Set(after)
  const partners: [Form, Form][] = []
  const gone: Form[] = []
  for (const old of before) {
    const alike = [...left].filter(({ kind }) => kind === old.kind)
    const name = referenceOf(old.part)
    const now = alike.find(({ part }) => name !== null && referenceOf(part) === name) ?? alike[0]
    if (now === undefined) gone.push(old)
    else partners.push([old, now])
    if (now !== undefined) left.delete(now)
  }
  const isOpen = (forms: readonly Form[]): boolean => forms.some(({ kind }) => kind === 'anything')
  return { partners, gone: isOpen(after) ? [] : gone, added: isOpen(before) ? [] : [...left] }
}

function* formChanges(documents: Documents, given: Pair, direction: Direction): Generator<string> {
  const pair = documents.follow(given, direction)
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

/** A value that is gone breaks whoever gives it and whoever waits for it; a new one must be possible. */
function* valueChanges(place: string, before: Json, after: Json): Generator<string> {
  const kept = listOf(after, 'enum')
  if (after['enum'] === undefined) return
  for (const value of listOf(before, 'enum')) {
    if (!kept.includes(value)) yield `${place}: the value ${String(value)} is gone`
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

/** Compared member by member, by rules of their own. */
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

/** Values of the inner schema must fit the outer: what is given fits what is taken, what comes fits what was promised. */
function* boundChanges(
  place: string,
  { before, after }: { before: Json; after: Json },
  direction: Direction,
): Generator<string> {
  const [inner, outer] = direction === 'input' ? [before, after] : [after, before]
  const told = (name: string): string =>
    `${place}: ${name} is ${JSON.stringify(after[name]) ?? 'gone'}, was ${JSON.stringify(before[name]) ?? 'not there'}`
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  for (const name of names) {
    const fits = bounds[name]
    if (notes.has(name) || structure.has(name)) continue
    if (outer[name] === undefined || isDeepStrictEqual(inner[name], outer[name])) continue
    if (fits === undefined || inner[name] === undefined || !fits(Number(inner[name]), Number(outer[name]))) {
      yield told(name)
    }
  }
  // Of other types the forms were not partners.
  if (inner['type'] === 'number' && outer['type'] === 'integer') yield told('type')
  // Values that were free are listed now, or those that were listed are free.
  if (outer['enum'] !== undefined && inner['enum'] === undefined) yield told('enum')
  const { default: assumed } = before
  if (assumed !== undefined && !isDeepStrictEqual(assumed, after['default'])) yield told('default')
}

function* memberChanges(documents: Documents, pair: Pair, direction: Direction): Generator<string> {
  const { place, before, after } = pair
  const [old, now] = [memberOf(before, 'properties'), memberOf(after, 'properties')]
  for (const name of Object.keys(old)) {
    const at = `${place}/${name}`
    if (now[name] === undefined) yield `${at}: it is gone`
    else yield* schemaChanges(documents, { place: at, before: old[name], after: now[name] }, direction)
  }
  const [neededBefore, neededNow] = [listOf(before, 'required'), listOf(after, 'required')]
  const [inner, outer] = direction === 'input' ? [neededNow, neededBefore] : [neededBefore, neededNow]
  const what = direction === 'input' ? 'it is required now' : 'it may be missing now'
  for (const name of inner) {
    const isGone = now[String(name)] === undefined && old[String(name)] !== undefined
    if (!outer.includes(name) && !isGone) yield `${place}/${String(name)}: ${what}`
  }
  yield* otherMemberChanges(documents, pair, direction)
}

/** Members that have no name in the schema. */
function* otherMemberChanges(documents: Documents, pair: Pair, direction: Direction): Generator<string> {
  const [before, after] = [pair.before, pair.after].map(
    (part) => (isObject(part) ? part['additionalProperties'] : undefined) ?? true,
  )
  const [inner, outer] = direction === 'input' ? [before, after] : [after, before]
  const place = `${pair.place}/(any other)`
  if (isObject(before) && isObject(after))
    yield* schemaChanges(documents, { place, before, after }, direction)
  else if (outer !== true && inner !== false && !isDeepStrictEqual(inner, outer)) {
    yield direction === 'input' ? `${place}: it is not taken any more` : `${place}: it may be anything now`
  }
}

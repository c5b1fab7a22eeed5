/** Finds changes of an OpenAPI document that break existing clients. docs/contract.md describes the rules. */

import { isDeepStrictEqual } from 'node:util'
import { Documents, isObject, listOf, memberOf, type Direction, type Json, type Pair } from './document.ts'
import { schemaChanges } from './schema-changes.ts'

/** One line for each change. The lines are stable: a changelog note repeats the line. */
export function breakingChanges(before: Json, after: Json): string[] {
  const documents = new Documents(before, after)
  return [...new Set(documentChanges(documents, before, after))]
}

function* documentChanges(documents: Documents, before: Json, after: Json): Generator<string> {
  const urls = (document: Json): unknown[] =>
    listOf(document, 'servers').map((server) => memberValue(server, 'url'))
  for (const url of urls(before)) if (!urls(after).includes(url)) yield `server ${String(url)}: removed`
  yield* schemeChanges(before, after)
  const paths = (document: Json) => memberOf(document, 'paths')
  yield* operationsChanges(documents, paths(before), paths(after), calls)
  const webhooks = (document: Json) => memberOf(document, 'webhooks')
  yield* operationsChanges(documents, webhooks(before), webhooks(after), events)
}

const memberValue = (part: unknown, name: string): unknown => (isObject(part) ? part[name] : undefined)

/** Directions of an operation: callers send requests to us, we send events to them. */
interface Roles {
  readonly request: Direction
  readonly answer: Direction
  readonly named: (path: string, method: string) => string
}

const calls: Roles = {
  request: 'input',
  answer: 'output',
  named: (path, method) => `${method.toUpperCase()} ${path}`,
}
const events: Roles = { request: 'output', answer: 'input', named: (kind) => `event ${kind}` }

function* schemeChanges(before: Json, after: Json): Generator<string> {
  const schemes = (document: Json) => memberOf(memberOf(document, 'components'), 'securitySchemes')
  const form = (scheme: unknown) => {
    const { description: _description, ...rest } = isObject(scheme) ? scheme : {}
    return rest
  }
  for (const [name, scheme] of Object.entries(schemes(before))) {
    const now = schemes(after)[name]
    if (now === undefined) yield `security scheme ${name}: removed`
    else if (!isDeepStrictEqual(form(scheme), form(now))) yield `security scheme ${name}: changed`
  }
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

function* operationsChanges(
  documents: Documents,
  before: Json,
  after: Json,
  roles: Roles,
): Generator<string> {
  for (const [path, item] of Object.entries(before)) {
    for (const method of methods.filter((one) => memberValue(item, one) !== undefined)) {
      const place = roles.named(path, method)
      const [old, now] = [memberOf(item, method), memberOf(after[path], method)]
      if (memberValue(after[path], method) === undefined) yield `${place}: removed`
      else yield* operationChanges(documents, { place, before: old, after: now }, roles)
    }
  }
}

function* operationChanges(documents: Documents, pair: Pair, roles: Roles): Generator<string> {
  const { place, before, after } = pair
  const [name, nameNow] = [memberValue(before, 'operationId'), memberValue(after, 'operationId')]
  if (name !== nameNow) yield `${place}: operationId is ${String(nameNow)}, was ${String(name)}`
  yield* securityChanges(pair)
  yield* parameterChanges(documents, pair, roles.request)
  yield* bodyChanges(documents, pair, roles.request)
  yield* answerChanges(documents, pair, roles.answer)
}

/** Every caller that was admitted must still be admitted: by the same scheme, without further scopes. */
function* securityChanges({ place, before, after }: Pair): Generator<string> {
  const ways = (operation: unknown): readonly unknown[] => {
    const listed = listOf(operation, 'security')
    return listed.length === 0 ? [{}] : listed
  }
  const admits = (way: unknown, caller: Json): boolean =>
    isObject(way) &&
    Object.entries(way).every(
      ([scheme]) =>
        scheme in caller && listOf(way, scheme).every((scope) => listOf(caller, scheme).includes(scope)),
    )
  for (const way of ways(before)) {
    if (!isObject(way) || ways(after).some((now) => admits(now, way))) continue
    yield `${place}: ${credentialsText(way)} no longer sufficient`
  }
}

function credentialsText(way: Json): string {
  const schemes = Object.keys(way).map((scheme) => [scheme, ...listOf(way, scheme)].join(' '))
  return schemes.length === 0 ? 'no key' : schemes.join(' and ')
}

function* parameterChanges(
  documents: Documents,
  { place, before, after }: Pair,
  direction: Direction,
): Generator<string> {
  const old = parametersOf(before, (part) => documents.resolveBefore(part))
  const now = parametersOf(after, (part) => documents.resolveAfter(part))
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const at = `${place}, ${name}`
    const [was, is] = [old.get(name), now.get(name)]
    const isRequired = is?.['required'] === true
    if (is === undefined) yield `${at}: removed`
    else if (direction === 'input' && isRequired && was?.['required'] !== true) yield `${at}: now required`
    else if (direction === 'output' && !isRequired && was?.['required'] === true) yield `${at}: now optional`
    if (was === undefined || is === undefined) continue
    yield* schemaChanges(documents, { place: at, before: was['schema'], after: is['schema'] }, direction)
  }
}

/** Parameters by location and name. Header names are case-insensitive. */
function parametersOf(operation: unknown, resolve: (part: unknown) => unknown): Map<string, Json> {
  const parameters = listOf(operation, 'parameters').map(resolve).filter(isObject)
  return new Map(
    parameters.map((parameter) => {
      const { in: where, name } = parameter
      const spelled = where === 'header' ? String(name).toLowerCase() : String(name)
      return [`${String(where)} parameter ${spelled}`, parameter]
    }),
  )
}

function* bodyChanges(
  documents: Documents,
  { place, before, after }: Pair,
  direction: Direction,
): Generator<string> {
  const old = documents.resolveBefore(memberValue(before, 'requestBody'))
  const now = documents.resolveAfter(memberValue(after, 'requestBody'))
  const at = `${place}, request body`
  const [wasRequired, isRequired] = [
    memberValue(old, 'required') === true,
    memberValue(now, 'required') === true,
  ]
  if (direction === 'input' && isRequired && !wasRequired) yield `${at}: now required`
  if (direction === 'output' && wasRequired && !isRequired) yield `${at}: now optional`
  yield* contentChanges(documents, { place: at, before: old, after: now }, direction)
}

function* answerChanges(
  documents: Documents,
  { place, before, after }: Pair,
  direction: Direction,
): Generator<string> {
  const [old, now] = [memberOf(before, 'responses'), memberOf(after, 'responses')]
  for (const status of Object.keys(old)) {
    const at = `${place}, response ${status}`
    if (now[status] === undefined) {
      yield `${at}: removed`
      continue
    }
    const pair = documents.follow({ place: at, before: old[status], after: now[status] }, direction)
    if (pair === null) continue
    yield* headerChanges(documents, pair, direction)
    yield* contentChanges(documents, pair, direction)
  }
}

function* headerChanges(
  documents: Documents,
  { place, before, after }: Pair,
  direction: Direction,
): Generator<string> {
  const [old, now] = [memberOf(before, 'headers'), memberOf(after, 'headers')]
  for (const name of Object.keys(old)) {
    const at = `${place}, header ${name}`
    if (now[name] === undefined) {
      yield `${at}: removed`
      continue
    }
    const pair = documents.follow({ place: at, before: old[name], after: now[name] }, direction)
    if (pair === null) continue
    const [was, is] = [memberValue(pair.before, 'schema'), memberValue(pair.after, 'schema')]
    yield* schemaChanges(documents, { place: pair.place, before: was, after: is }, direction)
  }
}

function* contentChanges(
  documents: Documents,
  { place, before, after }: Pair,
  direction: Direction,
): Generator<string> {
  const [old, now] = [memberOf(before, 'content'), memberOf(after, 'content')]
  for (const type of Object.keys(old)) {
    const at = Object.keys(old).length === 1 ? place : `${place} ${type}`
    if (now[type] === undefined) yield `${place}: ${type} removed`
    else {
      const [was, is] = [memberValue(old[type], 'schema'), memberValue(now[type], 'schema')]
      yield* schemaChanges(documents, { place: at, before: was, after: is }, direction)
    }
  }
}

/** The methods of the Python clients: one for each operation, with and without `await`. */

import {
  docstring,
  keyOperations,
  quoted,
  refName,
  snakeCase,
  type ApiDocument,
  type KeyOperation,
  type Parameter,
  type Schema,
} from './document.ts'
import { literal } from './types.ts'

/** Written by hand: their bodies or answers have more than one form. */
const written = new Set([
  'verify',
  'events',
  'batchAssess',
  'keepBatchReport',
  'batchReport',
  'exportAudit',
  'reportOutcomes',
])

/** Calls with POST that have no effect, so that repeating them is safe. */
const withoutEffect = new Set(['comparePartners', 'demoVerify', 'demoCompare', 'replay', 'checkPolicy'])

/** Lists to iterate over, and the member that has the items; an empty name if the answer is the list. */
const listings: Readonly<Record<string, string>> = {
  verifications: '',
  webhookDeliveries: '',
  reviews: 'reviews',
}

/** Lists that are also tables, and the method that reads them as CSV. */
const exports: Readonly<Record<string, string>> = { verifications: 'exportVerifications' }

const simple: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'types.Number' }

function typeOf(document: ApiDocument, schema: Schema): string {
  if (schema.$ref !== undefined) return `types.${refName(schema.$ref)}`
  if (schema.type === 'array') return `list[${typeOf(document, schema.items ?? {})}]`
  if (schema.enum?.join() === 'true,false') return 'bool'
  if (schema.enum !== undefined) {
    const same = Object.entries(document.components.schemas).find(
      ([, named]) => named.enum?.join() === schema.enum?.join(),
    )
    return same === undefined ? literal(schema.enum) : `types.${same[0]}`
  }
  const type = simple[schema.type ?? '']
  if (type === undefined) throw new Error(`no Python type for ${JSON.stringify(schema)}`)
  return type
}

interface Argument {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
}

/** `from` is a word of Python. */
const argumentName = (name: string): string => (name === 'from' ? 'from_' : name)

const argument = (document: ApiDocument, { name, schema, required = false }: Parameter): Argument => ({
  name: argumentName(name),
  type: typeOf(document, schema),
  isRequired: required,
})

const declared = ({ name, type, isRequired }: Argument): string =>
  `${name}: ${type}${isRequired ? '' : ' | None = None'}`

const lineLengthMax = 112

/** A call or a signature: on one line, or with a line for each item, if it is too long. */
function wrapped(open: string, items: readonly string[], close: string, indent: string): string {
  const line = `${indent}${open}${items.join(', ')}${close}`
  if (line.length <= lineLengthMax && !line.includes('\n')) return line
  const lines = items.map((item) => `${indent}    ${item},\n`).join('')
  return `${indent}${open}\n${lines}${indent}${close}`
}

/** The path as a call that encodes its parts. */
function pathCall(path: string): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return names.length === 0
    ? quoted(path)
    : `path(${[quoted(path.replaceAll(/\{\w+\}/g, '{}')), ...names].join(', ')})`
}

interface Parts {
  readonly positional: readonly Argument[]
  readonly query: readonly Parameter[]
  readonly body: Argument | null
}

function partsOf(document: ApiDocument, { parameters = [], requestBody }: KeyOperation): Parts {
  const json = requestBody?.content?.['application/json']
  const isRequired = requestBody?.required === true
  const body = json === undefined ? null : { name: 'body', type: typeOf(document, json.schema), isRequired }
  const inPath = parameters.filter((one) => one.in === 'path').map((one) => argument(document, one))
  const query = parameters.filter((one) => one.in === 'query' && one.name !== 'format')
  return { positional: body === null ? inPath : [...inPath, body], query, body }
}

/** The request of an operation, in a variable whose type says what the answer is. */
function requestText(operation: KeyOperation, { query, body }: Parts, type: string): string {
  const { method, path, isPublic, operationId } = operation
  const repeats = method === 'GET' || withoutEffect.has(operationId)
  const named = query.map(({ name }) => `${quoted(name)}: ${argumentName(name)}`)
  const parts = [
    quoted(method),
    pathCall(path),
    ...(query.length === 0 ? [] : [wrapped('query={', named, '}', '            ').trimStart()]),
    ...(body === null ? [] : [`body=${body.isRequired ? 'body' : 'body or {}'}`]),
    ...(isPublic ? ['needs_key=False'] : []),
    ...(repeats ? [] : ['has_effect=True']),
  ]
  return wrapped(`request: Request[${type}] = Request(`, parts, ')', '        ')
}

const answerSchema = ({ responses }: KeyOperation): Schema =>
  responses['200']?.content?.['application/json']?.schema ?? {}

/** The items of a listing: those of the answer, or of its member. */
function itemType(document: ApiDocument, schema: Schema, member: string): string {
  const list =
    member === '' ? schema : document.components.schemas[refName(schema.$ref ?? '')]?.properties?.[member]
  return typeOf(document, list?.items ?? {})
}

/** How an operation is named, sent and described. */
interface Method {
  readonly name: string
  readonly isCoroutine: boolean
  readonly answer: string
  readonly request: string
  readonly call: string
  readonly text: string
}

/** A listing does what its description says of pages, so that only the summary is repeated. */
function methodsOf(document: ApiDocument, operation: KeyOperation, isAsync: boolean): readonly Method[] {
  const { operationId, summary = '', description = '' } = operation
  const member = listings[operationId]
  const schema = answerSchema(operation)
  const exported = exports[operationId]
  if (member === undefined) {
    const answer = typeOf(document, schema)
    const text = `${summary}. ${description}`.trim()
    const call = `${isAsync ? 'await ' : ''}self._send(request)`
    return [{ name: operationId, isCoroutine: isAsync, answer, request: answer, call, text }]
  }
  const answer = `${isAsync ? 'Async' : ''}Listing[${itemType(document, schema, member)}]`
  const common = { isCoroutine: false, request: 'Any' }
  const call = `self._list(request, ${quoted(member)})`
  const listing = { ...common, name: operationId, answer, call, text: `${summary}.` }
  if (exported === undefined) return [listing]
  const table = `${summary}, as CSV: chunks of complete lines, of which the first begins with the header.`
  const iterator = `${isAsync ? 'Async' : ''}Iterator[str]`
  return [
    listing,
    { ...common, name: exported, answer: iterator, call: 'self._export(request)', text: table },
  ]
}

function methodText(document: ApiDocument, operation: KeyOperation, isAsync: boolean): string {
  const parts = partsOf(document, operation)
  const query = parts.query.map((one) => argument(document, one))
  const positional = [...parts.positional, ...query.filter(({ isRequired }) => isRequired)]
  const keywords = query.filter(({ isRequired }) => !isRequired).map(declared)
  const names = ['self', ...positional.map(declared), ...(keywords.length > 0 ? ['*', ...keywords] : [])]
  return methodsOf(document, operation, isAsync)
    .map(({ name, isCoroutine, answer, request, call: sent, text }) => {
      const open = `${isCoroutine ? 'async def' : 'def'} ${snakeCase(name)}(`
      const signature = wrapped(open, names, `) -> ${answer}:`, '    ')
      const body = `${docstring(text, '        ')}${requestText(operation, parts, request)}`
      return `${signature}\n${body}\n        return ${sent}\n`
    })
    .join('\n')
}

function classText(document: ApiDocument, isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : ''
  const operations = keyOperations(document).filter(({ operationId }) => !written.has(operationId))
  return `class ${prefix}Operations(ABC):
    """The operations of the API${isAsync ? ', to be awaited' : ''}."""

    @abstractmethod
    ${isAsync ? 'async ' : ''}def _send(self, request: Request[T]) -> T: ...

    @abstractmethod
    def _list(self, request: Request[Any], member: str) -> ${prefix}Listing[Any]: ...

    @abstractmethod
    def _export(self, request: Request[Any]) -> ${prefix}Iterator[str]: ...

${operations.map((operation) => methodText(document, operation, isAsync)).join('\n')}`
}

const head = `"""The methods of the clients. Generated from docs/openapi.json by \`npm run generate\`. Do not edit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, AsyncIterator, Iterator, Literal, TypeVar

from ._listing import AsyncListing, Listing
from ._request import Request, path

if TYPE_CHECKING:
    from . import types

T = TypeVar("T")


`

export function pythonOperations(document: ApiDocument): string {
  return head + [false, true].map((isAsync) => classText(document, isAsync)).join('\n\n')
}

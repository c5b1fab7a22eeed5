/** The types of the Python client: a TypedDict for each object of the API. */

import {
  docstring,
  keyOperations,
  pascalCase,
  quoted,
  refName,
  type ApiDocument,
  type Schema,
} from './document.ts'

/** Words that Python does not take as the name of a field. */
const reserved = new Set([
  'from',
  'class',
  'def',
  'import',
  'is',
  'in',
  'not',
  'or',
  'and',
  'pass',
  'if',
  'with',
])
const isFieldName = (name: string): boolean => /^[a-z_]\w*$/i.test(name) && !reserved.has(name)

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}

export const literal = (values: readonly string[]): string => `Literal[${values.map(quoted).join(', ')}]`

const lineLengthMax = 112

/** A line, with the values of its literal on lines of their own if it is too long. */
function wrapped(line: string, indent: string): string {
  const values = /Literal\[(.*?)\]/.exec(line)?.[1]
  if (line.length <= lineLengthMax || values === undefined) return `${line}\n`
  const lines = values.split(', ').map((value) => `${indent}    ${value},\n`)
  return `${line.replace(values, `\n${lines.join('')}${indent}`)}\n`
}

interface Declared {
  readonly name: string
  readonly bases: readonly string[]
  readonly fields: readonly Field[]
  readonly isTotal: boolean
  readonly description?: string | undefined
}

interface Field {
  readonly name: string
  readonly type: string
  readonly description: string | undefined
}

/** Fields whose names Python does not allow are declared by a call; its types are text, since they may come later. */
function declaration({ name, bases, fields, isTotal, description }: Declared): string {
  if (!fields.every((field) => isFieldName(field.name))) {
    const lines = fields.map((field) => `        ${quoted(field.name)}: ${quoted(field.type)},\n`).join('')
    const total = isTotal ? '' : '    total=False,\n'
    return `${name} = TypedDict(\n    ${quoted(name)},\n    {\n${lines}    },\n${total})\n${described(description, '')}`
  }
  const total = isTotal ? [] : ['total=False']
  const lines = fields.map(
    (field) => wrapped(`    ${field.name}: ${field.type}`, '    ') + described(field.description, '    '),
  )
  const text = described(description, '    ')
  const body = text + (text !== '' && lines.length > 0 ? '\n' : '') + lines.join('')
  return `class ${name}(${[...bases, ...total].join(', ')}):\n${body === '' ? '    pass\n' : body}`
}

const described = (description: string | undefined, indent: string): string =>
  description === undefined ? '' : docstring(description, indent)

/** Optional fields are those of a class without `total`: `NotRequired` is not in Python 3.10. */
function typedDict(
  name: string,
  description: string | undefined,
  required: readonly Field[],
  optional: readonly Field[],
): string[] {
  const whole = { name, description }
  const bases = ['TypedDict']
  if (optional.length === 0) return [declaration({ ...whole, bases, fields: required, isTotal: true })]
  const rest = { fields: optional, isTotal: false }
  if (required.length === 0) return [declaration({ ...whole, bases, ...rest })]
  const parts = [`_${name}Required`, `_${name}Optional`] as const
  const first = declaration({ name: parts[0], bases, fields: required, isTotal: true })
  if (optional.every((field) => isFieldName(field.name)))
    return [first, declaration({ ...whole, bases: [parts[0]], ...rest })]
  const second = declaration({ name: parts[1], bases, ...rest })
  return [first, second, declaration({ ...whole, bases: parts, fields: [], isTotal: true })]
}

/** Adds the names of the schemas that a part of the document refers to, directly or not. */
function addNames(document: ApiDocument, part: unknown, names: Set<string>): void {
  if (typeof part !== 'object' || part === null) return
  const { $ref: ref } = part as Schema
  if (ref === undefined) {
    for (const one of Object.values(part)) addNames(document, one, names)
  } else if (!names.has(refName(ref))) {
    names.add(refName(ref))
    addNames(document, document.components.schemas[refName(ref)], names)
  }
}

/** The bodies of webhooks, which no operation refers to. */
const events = [
  'DecisionEvent',
  'OverrideEvent',
  'StatusEvent',
  'EndpointSuspendedEvent',
  'ReviewOpenedEvent',
  'ReviewClosedEvent',
  'TestEvent',
]

function schemaNames(document: ApiDocument): { used: ReadonlySet<string>; inRequests: ReadonlySet<string> } {
  const operations = keyOperations(document)
  const inRequests = new Set<string>()
  for (const { requestBody } of operations) addNames(document, requestBody, inRequests)
  const used = new Set(inRequests)
  addNames(document, [operations, [...events, 'Error'].map((name) => ({ $ref: name }))], used)
  return { used, inRequests }
}

class Types {
  readonly declarations: string[] = []
  /** In a body, a number may also be a Decimal. */
  number = 'float'

  of(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return refName(schema.$ref)
    if (schema.enum !== undefined) return literal(schema.enum)
    if (schema.anyOf !== undefined)
      return [...new Set(schema.anyOf.flatMap((one) => this.of(one, name).split(' | ')))].join(' | ')
    if (schema.type === 'array') return `list[${this.of(schema.items ?? {}, `${name}Item`)}]`
    // Of a free-form object, the document says that it has no properties of its own.
    if (Object.keys(schema.properties ?? {}).length > 0) return this.#object(schema, name)
    if (schema.type === 'object') {
      const { additionalProperties: values } = schema
      return `dict[str, ${typeof values === 'object' ? this.of(values, `${name}Value`) : 'Any'}]`
    }
    if (schema.type === 'number') return this.number
    return simple[schema.type ?? ''] ?? 'Any'
  }

  #object({ properties = {}, required = [], description }: Schema, name: string): string {
    const fields = Object.entries(properties).map(([field, schema]) => ({
      name: field,
      type: this.of(schema, name + pascalCase(field)),
      description: schema.description,
      isRequired: required.includes(field),
    }))
    const parts = typedDict(
      name,
      description,
      fields.filter(({ isRequired }) => isRequired),
      fields.filter(({ isRequired }) => !isRequired),
    )
    this.declarations.push(...parts)
    return name
  }
}

const head = `"""The types of the API. Generated from docs/openapi.json by \`npm run generate\`. Do not edit."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, TypedDict, Union

Number = Union[int, float, Decimal]
"""A number of a request. A Decimal is sent as the number of the same value, and refused if JSON has none."""

`

/** An event of the stream has the type and the data of a webhook, so that a check of `type` tells what `data` is. */
function streamed(schemas: ApiDocument['components']['schemas']): Readonly<Record<string, Schema>> {
  const base = schemas['StreamedEvent'] ?? {}
  const kinds = new Set(base.properties?.['type']?.enum)
  const variants = events.flatMap((name) => {
    const { event = {}, data = {} } = schemas[name]?.properties ?? {}
    if (!kinds.has(event.enum?.[0] ?? '')) return []
    const own = { type: event, data: { anyOf: [data, { type: 'null' }] } }
    return [[`Streamed${name}`, { ...base, properties: { ...base.properties, ...own } }] as const]
  })
  return Object.fromEntries(variants)
}

/** The answer of `/readyz`, a probe outside of the contract. */
const probe: Readonly<Record<string, Schema>> = {
  FollowerState: {
    type: 'object',
    description: 'How far a follower of the journal is.',
    required: ['name', 'lag_entries', 'lag_seconds', 'failing'],
    properties: {
      name: { type: 'string' },
      lag_entries: { type: 'integer', description: 'Entries that it has not passed.' },
      lag_seconds: { type: 'number', description: 'Age of the oldest of them.' },
      failing: { type: 'boolean', description: 'Whether its last run failed, on the instance that answers.' },
    },
  },
  Ready: {
    type: 'object',
    required: ['status', 'followers'],
    properties: {
      status: { enum: ['ready'] },
      followers: { type: 'array', items: { $ref: 'FollowerState' } },
    },
  },
}

export function pythonTypes(document: ApiDocument): string {
  const types = new Types()
  const { used, inRequests } = schemaNames(document)
  const { StreamedEvent: _, ...schemas } = document.components.schemas
  const others = { ...streamed(document.components.schemas), ...probe }
  for (const [name, schema] of Object.entries({ ...schemas, ...others })) {
    if (!used.has(name) && !(name in others)) continue
    types.number = inRequests.has(name) ? 'Number' : 'float'
    const type = types.of(schema, name)
    if (type !== name) types.declarations.push(wrapped(`${name} = ${type}`, ''))
  }
  types.declarations.push(
    union(
      'StreamedEvent',
      Object.keys(streamed(document.components.schemas)),
      'An event of the stream. Its `id` is a cursor.',
    ),
    union('WebhookEvent', events, 'An event sent to a receiver.'),
  )
  return head + types.declarations.map((text) => `\n${text}`).join('\n')
}

const union = (name: string, members: readonly string[], description: string): string =>
  `${name} = Union[\n${members.map((member) => `    ${member},\n`).join('')}]\n${docstring(description, '')}`

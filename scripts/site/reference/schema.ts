/** A schema for people: its type in words, its limits, and its fields as a list, with those of nested objects folded. */

import { escapeHtml } from '../frame.ts'
import { follow, nameOf, schemaAnchor, type Contract, type Schema } from './document.ts'
import { code, inline } from './markup.ts'

export interface Schemas {
  readonly contract: Contract
  /** The names of schemas that are linked, and not shown in place. */
  readonly homes: ReadonlySet<string>
  /** In an answer most fields are always there, so those are marked that may be absent. */
  readonly isAnswer?: boolean
}

/** A schema without its references, and without null among its choices. */
interface Shape extends Schema {
  readonly name: string | null
  readonly isNullable: boolean
}

function shapeOf(schema: Schema, contract: Contract): Shape {
  const name = nameOf(schema)
  const target = follow(contract, schema)
  const choices = target.anyOf?.filter(({ type }) => type !== 'null')
  const isNullable = choices !== undefined && choices.length !== target.anyOf?.length
  const [only, ...others] = choices ?? []
  if (only === undefined || others.length > 0)
    return { ...target, ...(choices && { anyOf: choices }), name, isNullable }
  const inner = shapeOf(only, contract)
  const { description = inner.description } = target
  return {
    ...inner,
    ...(description !== undefined && { description }),
    name: name ?? inner.name,
    isNullable: isNullable || inner.isNullable,
  }
}

/** The schema of the items of a list or a map; null for any other. */
function itemOf({ items, properties, additionalProperties }: Schema): Schema | null {
  if (items !== undefined) return items
  return properties === undefined && typeof additionalProperties === 'object' ? additionalProperties : null
}

/** Through lists and maps to what they hold. */
function heldBy(schema: Schema, contract: Contract): Shape {
  const shape = shapeOf(schema, contract)
  const item = itemOf(shape)
  return item === null ? shape : heldBy(item, contract)
}

/** Plain text. */
export function typeOf(schema: Schema, contract: Contract): string {
  const shape = shapeOf(schema, contract)
  return `${bareType(shape, contract)}${shape.isNullable ? ' or null' : ''}`
}

function bareType(shape: Shape, contract: Contract): string {
  if (shape.anyOf !== undefined)
    return [...new Set(shape.anyOf.map((choice) => typeOf(choice, contract)))].join(' or ')
  const item = itemOf(shape)
  if (item !== null) return `${shape.items === undefined ? 'map to' : 'array of'} ${typeOf(item, contract)}`
  if (shape.properties !== undefined) return shape.name ?? 'object'
  const [first = shape.const] = shape.enum ?? []
  const type = shape.type ?? (first === undefined ? 'any' : typeof first)
  return shape.format === undefined ? type : `${type}, ${shape.format}`
}

const number = (value: number): string => value.toLocaleString('en')

/** Like `1 to 128 characters`; null without limits. */
function range(least: number | undefined, most: number | undefined, unit = ''): string | null {
  if (least === undefined && most === undefined) return null
  const last = least === undefined ? most : (most ?? least)
  const named = unit === '' ? '' : ` ${unit}${last === 1 ? '' : 's'}`
  if (most === undefined) return `at least ${number(least ?? 0)}${named}`
  if (least === undefined) return `at most ${number(most)}${named}`
  return `${least === most ? '' : `${number(least)} to `}${number(most)}${named}`
}

/** Patterns that words say better. */
const patternWords: Readonly<Record<string, string>> = {
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*$': 'no control characters',
  '^[\\x20-\\x7e]*$': 'printable ASCII',
}

/** Markup: all that is asked of a value beside its type. Those of what a list holds follow. */
function limitsOf(schema: Schema, contract: Contract): string[] {
  const shape = shapeOf(schema, contract)
  const { pattern } = shape
  const found = [
    range(shape.minimum, shape.maximum),
    range(shape.minLength, shape.maxLength, 'character'),
    range(shape.minItems, shape.maxItems, 'item'),
    shape.uniqueItems === true ? 'no duplicates' : null,
    pattern === undefined ? null : (patternWords[pattern] ?? `matches ${code(pattern)}`),
    shape.const === undefined ? null : `always ${code(shape.const)}`,
    shape.default === undefined ? null : `default ${code(shape.default)}`,
  ].filter((one) => one !== null)
  const item = itemOf(shape)
  const ofEach = item === null ? [] : limitsOf(item, contract).map((limit) => `each ${limit}`)
  const ofChoices = (shape.anyOf ?? []).flatMap((choice) => limitsOf(choice, contract))
  return [...found, ...ofEach, ...new Set(ofChoices)]
}

/** Markup: the values of an enumeration, also of one that a list or a choice holds. */
function valuesOf(schema: Schema, contract: Contract): string {
  const held = heldBy(schema, contract)
  const values = [held, ...(held.anyOf ?? []).map((choice) => heldBy(choice, contract))]
  const codes = values.flatMap((one) => one.enum ?? []).map(code)
  return codes.length === 0
    ? ''
    : `<p class="ref-values">${codes.length === 1 ? 'Always' : 'One of'} ${codes.join(' ')}</p>`
}

/** A named value: a field, or a parameter. */
export interface Named {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description?: string | undefined
  /** Stands after the type. Plain text. */
  readonly place?: string
  /** Attributes of the item: markup. */
  readonly attributes?: string
}

const required = ' <span class="ref-must">required</span>'
const absent = ' <span class="ref-type">may be absent</span>'

/** Markup: one item of a list of fields. */
export function field(named: Named, schemas: Schemas): string {
  const { name, schema, isRequired, place = '', attributes = '' } = named
  const { contract } = schemas
  const text = inline(named.description ?? shapeOf(schema, contract).description)
  const limits = limitsOf(schema, contract).join(' · ')
  const marked = schemas.isAnswer === true ? (isRequired ? '' : absent) : isRequired ? required : ''
  return `<li${attributes}><p class="ref-field"><code class="ref-name">${escapeHtml(name)}</code> <span class="ref-type">${escapeHtml(typeOf(schema, contract))}${place}</span>${marked}</p>${text === '' ? '' : `<p>${text}</p>`}${valuesOf(schema, contract)}${limits === '' ? '' : `<p class="ref-limits">${limits}</p>`}${nested(name, schema, schemas)}</li>\n`
}

/** Markup: the fields of what a field holds, folded, or a link to them. */
function nested(name: string, schema: Schema, schemas: Schemas): string {
  const held = heldBy(schema, schemas.contract)
  if (held.name !== null && schemas.homes.has(held.name)) return link(held.name)
  const list = listOf(held, schemas)
  return list === '' ? '' : `<details><summary>Fields of ${code(name)}</summary>${list}</details>`
}

const link = (name: string): string =>
  `<p><a href="#${escapeHtml(schemaAnchor(name))}">Fields of ${code(name)}</a></p>`

function listOf(shape: Shape, schemas: Schemas): string {
  const { properties, required: names = [], anyOf } = shape
  if (anyOf !== undefined) return choicesOf(anyOf, schemas)
  if (properties === undefined) return ''
  const items = Object.entries(properties).map(([name, schema]) =>
    field({ name, schema, isRequired: names.includes(name) }, schemas),
  )
  return `<ul class="ref-fields">${items.join('')}</ul>`
}

/** Of choices without fields the type says all. */
function choicesOf(choices: readonly Schema[], schemas: Schemas): string {
  const folds = choices.map((choice, at) => nested(nameOf(choice) ?? `choice ${at + 1}`, choice, schemas))
  return folds.join('')
}

/** Markup: the fields of a body, in place whatever its name; empty if it has none. */
export function fieldsOf(schema: Schema, schemas: Schemas): string {
  return listOf(heldBy(schema, schemas.contract), schemas)
}

/** The operations that the tools of MCP call, with their arguments, taken from the OpenAPI document. */

import { format } from 'prettier'
import { operationNames } from '../../src/mcp/tools.ts'

type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A tool answers with JSON, and an idempotency key is an argument like any other. */
const isArgument = ({ in: place, name }: Parameter): boolean => place !== 'header' && name !== 'format'

/** Hosts read a schema without the document around it. */
function resolved(document: ApiDocument, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(document, item))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: ref } = value as { readonly $ref?: string }
  if (ref !== undefined) return resolved(document, document.components.schemas[ref.split('/').at(-1) ?? ''])
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(document, one)]))
}

/** A model has answers of tools, not headers of HTTP. */
const wordsForTools: Readonly<Record<string, string>> = {
  cursor: 'The `next_cursor` of the previous page.',
  idempotency_key: 'A unique key for this payment, such as a UUID.',
}

const inWordsForTools = ([name, schema]: readonly [string, Schema]) => {
  const description = wordsForTools[name]
  return [name, description === undefined ? schema : { ...schema, description }] as const
}

function described({ schema, description }: Parameter): Schema {
  return description === undefined ? schema : { description, ...schema }
}

function argumentsOf(document: ApiDocument, { parameters = [], requestBody }: Operation) {
  const named = parameters.filter(isArgument)
  const body = resolved(document, requestBody?.content['application/json']?.schema ?? {}) as {
    readonly properties?: Readonly<Record<string, Schema>>
    readonly required?: readonly string[]
  }
  const inBody = Object.keys(body.properties ?? {})
  const properties: [string, Schema][] = [
    ...named.map((one): [string, Schema] => [one.name, resolved(document, described(one)) as Schema]),
    ...Object.entries(body.properties ?? {}),
  ]
  return {
    places: Object.fromEntries([
      ...named.map(({ name, in: place }) => [name, place]),
      ...inBody.map((name) => [name, 'body']),
    ]) as object,
    input: {
      type: 'object',
      properties: Object.fromEntries(properties.map(inWordsForTools)),
      required: [
        ...named.filter(({ required }) => required === true).map(({ name }) => name),
        ...(body.required ?? []),
      ],
      additionalProperties: false,
    },
  }
}

function toolOperations(document: ApiDocument): Readonly<Record<string, object>> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return Object.fromEntries(
    operationNames.map((name) => {
      const found = all.find(({ operation }) => operation.operationId === name)
      if (found === undefined) throw new Error(`the document has no operation ${name}`)
      const { path, method, operation } = found
      return [name, { method: method.toUpperCase(), path, ...argumentsOf(document, operation) }]
    }),
  )
}

const head =
  '/** The operations of the API that the tools call. Generated from docs/openapi.json by `npm run generate`. Do not edit. */\n\n'

export async function toolOperationsText(document: ApiDocument): Promise<string> {
  const text = `${head}export const operations = ${JSON.stringify(toolOperations(document))} as const`
  return format(text, { parser: 'typescript', singleQuote: true, semi: false, printWidth: 110 })
}

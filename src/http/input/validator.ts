/** Validates requests against their TypeBox schemas. Only numbers in a query string are coerced. */

import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
}

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema)
  const numbers = httpPart === 'querystring' ? numberNames(schema) : []
  return (input: unknown) => {
    const value = numbers.length === 0 ? input : withNumbers(input as Record<string, unknown>, numbers)
    return validator.Check(value) ? { value } : { error: validator.Errors(value) }
  }
}

function numberNames(schema: QuerySchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, { type }]) => type === 'integer' || type === 'number')
    .map(([name]) => name)
}

/** Converts the numbers of a query string, in plain decimal notation only. */
function withNumbers(query: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const converted: Record<string, unknown> = { ...query }
  for (const name of names) {
    const text = converted[name]
    if (typeof text === 'string' && /^-?\d{1,300}(?:\.\d{1,300})?$/.test(text)) converted[name] = Number(text)
  }
  return converted
}

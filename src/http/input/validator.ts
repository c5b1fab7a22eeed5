/** Validates what comes in against its TypeBox schema. Nothing is coerced but numbers in a query string. */

import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
}

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema)
  const numbers = httpPart === 'querystring' ? numberNames(schema) : []
  return (given: unknown) => {
    const value = numbers.length === 0 ? given : withNumbers(given as Record<string, unknown>, numbers)
    return validator.Check(value) ? { value } : { error: validator.Errors(value) }
  }
}

function numberNames(schema: QuerySchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, { type }]) => type === 'integer' || type === 'number')
    .map(([name]) => name)
}

/** A query string has only text, so its numbers are read here, and only where they are plainly written. */
function withNumbers(query: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const read: Record<string, unknown> = { ...query }
  for (const name of names) {
    const text = read[name]
    if (typeof text === 'string' && /^-?\d{1,300}(?:\.\d{1,300})?$/.test(text)) read[name] = Number(text)
  }
  return read
}

/** Validates what comes in against its TypeBox schema. Nothing is coerced but whole numbers in a query string. */

import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
}

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema)
  const integers = httpPart === 'querystring' ? integerNames(schema) : []
  return (given: unknown) => {
    const value = integers.length === 0 ? given : withIntegers(given as Record<string, unknown>, integers)
    return validator.Check(value) ? { value } : { error: validator.Errors(value) }
  }
}

function integerNames(schema: QuerySchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, property]) => property.type === 'integer')
    .map(([name]) => name)
}

/** A query string has only text, so its numbers are read here, and only where they are plainly written. */
function withIntegers(query: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const read: Record<string, unknown> = { ...query }
  for (const name of names) {
    const text = read[name]
    if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) read[name] = Number(text)
  }
  return read
}

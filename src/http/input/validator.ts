/**
 * Validates requests against their TypeBox schemas. Only numbers in a query string are coerced, and its misspelt
 * parameters are errors. In a body, null members count as absent, and unknown ones are errors or warnings.
 */

import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import type { BodyWarning } from '../../app/verify/answer.ts'
import { pointerPart } from '../../core/reference/json.ts'
import { KnownNames } from '../../core/reference/known-names.ts'
import { fieldErrors, invalid, ProblemError } from '../errors.ts'
import { fit, shapeOf } from './members.ts'

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
}

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema)
  if (httpPart === 'body') return bodyValidator(schema, validator)
  if (httpPart === 'querystring') return queryValidator(schema, validator)
  return (value: unknown) => (validator.Check(value) ? { value } : { error: validator.Errors(value) })
}

/** Warnings about a body, and the body as sent, by the body as validated. */
const findings = new WeakMap<object, { readonly sent: unknown; readonly warnings: readonly BodyWarning[] }>()

export function warningsOf(body: unknown): readonly BodyWarning[] {
  return findingOf(body)?.warnings ?? []
}

/** Adds to the warnings about a body. */
export function addWarning(body: object, warning: BodyWarning): void {
  findings.set(body, { sent: asSent(body), warnings: [...warningsOf(body), warning] })
}

/** The body before null members were left out. */
export function asSent<Body extends object>(body: Body): Body {
  return (findingOf(body)?.sent ?? body) as Body
}

function findingOf(body: unknown) {
  return typeof body === 'object' && body !== null ? findings.get(body) : undefined
}

interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): TLocalizedValidationError[]
}

function bodyValidator(schema: TSchema, validator: Validator) {
  const shape = shapeOf(schema)
  return (sent: unknown) => {
    const { value, errors, warnings } =
      shape === null ? { value: sent, errors: [], warnings: [] } : fit(sent, shape)
    const isValid = validator.Check(value)
    if (errors.length > 0) {
      const others = isValid ? [] : fieldErrors(validator.Errors(value))
      return { error: new ProblemError(invalid([...errors, ...others])) }
    }
    if (!isValid) return { error: validator.Errors(value) }
    if (typeof value === 'object' && value !== null && (value !== sent || warnings.length > 0)) {
      findings.set(value, { sent, warnings })
    }
    return { value }
  }
}

/** A misspelt parameter is refused as in a body: without its `mode` or `amount` a request would be another one. */
function queryValidator(schema: QuerySchema, validator: Validator) {
  const numbers = numberNames(schema)
  const known = Object.keys(schema.properties ?? {})
  const names = new KnownNames(known)
  return (input: unknown) => {
    const sent = input as Record<string, unknown>
    const value = numbers.length === 0 ? sent : withNumbers(sent, numbers)
    if (!validator.Check(value)) return { error: validator.Errors(value) }
    const errors = Object.keys(sent).flatMap((name) => {
      const meant = known.includes(name) ? null : names.meantBy(name, (one) => Object.hasOwn(sent, one))
      return meant === null
        ? []
        : [{ path: `/${pointerPart(name)}`, message: `is not a parameter of the request; use ${meant}` }]
    })
    return errors.length === 0 ? { value } : { error: new ProblemError(invalid(errors)) }
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

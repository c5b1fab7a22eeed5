/** Checks a value against a schema, and words each error for the operator who wrote the file. */

import { Compile, type Validator } from 'typebox/compile'
import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { unescaped } from '../../core/reference/json.ts'

export type Step = string | number
export type Report = (path: readonly Step[], message: string) => void

/** Messages for texts that do not match their pattern, by member name. */
const patternMessages: Readonly<Record<string, string>> = {
  value: 'must be a JSON pointer, like /data/risk',
  pointer: 'must be a JSON pointer, like /data/as_of',
  pair: 'must be two currencies, like GBP/USD',
  opens: 'must be a time of day, like 08:00',
  cut_off: 'must be a time of day, like 15:30',
  valid_through: 'must be a date, like 2027-12-31',
  settlement_currency: 'must be an ISO 4217 code, like KES',
  currency: 'must be an ISO 4217 code, like GBP',
}

/** A file may have thousands of feeds, and compiling a schema takes longer than checking one. */
const compiled = new WeakMap<TSchema, Validator>()

export function checkForm(schema: TSchema, value: unknown, path: readonly Step[], report: Report): void {
  const reported = new Set<string>()
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  for (const error of validator.Errors(value)) {
    const steps = error.instancePath.split('/').slice(1).map(unescaped)
    const at = [...path, ...steps]
    // Every branch of a union reports an error; the first is enough. An unknown member is reported at its own path.
    if (!reported.has(at.join('/')) && error.keyword !== 'additionalProperties')
      report(at, messageOf(error, at))
    reported.add(at.join('/'))
  }
}

function messageOf(error: TLocalizedValidationError, at: readonly Step[]): string {
  switch (error.keyword) {
    case 'boolean':
      return 'is an unknown member'
    case 'required':
      return `needs ${error.params.requiredProperties.join(', ')}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`
    case 'pattern':
      return patternMessages[String(at.at(-1))] ?? 'has the wrong format'
    default:
      return error.message
  }
}

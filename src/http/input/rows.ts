/** Bodies of many rows, as JSON or CSV: the outer shape is validated here, the rows by one reader for both. */

import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import type { ReadRows, RowFault } from '../../app/assess/batch-rows.ts'
import type { FieldError } from '../errors.ts'
import { CsvBody } from './body.ts'
import { compileValidator } from './validator.ts'

export const noRows = 'has an empty body; send a JSON object or CSV'

/** The validator of a route whose JSON body has this frame around its rows. A bare list stands for the rows in `list`. */
export function validatorOfFrame(frame: TSchema, list?: string): FastifySchemaCompiler<TSchema> {
  return (definition) => {
    if (definition.httpPart !== 'body') return compileValidator(definition)
    const validate = compileValidator({ ...definition, schema: frame })
    return (value: unknown) => {
      if (value instanceof CsvBody) return { value }
      return validate(list !== undefined && Array.isArray(value) ? { [list]: value } : value)
    }
  }
}

/** `member` is the one with the rows. */
export function errorsOf(
  read: Exclude<ReadRows<unknown>, { kind: 'rows' }>,
  { member, isCsv }: { readonly member: string; readonly isCsv: boolean },
): FieldError[] {
  if (read.kind === 'faults') return read.faults.map((fault) => rowError(fault, member))
  const { message, line } = read
  return [{ path: isCsv ? '' : `/${member}`, message, ...(line === null ? {} : { line }) }]
}

export function rowError({ index, column, message, line }: RowFault, member: string): FieldError {
  const path = `/${member}/${index}${column === null ? '' : `/${column}`}`
  return {
    path,
    message,
    row: index + 1,
    ...(column === null ? {} : { column }),
    ...(line === null ? {} : { line }),
  }
}

/** The amount of a form, or an error at its field. */

import { InvalidRequestError } from '@fairway/client'
import { readAmount } from './money.ts'

/** Undefined if nothing was typed; an error at the field, as of a request that the server refused. */
export function amountIn(text: string, path = '/amount'): number | undefined {
  const read = readAmount(text)
  if (read.kind !== 'fault') return read.kind === 'none' ? undefined : read.amount
  throw new InvalidRequestError(read.fault, { errors: [{ path, message: read.fault }] })
}

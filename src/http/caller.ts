/** The caller of a keyed route. */

import type { FastifyRequest } from 'fastify'
import type { KeyRecord } from '../app/ports/keys.ts'

/** The guard has run: a keyed route always has a caller. */
export function callerOf(request: FastifyRequest): KeyRecord {
  if (request.caller === null) throw new Error('a keyed route was reached without a caller')
  return request.caller
}

/** What an answer may be sent as, where a caller can choose. */

import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** With their parameters, so that a caller may ask for them too. */
export const mediaTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

/** What the caller would rather have; JSON where it does not say, or wants neither. */
export function accepted({ headers }: FastifyRequest): 'csv' | 'json' {
  const wanted = new Negotiator({ headers }).mediaType([mediaTypes.json, mediaTypes.csv])
  return wanted === mediaTypes.csv ? 'csv' : 'json'
}

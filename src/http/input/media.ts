/** What an answer may be sent as, where a caller can choose. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** With their parameters, so that a caller may ask for them too. */
export const mediaTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

type Format = keyof typeof mediaTypes

/** What the caller asks for by name, else what it would rather have; JSON where it does not say, or wants neither. */
export function chooseFormat(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  named: Format | undefined,
): Format {
  // For caches on the way: the same address has another answer for another caller.
  reply.header('vary', 'Accept')
  if (named !== undefined) return named
  const wanted = new Negotiator({ headers }).mediaType([mediaTypes.json, mediaTypes.csv])
  return wanted === mediaTypes.csv ? 'csv' : 'json'
}

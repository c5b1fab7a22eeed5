/** Chooses the response format, JSON or CSV. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** With their parameters, so that `Accept` may name them too. */
export const mediaTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

type Format = keyof typeof mediaTypes

/** The format given in the query, else the one that `Accept` prefers, else JSON. */
export function chooseFormat(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  requested: Format | undefined,
): Format {
  // For caches: the response depends on the `Accept` header.
  reply.header('vary', 'Accept')
  if (requested !== undefined) return requested
  const preferred = new Negotiator({ headers }).mediaType([mediaTypes.json, mediaTypes.csv])
  return preferred === mediaTypes.csv ? 'csv' : 'json'
}

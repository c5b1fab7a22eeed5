/** Counts a request to verify that is answered with 503: no decision is stored, but somebody should see it. */

import type { FastifyRequest } from 'fastify'
import type { Holds } from '../app/verify/holds.ts'
import type { Metrics } from '../app/ports/metrics.ts'
import { modeOfKeyType, type Mode } from '../core/identity/api-key.ts'
import { parseCorridor } from '../core/reference/corridor.ts'
import { isObject } from '../core/reference/json.ts'
import { statusOf, type Problem } from './errors.ts'

/** The reason as one text, so that holds of the same reason are counted together. */
const reasonOf = ({ code, unavailableSignals = [] }: Problem): string =>
  unavailableSignals.length === 0 ? code : `${code}:${unavailableSignals.join(' ')}`

export function splitHold(reason: string): { reason: string; unavailable_signals: string[] } {
  const [code = '', signals = ''] = reason.split(':')
  return { reason: code, unavailable_signals: signals.split(' ').filter(Boolean) }
}

export function countHold(
  request: FastifyRequest,
  { holds, metrics }: { readonly holds: Holds; readonly metrics: Pick<Metrics, 'held'> },
): void {
  const { problem, caller } = request
  if (problem === null || statusOf[problem.code] !== 503) return
  const mode = caller === null ? null : modeIn(request.query, modeOfKeyType[caller.type])
  metrics.held(mode ?? 'unknown', problem.code)
  // Before a caller is known, a hold is nobody's.
  if (mode === null || caller?.ownerId === null || caller === null) return
  holds.count({
    ownerId: caller.ownerId,
    mode,
    corridor: corridorIn(request.body),
    reason: reasonOf(problem),
  })
}

/** Only a live key has live payments, whatever mode a request names. */
const modeIn = (query: unknown, own: Mode): Mode =>
  isObject(query) && query['mode'] === 'shadow' ? 'shadow' : own

/** Empty for a body that was not read. */
function corridorIn(body: unknown): string {
  const text = isObject(body) ? body['corridor'] : undefined
  return typeof text === 'string' ? (parseCorridor(text) ?? '') : ''
}

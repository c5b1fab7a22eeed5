/** What is settled when a request arrives, before anybody knows who sent it: whose trace it is part of, and whether it can be taken. */

import type { FastifyRequest } from 'fastify'
import type { Clock } from '../app/ports/system.ts'
import { DecisionTimer } from '../app/verify/decision-timer.ts'
import { parseTraceparent } from '../core/operate/trace-context.ts'

export interface Shedding {
  refuses(): boolean
}

/** Every line of the log that tells of the request names its caller's trace, too. */
export function startTrace(request: FastifyRequest, clock: Clock): void {
  const { traceparent } = request.headers
  const context = typeof traceparent === 'string' ? parseTraceparent(traceparent) : null
  request.trace = new DecisionTimer(clock, context)
  if (context !== null) request.log = request.log.child({ trace_id: context.traceId })
}

/** The pattern of the path, also where it does not have the method; undefined where there is no such path. */
export function patternOf({ routeOptions, refusedPath }: FastifyRequest): string | undefined {
  return routeOptions.url ?? refusedPath
}

/** Before anything is looked up for it: a refusal must cost little. What tells of the service itself is always answered. */
export function isShed(request: FastifyRequest, shedder: Shedding): boolean {
  const { isVital } = request.routeOptions.config
  if (isVital === true || patternOf(request)?.startsWith('/api/') !== true) return false
  return (request.isShed = shedder.refuses())
}

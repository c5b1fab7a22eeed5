/**
 * What is settled when a request arrives, before anybody knows who sent it: whose trace it is part of, whether it can be taken,
 * and with which others it goes on.
 */

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

let next: Promise<void> | null = null

/**
 * Requests that came in one turn of the event loop go on together, stage by stage: resolves in the next turn, for all who
 * asked in this one. Where every answer is at hand, as with an embedded store, each request would otherwise run from its
 * first byte to its last before the next is looked at: nothing that the others ask for could be shared, and the processor
 * would load the same code again for each (docs/decisions/0016).
 */
export function nextTurn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = null
      resolve()
    })
  })
  return next
}

/** Admits requests before authentication: reads trace context, sheds load and groups requests by event-loop turn. */

import type { FastifyRequest } from 'fastify'
import type { Clock } from '../app/ports/system.ts'
import { DecisionTimer } from '../app/verify/decision-timer.ts'
import { parseTraceparent } from '../core/operate/trace-context.ts'

export interface Shedding {
  refuses(isLong: boolean): boolean
}

/** Starts the request's timer, and adds the trace id to every log line of the request. */
export function startTimer(request: FastifyRequest, clock: Clock): void {
  const { headers, span } = request
  const { traceparent } = headers
  const named = typeof traceparent === 'string' ? parseTraceparent(traceparent) : null
  request.timer = new DecisionTimer(clock, span?.context ?? named)
  // With a span, the log adds its ids itself.
  if (named !== null && span === null) request.log = request.log.child({ trace_id: named.traceId })
}

/** The route pattern, also if the path does not support the method; undefined for an unknown path. */
export function patternOf({ routeOptions, refusedPath }: FastifyRequest): string | undefined {
  return routeOptions.url ?? refusedPath
}

/** Runs before any lookup, so that a refusal is cheap. Vital routes (health, methodology, probes, figures) are never shed. */
export function isShed(request: FastifyRequest, shedder: Shedding): boolean {
  const { isVital, isLong = false } = request.routeOptions.config
  if (isVital === true) return false
  return (request.isShed = shedder.refuses(isLong))
}

const now = Promise.resolve()
let next: Promise<void> | null = null
/** Requests of this turn, and of the last turn that had any. */
let arrivals = 0
let lastArrivals = 0

/**
 * Resolves in the next turn of the event loop for all requests of this turn, so that they run together, by stage.
 * With an embedded store, which answers without waiting, each request would otherwise run to its end before the next
 * one starts, and the processor would reload the same code for each (docs/decisions/0016). Lone requests do not wait.
 */
export function nextTurn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = null
      lastArrivals = arrivals
      arrivals = 0
      resolve()
    })
  })
  arrivals += 1
  return lastArrivals < 2 ? now : next
}

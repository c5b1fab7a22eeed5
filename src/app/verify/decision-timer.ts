/** Measures the ten moments of one decision, as they happen. */

import { timelineEvents, type TimelineEvent } from '../../core/explain/timeline.ts'
import type { TraceContext } from '../../core/operate/trace-context.ts'
import type { Clock } from '../ports/system.ts'

const places: Readonly<Record<TimelineEvent, number>> = Object.fromEntries(
  timelineEvents.map((event, place) => [event, place]),
) as Record<TimelineEvent, number>

export class DecisionTimer {
  readonly receivedAtMs: number
  /** The trace of the caller that the request is part of, where it told one. */
  readonly context: TraceContext | null
  readonly #clock: Clock
  readonly #startedMs: number
  readonly #offsetsUs: (number | null)[] = [0, null, null, null, null, null, null, null, null, null]

  constructor(clock: Clock, context: TraceContext | null = null) {
    this.context = context
    this.#clock = clock
    this.receivedAtMs = clock.nowMs()
    this.#startedMs = clock.monotonicMs()
  }

  mark(event: TimelineEvent): void {
    this.#offsetsUs[places[event]] = Math.round(this.#elapsedMs() * 1000)
  }

  /** Microseconds since the request came, in the order of `timelineEvents`; null for what did not happen. */
  offsetsUs(): readonly (number | null)[] {
    return this.#offsetsUs
  }

  /** The last of the moments; null until it has come. */
  preparedUs(): number | null {
    return this.#offsetsUs[places.record_prepared] ?? null
  }

  elapsedMs(): number {
    return Math.round(this.#elapsedMs())
  }

  elapsedSeconds(): number {
    return this.#elapsedMs() / 1000
  }

  #elapsedMs(): number {
    return this.#clock.monotonicMs() - this.#startedMs
  }
}

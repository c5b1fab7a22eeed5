/** Measures the ten timeline events of one decision. */

import { timelineEvents, type TimelineEvent } from '../../core/explain/timeline.ts'
import type { TraceContext } from '../../core/operate/trace-context.ts'
import type { Clock } from '../ports/system.ts'

const places: Readonly<Record<TimelineEvent, number>> = Object.fromEntries(
  timelineEvents.map((event, index) => [event, index]),
) as Record<TimelineEvent, number>

export class DecisionTimer {
  readonly receivedAtMs: number
  /** The caller's trace, if the request named one. */
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

  /** Forgets what came after the validation: the decision is made again. */
  decideAgain(): void {
    this.#offsetsUs.fill(null, places.request_validated + 1)
  }

  /** Microseconds since the request arrived, in the order of `timelineEvents`; null if the event did not happen. */
  offsetsUs(): readonly (number | null)[] {
    return this.#offsetsUs
  }

  /** The offset of the last event; null before it. */
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

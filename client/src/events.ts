/** The event stream: iterate over all events with `for await`, or read page by page. */

import type { Calls } from './calls.ts'
import { UnexpectedAnswerError } from './errors.ts'
import { queryText, withLimits, type CallOptions } from './request.ts'
import type * as wire from './types.ts'

export interface EventStreamOptions {
  /** False: end once there are no more events. Defaults to true: wait for the next ones. */
  readonly follow?: boolean | undefined
}

/** How long a request waits for an event, in seconds. */
const defaultWaitSeconds = 20
/** Without a wait, following would be a loop of requests without a pause. */
const followWaitSecondsMin = 1
/** The most that the server gives: fewer requests for the same events. */
const defaultLimit = 1_000

export class EventStream implements AsyncIterable<wire.StreamedEvent> {
  readonly #calls: Calls
  readonly #query: wire.EventsQuery
  readonly #follows: boolean
  readonly #options: CallOptions

  constructor(calls: Calls, query: wire.EventsQuery & EventStreamOptions, options: CallOptions) {
    const { follow = true, ...sent } = query
    this.#calls = calls
    this.#follows = follow
    this.#query = sent
    this.#options = options
  }

  /** The first events after the cursor, without waiting unless the query says so. */
  page(): Promise<wire.EventsPage> {
    return this.#read(this.#query)
  }

  async *pages(): AsyncGenerator<wire.EventsPage, void, undefined> {
    const waitSeconds = this.#follows
      ? Math.max(followWaitSecondsMin, this.#query.wait_s ?? defaultWaitSeconds)
      : 0
    for (let { after } = this.#query; ;) {
      const page = await this.#read({
        limit: defaultLimit,
        ...this.#query,
        wait_s: waitSeconds,
        ...(after !== undefined && { after }),
      })
      if (page.events.length > 0 && page.next === after) throw endlessStream()
      if (page.events.length > 0) yield page
      else if (!this.#follows) return
      after = page.next
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<wire.StreamedEvent, void, undefined> {
    for await (const { events } of this.pages()) yield* events
  }

  /** The limits count from the moment at which the server stops waiting. */
  async #read(query: wire.EventsQuery): Promise<wire.EventsPage> {
    const waitMs = (query.wait_s ?? 0) * 1_000
    const { timeoutMs, totalTimeoutMs } = withLimits(this.#calls.limits, this.#options)
    const page = await this.#calls.get<wire.EventsPage>(`/api/v1/events${queryText(query)}`, {
      ...this.#options,
      timeoutMs: waitMs + timeoutMs,
      totalTimeoutMs: waitMs + totalTimeoutMs,
    })
    if (!Array.isArray(page.events) || typeof page.next !== 'string') throw noEvents()
    return page
  }
}

const noEvents = (): UnexpectedAnswerError =>
  new UnexpectedAnswerError('The response has no events. Check that the URL is that of a Fairway service.')

const endlessStream = (): UnexpectedAnswerError =>
  new UnexpectedAnswerError(
    'The answer has events and the cursor that was sent, so they would come for ever.',
  )

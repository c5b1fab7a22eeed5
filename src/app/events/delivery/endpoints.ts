/** The dispatcher's in-memory state of each endpoint, and the order of their turns. Nothing here needs to survive. */

import {
  endpointsPerTurnMaxOf,
  fairShare,
  claimedMaxOf,
  inFlightMaxOf,
  freeSlots,
  endpointStates,
  type Lane,
  type Standing,
} from '../../../core/events/delivery-lanes.ts'
import type { ClaimedDelivery } from '../../ports/webhooks.ts'

/** Endpoints held in memory, including idle ones with a known lane. */
const endpointsMax = 10_000

export interface Endpoint {
  readonly webhookId: string
  lane: Lane
  /** Whether an attempt has determined its lane. */
  isTried: boolean
  /** Attempts in flight. */
  inFlight: number
  /** Claimed, not yet in flight. */
  queue: ClaimedDelivery[]
  /** How often it was marked as due. */
  dueMarks: number
  /** The queue in which it waits for its turn; null while it is not due or is full. */
  line: Set<Endpoint> | null
  /** Due, but at its limit of held deliveries: it continues when an attempt has ended. */
  isFull: boolean
}

/** The deliveries to claim for an endpoint in a turn, and its `dueMarks` at that time. */
export interface Wanted {
  readonly endpoint: Endpoint
  readonly count: number
  readonly dueMarks: number
}

/** The queues of one lane. After its turn an endpoint goes to the end of its queue. */
type Lines = Readonly<Record<Standing, Set<Endpoint>>>

export class Endpoints {
  readonly #byId = new Map<string, Endpoint>()
  readonly #lines: Readonly<Record<Lane, Lines>> = { prompt: newLines(), slow: newLines() }
  /** Endpoints with nothing held or due, which may be evicted. */
  readonly #idle = new Set<Endpoint>()
  readonly #held: Record<Lane, number> = { prompt: 0, slow: 0 }

  /** Records that something is due for this endpoint. */
  markDue(webhookId: string): void {
    const endpoint = this.#byId.get(webhookId) ?? this.#add(webhookId)
    endpoint.dueMarks += 1
    if (endpoint.line === null) this.#queue(endpoint)
  }

  /** All claimed deliveries, in flight or waiting. */
  get held(): number {
    return this.#held.prompt + this.#held.slow
  }

  /** The deliveries to claim now, per endpoint. */
  wanted(): Wanted[] {
    return [...this.#wantedOf('prompt'), ...this.#wantedOf('slow')]
  }

  /** Stops when the lane is full, so that the cost does not grow with the number of waiting endpoints. */
  #wantedOf(lane: Lane): Wanted[] {
    const groups = endpointStates.map((standing) => ({
      standing,
      line: this.#lines[lane][standing],
      countMax: endpointsPerTurnMaxOf(lane, standing),
    }))
    const share = fairShare(
      groups.reduce((sum, { line, countMax }) => sum + Math.min(line.size, countMax), 0),
    )
    let held = this.#held[lane]
    const wanted: Wanted[] = []
    for (const { standing, line, countMax } of groups) {
      let remaining = countMax
      for (const endpoint of line) {
        const places = freeSlots(lane, standing, held)
        if (places <= 0 || remaining === 0) break
        const own = claimedMaxOf(lane, endpoint.isTried) - heldBy(endpoint)
        if (own <= 0) {
          this.#leave(endpoint)
          endpoint.isFull = true
          continue
        }
        const count = Math.min(own, places, share)
        held += count
        remaining -= 1
        wanted.push({ endpoint, count, dueMarks: endpoint.dueMarks })
      }
    }
    return wanted
  }

  /** An endpoint with fewer claims than wanted has nothing more due, unless it was marked meanwhile. */
  addClaimed({ endpoint, count, dueMarks }: Wanted, claimed: readonly ClaimedDelivery[]): void {
    endpoint.queue.push(...claimed)
    this.#held[endpoint.lane] += claimed.length
    this.#leave(endpoint)
    if (claimed.length >= count || endpoint.dueMarks !== dueMarks) this.#queue(endpoint)
    else this.#rest(endpoint)
  }

  /** The next delivery to send, or null if none is waiting or the endpoint is at its limit in flight. */
  start(endpoint: Endpoint): ClaimedDelivery | null {
    if (endpoint.inFlight >= inFlightMaxOf(endpoint.isTried)) return null
    const delivery = endpoint.queue.shift() ?? null
    if (delivery !== null) endpoint.inFlight += 1
    return delivery
  }

  /**
   * Ends an attempt. `lane` is the lane it showed, or null if it was not made. Returns the deliveries that the endpoint
   * may no longer hold, for release: all waiting ones when it becomes slow.
   */
  end(endpoint: Endpoint, lane: Lane | null): ClaimedDelivery[] {
    const becomesSlow = endpoint.lane === 'prompt' && lane === 'slow'
    endpoint.inFlight -= 1
    this.#held[endpoint.lane] -= 1
    if (lane !== null) this.#setLane(endpoint, lane)
    const places = becomesSlow ? 0 : claimedMaxOf(endpoint.lane, endpoint.isTried) - endpoint.inFlight
    const surplus = this.#release(endpoint, Math.max(0, places))
    if (endpoint.isFull || surplus.length > 0 || (endpoint.line !== null && heldBy(endpoint) === 0)) {
      this.#queue(endpoint)
    }
    this.#rest(endpoint)
    return surplus
  }

  releaseAll(): ClaimedDelivery[] {
    return [...this.#byId.values()].flatMap((endpoint) => this.#release(endpoint, 0))
  }

  /** Moves an endpoint to the end of its current queue. */
  #queue(endpoint: Endpoint): void {
    this.#leave(endpoint)
    this.#idle.delete(endpoint)
    endpoint.line = this.#lines[endpoint.lane][standingOf(endpoint)]
    endpoint.line.add(endpoint)
  }

  #leave(endpoint: Endpoint): void {
    endpoint.line?.delete(endpoint)
    endpoint.line = null
    endpoint.isFull = false
  }

  #rest(endpoint: Endpoint): void {
    if (endpoint.line === null && !endpoint.isFull && heldBy(endpoint) === 0) this.#idle.add(endpoint)
  }

  #setLane(endpoint: Endpoint, lane: Lane): void {
    endpoint.isTried = true
    if (lane === endpoint.lane) return
    const held = heldBy(endpoint)
    this.#held[endpoint.lane] -= held
    endpoint.lane = lane
    this.#held[lane] += held
    if (endpoint.line !== null) this.#queue(endpoint)
  }

  /** Removes and returns all waiting deliveries but the first `keepCount`. */
  #release(endpoint: Endpoint, keepCount: number): ClaimedDelivery[] {
    const released = endpoint.queue.splice(keepCount)
    this.#held[endpoint.lane] -= released.length
    return released
  }

  #add(webhookId: string): Endpoint {
    const [oldest] = this.#idle
    if (this.#byId.size >= endpointsMax && oldest !== undefined) {
      this.#idle.delete(oldest)
      this.#byId.delete(oldest.webhookId)
    }
    const endpoint: Endpoint = {
      webhookId,
      lane: 'slow',
      isTried: false,
      inFlight: 0,
      queue: [],
      dueMarks: 0,
      line: null,
      isFull: false,
    }
    this.#byId.set(webhookId, endpoint)
    return endpoint
  }
}

function newLines(): Lines {
  return { untried: new Set(), idle: new Set(), busy: new Set() }
}

function standingOf(endpoint: Endpoint): Standing {
  if (!endpoint.isTried) return 'untried'
  return heldBy(endpoint) === 0 ? 'idle' : 'busy'
}

function heldBy({ inFlight, queue }: Endpoint): number {
  return inFlight + queue.length
}

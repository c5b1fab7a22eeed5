/** What the dispatcher knows of each endpoint at this moment, and whose turn it is. Nothing is lost with it. */

import {
  endpointsATurnMaxOf,
  fairShare,
  heldMaxOf,
  inFlightMaxOf,
  lanePlaces,
  standings,
  type Lane,
  type Standing,
} from '../../../core/events/delivery-lanes.ts'
import type { ClaimedDelivery } from '../../ports/webhooks.ts'

/** Endpoints whose lane is remembered while they have nothing to do. */
const rememberedMax = 10_000

export interface Endpoint {
  readonly webhookId: string
  lane: Lane
  /** Whether an attempt has shown to which lane it belongs. */
  isTried: boolean
  /** Under way. */
  inFlight: number
  /** Claimed, and not under way yet. */
  queue: ClaimedDelivery[]
  /** How often it was said that something is due for it. */
  calls: number
  /** The line in which it waits for its turn; null while it is not called, or holds as much as it may. */
  line: Set<Endpoint> | null
  /** It was called, but holds as much as it may: it goes on when an attempt has ended. */
  isFull: boolean
}

/** What a turn asks for, and how often the endpoint had been called by then. */
export interface Wanted {
  readonly endpoint: Endpoint
  readonly count: number
  readonly calls: number
}

/** Of one lane. After its turn an endpoint goes to the end of its line. */
type Lines = Readonly<Record<Standing, Set<Endpoint>>>

export class Endpoints {
  readonly #known = new Map<string, Endpoint>()
  readonly #lines: Readonly<Record<Lane, Lines>> = { prompt: newLines(), slow: newLines() }
  /** Those that may be forgotten: nothing is held or due. */
  readonly #resting = new Set<Endpoint>()
  readonly #held: Record<Lane, number> = { prompt: 0, slow: 0 }

  /** Something is due for this endpoint. */
  call(webhookId: string): void {
    const endpoint = this.#known.get(webhookId) ?? this.#meet(webhookId)
    endpoint.calls += 1
    if (endpoint.line === null) this.#queue(endpoint)
  }

  /** Under way, or claimed for it. */
  get held(): number {
    return this.#held.prompt + this.#held.slow
  }

  /** Which endpoints may have how many now. */
  wanted(): Wanted[] {
    return [...this.#wantedOf('prompt'), ...this.#wantedOf('slow')]
  }

  /** A lane that is full is not searched: the work does not grow with those that wait. */
  #wantedOf(lane: Lane): Wanted[] {
    const asking = standings.map((standing) => ({
      standing,
      line: this.#lines[lane][standing],
      countMax: endpointsATurnMaxOf(lane, standing),
    }))
    const share = fairShare(
      asking.reduce((sum, { line, countMax }) => sum + Math.min(line.size, countMax), 0),
    )
    let held = this.#held[lane]
    const wanted: Wanted[] = []
    for (const { standing, line, countMax } of asking) {
      let left = countMax
      for (const endpoint of line) {
        const places = lanePlaces(lane, standing, held)
        if (places <= 0 || left === 0) break
        const own = heldMaxOf(lane, endpoint.isTried) - heldBy(endpoint)
        if (own <= 0) {
          this.#leave(endpoint)
          endpoint.isFull = true
          continue
        }
        const count = Math.min(own, places, share)
        held += count
        left -= 1
        wanted.push({ endpoint, count, calls: endpoint.calls })
      }
    }
    return wanted
  }

  /** An endpoint that got less than it asked for has nothing more due, unless it was called meanwhile. */
  took({ endpoint, count, calls }: Wanted, claimed: readonly ClaimedDelivery[]): void {
    endpoint.queue.push(...claimed)
    this.#held[endpoint.lane] += claimed.length
    this.#leave(endpoint)
    if (claimed.length >= count || endpoint.calls !== calls) this.#queue(endpoint)
    else this.#rest(endpoint)
  }

  /** The next to be sent to this endpoint, if it may have one more under way; the caller sends it. */
  start(endpoint: Endpoint): ClaimedDelivery | null {
    if (endpoint.inFlight >= inFlightMaxOf(endpoint.isTried)) return null
    const delivery = endpoint.queue.shift() ?? null
    if (delivery !== null) endpoint.inFlight += 1
    return delivery
  }

  /**
   * An attempt has ended and shows the lane of its endpoint, or was not made (null). Returns what the endpoint may not hold
   * any more, to be given back: all that waits for it where it turns slow.
   */
  end(endpoint: Endpoint, lane: Lane | null): ClaimedDelivery[] {
    const turnsSlow = endpoint.lane === 'prompt' && lane === 'slow'
    endpoint.inFlight -= 1
    this.#held[endpoint.lane] -= 1
    if (lane !== null) this.#setLane(endpoint, lane)
    const places = turnsSlow ? 0 : heldMaxOf(endpoint.lane, endpoint.isTried) - endpoint.inFlight
    const surplus = this.#surrender(endpoint, Math.max(0, places))
    if (endpoint.isFull || surplus.length > 0 || (endpoint.line !== null && heldBy(endpoint) === 0)) {
      this.#queue(endpoint)
    }
    this.#rest(endpoint)
    return surplus
  }

  surrenderAll(): ClaimedDelivery[] {
    return [...this.#known.values()].flatMap((endpoint) => this.#surrender(endpoint, 0))
  }

  /** To the end of the line where it belongs now. */
  #queue(endpoint: Endpoint): void {
    this.#leave(endpoint)
    this.#resting.delete(endpoint)
    endpoint.line = this.#lines[endpoint.lane][standingOf(endpoint)]
    endpoint.line.add(endpoint)
  }

  #leave(endpoint: Endpoint): void {
    endpoint.line?.delete(endpoint)
    endpoint.line = null
    endpoint.isFull = false
  }

  #rest(endpoint: Endpoint): void {
    if (endpoint.line === null && !endpoint.isFull && heldBy(endpoint) === 0) this.#resting.add(endpoint)
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

  /** All but the first few of what is claimed for it and not under way. */
  #surrender(endpoint: Endpoint, kept: number): ClaimedDelivery[] {
    const surrendered = endpoint.queue.splice(kept)
    this.#held[endpoint.lane] -= surrendered.length
    return surrendered
  }

  #meet(webhookId: string): Endpoint {
    const [oldest] = this.#resting
    if (this.#known.size >= rememberedMax && oldest !== undefined) {
      this.#resting.delete(oldest)
      this.#known.delete(oldest.webhookId)
    }
    const endpoint: Endpoint = {
      webhookId,
      lane: 'slow',
      isTried: false,
      inFlight: 0,
      queue: [],
      calls: 0,
      line: null,
      isFull: false,
    }
    this.#known.set(webhookId, endpoint)
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

/** What the dispatcher knows of each endpoint at this moment, and whose turn it is. Nothing is lost with it. */

import {
  endpointsATurnMax,
  fairShare,
  heldMaxOf,
  inFlightMaxOf,
  lanePlaces,
  paces,
  type Pace,
} from '../../../core/events/delivery-lanes.ts'
import type { ClaimedDelivery } from '../../ports/webhooks.ts'

/** Endpoints that are remembered for their pace while they have nothing to do. */
const rememberedMax = 10_000

export interface Endpoint {
  readonly webhookId: string
  pace: Pace
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

/** Of one pace: those that hold nothing go before those that hold some; in each line, who has had a turn goes to the end. */
interface Lines {
  readonly idle: Set<Endpoint>
  readonly busy: Set<Endpoint>
}

export class Endpoints {
  readonly #known = new Map<string, Endpoint>()
  readonly #lines: Readonly<Record<Pace, Lines>> = {
    prompt: newLines(),
    unknown: newLines(),
    poor: newLines(),
  }
  /** Those that may be forgotten: nothing is held or due. */
  readonly #resting = new Set<Endpoint>()
  readonly #held: Record<Pace, number> = { unknown: 0, prompt: 0, poor: 0 }

  /** Something is due for this endpoint. */
  call(webhookId: string): void {
    const endpoint = this.#known.get(webhookId) ?? this.#meet(webhookId)
    endpoint.calls += 1
    if (endpoint.line === null) this.#queue(endpoint)
  }

  /** Under way, or claimed for it. */
  get held(): number {
    return this.#held.unknown + this.#held.prompt + this.#held.poor
  }

  /** Who may have how many now: those that are prompt first, and each pace with a share of its own. */
  wanted(): Wanted[] {
    const held = { ...this.#held }
    return paces.flatMap((pace) => this.#wantedOf(pace, held))
  }

  /** A lane that is full is not searched: the work does not grow with those that wait. */
  #wantedOf(pace: Pace, held: Record<Pace, number>): Wanted[] {
    const { idle, busy } = this.#lines[pace]
    const countMax = endpointsATurnMax(pace)
    const share = fairShare(Math.min(idle.size + busy.size, countMax))
    const wanted: Wanted[] = []
    for (const line of [idle, busy]) {
      for (const endpoint of line) {
        const lane = lanePlaces(pace, line === idle, held)
        if (lane <= 0 || wanted.length === countMax) break
        const own = heldMaxOf(pace, held) - heldBy(endpoint)
        if (own <= 0) {
          this.#leave(endpoint)
          endpoint.isFull = true
          continue
        }
        const count = Math.min(own, lane, share)
        held[pace] += count
        wanted.push({ endpoint, count, calls: endpoint.calls })
      }
    }
    return wanted
  }

  /** An endpoint that got less than it asked for has nothing more due, unless it was called meanwhile. */
  took({ endpoint, count, calls }: Wanted, claimed: readonly ClaimedDelivery[]): void {
    endpoint.queue.push(...claimed)
    this.#held[endpoint.pace] += claimed.length
    this.#leave(endpoint)
    if (claimed.length >= count || endpoint.calls !== calls) this.#queue(endpoint)
    else this.#rest(endpoint)
  }

  /** The next to be sent to this endpoint, if it may have one more under way; the caller sends it. */
  start(endpoint: Endpoint): ClaimedDelivery | null {
    if (endpoint.inFlight >= inFlightMaxOf(endpoint.pace, this.#held)) return null
    const delivery = endpoint.queue.shift() ?? null
    if (delivery !== null) endpoint.inFlight += 1
    return delivery
  }

  /** An attempt is over, with what it showed of the endpoint's pace, or was not made after all (null). What may not follow it any more is to be given back. */
  end(endpoint: Endpoint, pace: Pace | null): ClaimedDelivery[] {
    endpoint.inFlight -= 1
    this.#held[endpoint.pace] -= 1
    if (pace !== null) this.#setPace(endpoint, pace)
    const places = Math.max(0, heldMaxOf(endpoint.pace, this.#held) - endpoint.inFlight)
    const surplus = endpoint.queue.length > places ? this.#surrender(endpoint, places) : []
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
    endpoint.line = this.#lines[endpoint.pace][heldBy(endpoint) === 0 ? 'idle' : 'busy']
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

  #setPace(endpoint: Endpoint, pace: Pace): void {
    if (pace === endpoint.pace) return
    const held = heldBy(endpoint)
    this.#held[endpoint.pace] -= held
    endpoint.pace = pace
    this.#held[pace] += held
    if (endpoint.line !== null) this.#queue(endpoint)
  }

  /** All but the first few of what is claimed for it and not under way. */
  #surrender(endpoint: Endpoint, kept: number): ClaimedDelivery[] {
    const surrendered = endpoint.queue.splice(kept)
    this.#held[endpoint.pace] -= surrendered.length
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
      pace: 'unknown',
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
  return { idle: new Set(), busy: new Set() }
}

function heldBy({ inFlight, queue }: Endpoint): number {
  return inFlight + queue.length
}

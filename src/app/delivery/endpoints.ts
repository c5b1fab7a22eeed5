/** What the dispatcher knows of each endpoint at this moment, and whose turn it is. Nothing is lost with it. */

import { heldMaxOf, inFlightMaxOf, lanePlaces, paceOf, type Pace } from '../../core/delivery-lanes.ts'
import type { ClaimedDelivery } from '../ports.ts'

/** So that one turn is short. */
const endpointsATurnMax = 64
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
  /** It holds as much as it may: its turn comes when an attempt has ended. */
  isFull: boolean
}

/** What a turn asks for, and how often the endpoint had been called by then. */
export interface Wanted {
  readonly endpoint: Endpoint
  readonly count: number
  readonly calls: number
}

export class Endpoints {
  readonly #known = new Map<string, Endpoint>()
  /** Those for which something may be due; who has had a turn goes to the end. */
  readonly #called = new Set<Endpoint>()
  readonly #held: Record<Pace, number> = { unknown: 0, prompt: 0, slow: 0 }

  /** Something is due for this endpoint. */
  call(webhookId: string): void {
    const endpoint = this.#known.get(webhookId) ?? this.#meet(webhookId)
    endpoint.calls += 1
    this.#callAgain(endpoint)
  }

  /** Under way, or claimed for it. */
  get held(): number {
    return this.#held.unknown + this.#held.prompt + this.#held.slow
  }

  /** Who may have how many now. */
  wanted(): Wanted[] {
    const held = { ...this.#held }
    const wanted: Wanted[] = []
    for (const endpoint of this.#called) {
      if (wanted.length === endpointsATurnMax) break
      const { pace } = endpoint
      const own = heldMaxOf(pace, held) - heldBy(endpoint)
      if (own <= 0) {
        endpoint.isFull = true
        this.#called.delete(endpoint)
        continue
      }
      const count = Math.min(own, lanePlaces(pace, held))
      if (count <= 0) continue
      held[pace] += count
      wanted.push({ endpoint, count, calls: endpoint.calls })
    }
    return wanted
  }

  /** An endpoint that got less than it asked for has nothing more due, unless it was called meanwhile. */
  took({ endpoint, count, calls }: Wanted, claimed: readonly ClaimedDelivery[]): void {
    endpoint.queue.push(...claimed)
    this.#held[endpoint.pace] += claimed.length
    this.#called.delete(endpoint)
    if (claimed.length >= count || endpoint.calls !== calls) this.#called.add(endpoint)
  }

  /** The next to be sent to this endpoint, if it may have one more under way; the caller sends it. */
  start(endpoint: Endpoint): ClaimedDelivery | null {
    if (endpoint.inFlight >= inFlightMaxOf(endpoint.pace, this.#held)) return null
    const delivery = endpoint.queue.shift() ?? null
    if (delivery !== null) endpoint.inFlight += 1
    return delivery
  }

  /** An attempt is over, or was not made after all (null). What may not follow it any more is to be given back. */
  end(endpoint: Endpoint, durationMs: number | null): ClaimedDelivery[] {
    endpoint.inFlight -= 1
    this.#held[endpoint.pace] -= 1
    if (durationMs !== null) this.#setPace(endpoint, paceOf(durationMs))
    if (endpoint.isFull) this.#callAgain(endpoint)
    const places = heldMaxOf(endpoint.pace, this.#held) - endpoint.inFlight
    return endpoint.queue.length > places ? this.#surrender(endpoint, Math.max(0, places)) : []
  }

  #setPace(endpoint: Endpoint, pace: Pace): void {
    const held = heldBy(endpoint)
    this.#held[endpoint.pace] -= held
    endpoint.pace = pace
    this.#held[pace] += held
  }

  #callAgain(endpoint: Endpoint): void {
    endpoint.isFull = false
    this.#called.add(endpoint)
  }

  /** All but the first few of what is claimed for it and not under way. */
  #surrender(endpoint: Endpoint, kept: number): ClaimedDelivery[] {
    const surrendered = endpoint.queue.splice(kept)
    this.#held[endpoint.pace] -= surrendered.length
    this.#callAgain(endpoint)
    return surrendered
  }

  surrenderAll(): ClaimedDelivery[] {
    return [...this.#known.values()].flatMap((endpoint) => this.#surrender(endpoint, 0))
  }

  #meet(webhookId: string): Endpoint {
    if (this.#known.size >= rememberedMax) this.#forgetOne()
    const endpoint: Endpoint = { webhookId, pace: 'unknown', inFlight: 0, queue: [], calls: 0, isFull: false }
    this.#known.set(webhookId, endpoint)
    return endpoint
  }

  #forgetOne(): void {
    for (const endpoint of this.#known.values()) {
      if (heldBy(endpoint) > 0 || this.#called.has(endpoint)) continue
      this.#known.delete(endpoint.webhookId)
      return
    }
  }
}

function heldBy({ inFlight, queue }: Endpoint): number {
  return inFlight + queue.length
}

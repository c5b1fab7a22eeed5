/**
 * How many deliveries may be claimed, and for which endpoints. Each of two lanes has places of its own, so that a slow or
 * dead receiver never delays a prompt one.
 */

/** Prompt: the last attempt was delivered in time. Slow: it failed, took longer, or there was none yet. */
export type Lane = 'prompt' | 'slow'

/** In the order in which endpoints of a lane are served: never tried, holding nothing, holding some. */
export const standings = ['untried', 'idle', 'busy'] as const
export type Standing = (typeof standings)[number]

export const laneLimits = {
  /** Claimed by one instance for all endpoints of a lane, under way or about to be. */
  heldMax: 768,
  /** Places that busy endpoints leave to idle ones, and slow endpoints to those that were never tried. */
  keptPlaces: 256,
  /** Under way to one endpoint. */
  inFlightMax: 32,
  /** Claimed for one prompt endpoint, so that no place is idle while the next are fetched. */
  promptHeldMax: 128,
  /** Claimed in one turn for a lane: a turn is one transaction, and is to be short. */
  claimedATurnMax: 256,
  /** Endpoints of one standing in one turn: each is a statement of its own, and what is slow is to cost little. */
  endpointsATurnMax: { untried: 8, prompt: 32, slow: 1 },
  promptMsMax: 1_000,
} as const

export function laneOf(durationMs: number, isDelivered: boolean): Lane {
  return isDelivered && durationMs <= laneLimits.promptMsMax ? 'prompt' : 'slow'
}

/** The most that may be under way to one endpoint: one, until it was tried. */
export function inFlightMaxOf(isTried: boolean): number {
  return isTried ? laneLimits.inFlightMax : 1
}

/** How many may be claimed for one endpoint: ahead of what is under way only where it is prompt. */
export function heldMaxOf(lane: Lane, isTried: boolean): number {
  return lane === 'prompt' ? laneLimits.promptHeldMax : inFlightMaxOf(isTried)
}

/** How many more may be claimed for one endpoint in a lane that holds so many. */
export function lanePlaces(lane: Lane, standing: Standing, held: number): number {
  const { heldMax, keptPlaces, inFlightMax } = laneLimits
  const free = heldMax - held
  if (standing === 'untried') return free
  const forIdle = lane === 'slow' ? free - keptPlaces : free
  const forBusy = forIdle - keptPlaces
  if (standing === 'busy') return forBusy
  // Of the places that busy endpoints leave, an idle one takes no more than it can use at once; one that may hang takes one.
  return Math.max(forBusy, Math.min(forIdle, lane === 'prompt' ? inFlightMax : 1))
}

/** How many endpoints of a lane and standing may claim in one turn. */
export function endpointsATurnMaxOf(lane: Lane, standing: Standing): number {
  return laneLimits.endpointsATurnMax[standing === 'untried' ? 'untried' : lane]
}

/** The most that each of so many endpoints may claim in one turn. */
export function fairShare(asking: number): number {
  return Math.max(1, Math.floor(laneLimits.claimedATurnMax / asking))
}

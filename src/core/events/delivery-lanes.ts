/**
 * Limits on claimed deliveries per lane and endpoint. Each of the two lanes has its own places, so that a slow or dead
 * receiver never delays a prompt one.
 */

/** Prompt: the last attempt was delivered in time. Slow: it failed, took longer, or there was none yet. */
export type Lane = 'prompt' | 'slow'

/** In serving order within a lane: never tried, holding no deliveries, holding some. */
export const endpointStates = ['untried', 'idle', 'busy'] as const
export type Standing = (typeof endpointStates)[number]

export const laneLimits = {
  /** Deliveries that one instance holds for all endpoints of a lane, in flight or waiting. */
  heldMax: 768,
  /** Places reserved from busy endpoints for idle ones, and from slow endpoints for untried ones. */
  reservedPlaces: 256,
  /** In flight to one endpoint. */
  inFlightMax: 32,
  /** Held for one prompt endpoint: enough to keep it busy while more are claimed. */
  promptHeldMax: 128,
  /** Claimed per turn for a lane, since a turn is one transaction and must be short. */
  claimedPerTurnMax: 256,
  /** Endpoints of one standing per turn. Each costs a statement, so slow ones get few. */
  endpointsPerTurnMax: { untried: 8, prompt: 32, slow: 1 },
  promptMsMax: 1_000,
} as const

export function laneOf(durationMs: number, isDelivered: boolean): Lane {
  return isDelivered && durationMs <= laneLimits.promptMsMax ? 'prompt' : 'slow'
}

/** The limit of deliveries in flight to one endpoint: one until it was tried. */
export function inFlightMaxOf(isTried: boolean): number {
  return isTried ? laneLimits.inFlightMax : 1
}

/** The limit of held deliveries for one endpoint; more than may be in flight only if it is prompt. */
export function claimedMaxOf(lane: Lane, isTried: boolean): number {
  return lane === 'prompt' ? laneLimits.promptHeldMax : inFlightMaxOf(isTried)
}

/** The number of deliveries that one endpoint may still claim when its lane holds `held`. */
export function freeSlots(lane: Lane, standing: Standing, held: number): number {
  const { heldMax, reservedPlaces, inFlightMax } = laneLimits
  const free = heldMax - held
  if (standing === 'untried') return free
  const forIdle = lane === 'slow' ? free - reservedPlaces : free
  const forBusy = forIdle - reservedPlaces
  if (standing === 'busy') return forBusy
  // An idle endpoint takes only as many reserved places as it can use at once; a slow one, which may hang, takes one.
  return Math.max(forBusy, Math.min(forIdle, lane === 'prompt' ? inFlightMax : 1))
}

/** The number of endpoints of a lane and standing that may claim in one turn. */
export function endpointsPerTurnMaxOf(lane: Lane, standing: Standing): number {
  return laneLimits.endpointsPerTurnMax[standing === 'untried' ? 'untried' : lane]
}

/** The number of deliveries that each of `endpointCount` endpoints may claim in one turn. */
export function fairShare(endpointCount: number): number {
  return Math.max(1, Math.floor(laneLimits.claimedPerTurnMax / endpointCount))
}

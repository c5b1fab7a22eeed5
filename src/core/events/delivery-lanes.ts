/**
 * How many deliveries may be claimed at a time, and for whom, so that a slow or dead receiver harms nobody: an endpoint is
 * believed to be prompt only once it has been, and what is not never takes the last places.
 */

/** By its last attempt: none yet; delivered soon; failed, or took long. */
export type Pace = 'unknown' | 'prompt' | 'poor'

export const paces: readonly Pace[] = ['prompt', 'unknown', 'poor']

export const lanes = {
  /** Claimed by one instance at a time, under way or about to be. */
  heldMax: 1_024,
  /** Of these, by poor endpoints together. */
  poorHeldMax: 512,
  /** By poor and unknown ones together: the rest is for those that are prompt. */
  notPromptHeldMax: 768,
  /** Kept for prompt endpoints that hold nothing yet: those that hold much cannot take the place of the next. */
  keptForIdle: 128,
  /** Claimed in one turn for all endpoints of a pace: a turn is one transaction, and is to be short. */
  claimedATurnMax: 256,
  /** Endpoints in one turn, by their pace: each is a statement of its own. */
  promptATurnMax: 64,
  unknownATurnMax: 8,
  poorATurnMax: 1,
  /** Under way to one endpoint at a time, by its pace. */
  promptInFlightMax: 32,
  unknownInFlightMax: 1,
  poorInFlightMax: 2,
  /** While fewer than this are held by poor endpoints there is plenty of room, and each is served as any other. */
  poorIsCrowdedFrom: 128,
  /** Claimed for each that may be under way to a prompt endpoint, so that no place is idle while the next is fetched. */
  claimedPerPlace: 4,
  promptMsMax: 1_000,
} as const

/** How many are held, by the pace of their endpoints. */
export type Held = Readonly<Record<Pace, number>>

export function paceOf(durationMs: number, isDelivered: boolean): Pace {
  return isDelivered && durationMs <= lanes.promptMsMax ? 'prompt' : 'poor'
}

/** The most that may be under way to one endpoint of this pace. */
export function inFlightMaxOf(pace: Pace, { poor }: Held): number {
  if (pace === 'prompt') return lanes.promptInFlightMax
  if (pace === 'unknown') return lanes.unknownInFlightMax
  return poor < lanes.poorIsCrowdedFrom ? lanes.promptInFlightMax : lanes.poorInFlightMax
}

/** How many may be claimed for one endpoint of this pace. */
export function heldMaxOf(pace: Pace, held: Held): number {
  return inFlightMaxOf(pace, held) * (pace === 'prompt' ? lanes.claimedPerPlace : 1)
}

/** How many more may be claimed for endpoints of this pace, for one that holds some already or for one that is idle. */
export function lanePlaces(pace: Pace, isIdle: boolean, { unknown, prompt, poor }: Held): number {
  const all = lanes.heldMax - unknown - prompt - poor
  // Of what is kept for them, each idle one takes no more than it can have under way.
  const kept = isIdle ? Math.min(all, lanes.promptInFlightMax) : 0
  if (pace === 'prompt') return Math.max(all - lanes.keptForIdle, kept)
  const notPrompt = Math.min(all, lanes.notPromptHeldMax - unknown - poor)
  return pace === 'unknown' ? notPrompt : Math.min(notPrompt, lanes.poorHeldMax - poor)
}

export function endpointsATurnMax(pace: Pace): number {
  if (pace === 'prompt') return lanes.promptATurnMax
  return pace === 'unknown' ? lanes.unknownATurnMax : lanes.poorATurnMax
}

/** What each of so many that ask may have in one turn. */
export function fairShare(asking: number): number {
  return Math.max(1, Math.floor(lanes.claimedATurnMax / asking))
}

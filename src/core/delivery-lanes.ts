/**
 * How many deliveries may be under way, so that a slow or dead receiver harms nobody: an endpoint is believed to be
 * prompt only once it has been, and what is slow, or not known yet, never takes the last places.
 */

/** By its last attempt: none yet; ended soon, with whatever outcome; took long or timed out. */
export type Pace = 'unknown' | 'prompt' | 'slow'

export const lanes = {
  /** Claimed by one instance at a time, under way or about to be. */
  heldMax: 1_024,
  /** Of these, by slow endpoints together. */
  slowHeldMax: 512,
  /** By slow ones and unknown ones together: the rest is for those that are prompt. */
  notPromptHeldMax: 768,
  /** Under way to one endpoint at a time, by its pace. */
  promptInFlightMax: 32,
  unknownInFlightMax: 1,
  slowInFlightMax: 2,
  /** While fewer than this are held by slow endpoints there is plenty of room, and each is served as any other. */
  slowIsCrowdedFrom: 128,
  /** Claimed for each that may be under way to a prompt endpoint, so that no place is idle while the next is fetched. */
  claimedPerPlace: 2,
  promptMsMax: 1_000,
} as const

/** How many are held, by the pace of their endpoints. */
export type Held = Readonly<Record<Pace, number>>

export function paceOf(durationMs: number): Pace {
  return durationMs <= lanes.promptMsMax ? 'prompt' : 'slow'
}

/** The most that may be under way to one endpoint of this pace. */
export function inFlightMaxOf(pace: Pace, { slow }: Held): number {
  if (pace === 'prompt') return lanes.promptInFlightMax
  if (pace === 'unknown') return lanes.unknownInFlightMax
  return slow < lanes.slowIsCrowdedFrom ? lanes.promptInFlightMax : lanes.slowInFlightMax
}

/** How many may be claimed for one endpoint of this pace. */
export function heldMaxOf(pace: Pace, held: Held): number {
  return inFlightMaxOf(pace, held) * (pace === 'prompt' ? lanes.claimedPerPlace : 1)
}

/** How many more may be claimed for all endpoints of this pace together. */
export function lanePlaces(pace: Pace, { unknown, prompt, slow }: Held): number {
  const all = lanes.heldMax - unknown - prompt - slow
  if (pace === 'prompt') return all
  const notPrompt = Math.min(all, lanes.notPromptHeldMax - unknown - slow)
  return pace === 'unknown' ? notPrompt : Math.min(notPrompt, lanes.slowHeldMax - slow)
}

/** Chance that is the same each time. */

export type Chance = () => number

/** Mulberry32: small, and good enough for queues. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The time to the next of events that know nothing of each other. */
export function gapMs(chance: Chance, ratePerSecond: number): number {
  return (-Math.log(1 - chance()) / ratePerSecond) * 1000
}

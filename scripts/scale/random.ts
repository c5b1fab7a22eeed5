/** Seeded random numbers for reproducible simulations. */

export type RandomSource = () => number

/** Mulberry32: small, and sufficient for queues. */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The exponentially distributed time to the next independent event. */
export function gapMs(random: RandomSource, ratePerSecond: number): number {
  return (-Math.log(1 - random()) / ratePerSecond) * 1000
}

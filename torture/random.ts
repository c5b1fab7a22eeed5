/** A seeded random number generator: the same seed gives the same numbers on every machine. */

export interface Rng {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from 0 (inclusive) to `below` (exclusive). */
  below(below: number): number
  pick<Item>(items: readonly Item[]): Item
  bytes(count: number): Uint8Array
}

/** Mulberry32: 32 bits of state are enough for an experiment and make a short seed. */
export function createRng(seed: number): Rng {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    pick(items) {
      const picked = items[below(items.length)]
      if (picked === undefined) throw new Error('cannot pick from an empty list')
      return picked
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  }
}

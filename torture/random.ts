/** Chance that can be repeated: the same seed gives the same numbers on every machine. */

export interface Chance {
  /** From 0 up to, but without, 1. */
  next(): number
  /** A whole number from 0 up to, but without, `below`. */
  below(below: number): number
  pick<Item>(items: readonly Item[]): Item
  bytes(count: number): Uint8Array
}

/** Mulberry32: 32 bits of state are enough for an experiment, and can be typed in. */
export function chanceOf(seed: number): Chance {
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
      if (picked === undefined) throw new Error('there is nothing to pick from')
      return picked
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  }
}

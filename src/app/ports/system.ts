/** Time and randomness. Tests bring a clock of their own. */

export interface Clock {
  /** Wall time, for what is written down. */
  nowMs(): number
  /** Never goes back and has no meaning but its differences. */
  monotonicMs(): number
}

/** Calls back once; the returned function cancels it. */
export type After = (ms: number, work: () => void) => () => void

export interface Random {
  bytes(count: number): Uint8Array
}

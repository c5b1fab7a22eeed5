/** Time, timers and randomness. Tests bring a clock of their own. */

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

/** Does the work again and again, with a pause in between, until what it returns is called. */
export type Repeat = (work: () => Promise<void>, pauseMs: number) => () => void

/** Runs the work later: soon, so that what comes together goes together; or at once, after what is under way. */
export type Defer = (work: () => void, when: 'soon' | 'at once') => void

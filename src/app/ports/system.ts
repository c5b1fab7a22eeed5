/** Ports of time, timers and randomness. Tests provide their own clock. */

export interface Clock {
  /** Wall time, for recorded times. */
  nowMs(): number
  /** Never goes back; only differences are meaningful. */
  monotonicMs(): number
}

/** Runs the work once; the returned function cancels it. */
export type After = (ms: number, work: () => void) => () => void

export interface Random {
  bytes(count: number): Uint8Array
}

/** Repeats the work with a pause in between; the returned function stops it. */
export type Repeat = (work: () => Promise<void>, pauseMs: number) => () => void

/** Defers the work: `soon` waits briefly so that work is batched; `at once` runs it after the current task. */
export type Defer = (work: () => void, when: 'soon' | 'at once') => void

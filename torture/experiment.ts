/** The interface of an experiment: it tests one promise of Fairway, reproducibly for a given seed. */

export interface Options {
  /** The seed of all randomness. */
  readonly seed: number
  /** The short form, which runs with the tests: seconds instead of minutes. */
  readonly isShort: boolean
  /** The number of repetitions; null for the experiment's default. */
  readonly count: number | null
  readonly print: (line: string) => void
}

export interface Outcome {
  /** Counts and measurements, for readers and for `docs/trust.md`. */
  readonly figures: Readonly<Record<string, number | string>>
  /** One sentence per violation of the promise. */
  readonly violations: readonly string[]
}

export interface Experiment {
  /** The promise, in a sentence. */
  readonly promise: string
  /** Why it cannot run on this machine; null if it can. Absent: it runs everywhere. */
  readonly skipped?: () => string | null
  run(options: Options): Promise<Outcome>
}

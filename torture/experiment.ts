/** What every experiment is: a promise of Fairway, put to the test for as long as it is told, the same way each time for one seed. */

export interface Options {
  /** All chance comes from it: the same seed does the same again. */
  readonly seed: number
  /** The form that runs with the tests: seconds instead of minutes. */
  readonly isShort: boolean
  /** How often, in place of the experiment's own number. */
  readonly count: number | null
  readonly say: (line: string) => void
}

export interface Outcome {
  /** What was done and seen, for people and for `docs/trust.md`. */
  readonly figures: Readonly<Record<string, number | string>>
  /** A sentence for each time that the promise did not hold. */
  readonly violations: readonly string[]
}

export interface Experiment {
  /** The promise, in a sentence. */
  readonly promise: string
  run(options: Options): Promise<Outcome>
}

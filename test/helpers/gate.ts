/** A place where a test holds work that is under way. */

/** Holds whoever passes until the test opens it, once. */
export class Gate {
  readonly #reached = Promise.withResolvers<void>()
  readonly #opened = Promise.withResolvers<void>()
  readonly reached = this.#reached.promise
  isReached = false

  pass(): Promise<void> {
    this.isReached = true
    this.#reached.resolve()
    return this.#opened.promise
  }

  open(): void {
    this.#opened.resolve()
  }
}

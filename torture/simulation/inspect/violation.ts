/** The error of a broken invariant in a world. */

export class Violation extends Error {
  override readonly name = 'Violation'
}

export function ensure(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Violation(sentence)
}

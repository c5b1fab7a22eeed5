/** What a world says when something is as it must never be. */

export class Violation extends Error {
  override readonly name = 'Violation'
}

export function insist(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Violation(sentence)
}

/** Requests that came in one turn of the event loop go on together, stage by stage. */

let next: Promise<void> | null = null

/**
 * Resolves in the next turn, for all who asked in this one. Where every answer is at hand, as with an embedded store,
 * each request would otherwise run from its first byte to its last before the next is looked at: nothing that the
 * others ask for could be shared, and the processor would load the same code again for each (docs/decisions/0016).
 */
export function nextTurn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = null
      resolve()
    })
  })
  return next
}

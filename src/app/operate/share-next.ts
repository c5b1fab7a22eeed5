/**
 * Runs the work one at a time. Calls during a run share the next one, which begins after all of them: whatever was
 * written before a call, its run sees.
 */
export function shareNext<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      const run = work()
      running = run.catch(() => undefined)
      return run
    })
    return next
  }
}

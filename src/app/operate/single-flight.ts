/** Shares one call among concurrent callers, for public endpoints without a rate limit. */

export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}

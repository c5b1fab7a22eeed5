/** Public questions that nobody limits: the answer is looked up once for all who ask at the same time. */

export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | null = null
  return () => {
    underWay ??= work().finally(() => {
      underWay = null
    })
    return underWay
  }
}

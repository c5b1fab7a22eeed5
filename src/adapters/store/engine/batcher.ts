/** Gathers commands of many requests into one piece of work, so that they share its fixed cost. */

export interface BatcherOptions<Command, Result> {
  /** Answers each command in its place. When it throws, nothing of the batch may have happened. */
  readonly run: (commands: readonly Command[]) => Promise<readonly Result[]>
  readonly sizeMax: number
  readonly inFlightMax: number
  /** True where the failure is of the store as a whole, so that trying each command alone is of no use. */
  readonly failsWholeBatch: (error: unknown) => boolean
}

/** So many must wait for another batch to start beside one that is under way: few together cost hardly more than one alone. */
const anotherFrom = 8

interface Waiting<Command, Result> {
  readonly command: Command
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * What comes in during one turn of the event loop, or while earlier batches are under way, goes out together. A
 * command that spoils its batch fails alone: the others are run again, one by one.
 */
export function createBatcher<Command, Result>(options: BatcherOptions<Command, Result>) {
  const { run, sizeMax, inFlightMax, failsWholeBatch } = options
  let waiting: Waiting<Command, Result>[] = []
  let inFlight = 0
  let scheduled = false

  /** One by one; where the store goes away meanwhile, those still waiting are told so at once. */
  async function runEachAlone(batch: readonly Waiting<Command, Result>[]): Promise<void> {
    let outage: unknown = null
    for (const item of batch) {
      try {
        if (outage !== null) throw outage
        const [result] = await run([item.command])
        item.resolve(result as Result)
      } catch (error) {
        if (failsWholeBatch(error)) outage = error
        item.reject(error)
      }
    }
  }

  async function runBatch(batch: readonly Waiting<Command, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map((item) => item.command))
      for (const [index, item] of batch.entries()) item.resolve(results[index] as Result)
    } catch (error) {
      if (batch.length === 1 || failsWholeBatch(error)) for (const item of batch) item.reject(error)
      else await runEachAlone(batch)
    }
  }

  const mayStart = (): boolean =>
    inFlight === 0 ? waiting.length > 0 : inFlight < inFlightMax && waiting.length >= anotherFrom

  function flush(): void {
    scheduled = false
    while (mayStart()) {
      const batch = waiting.slice(0, sizeMax)
      waiting = waiting.slice(sizeMax)
      inFlight += 1
      void runBatch(batch).finally(() => {
        inFlight -= 1
        if (waiting.length > 0) schedule()
      })
    }
  }

  function schedule(): void {
    if (scheduled || inFlight >= inFlightMax) return
    scheduled = true
    setImmediate(flush)
  }

  return (command: Command): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ command, resolve, reject })
      schedule()
    })
}

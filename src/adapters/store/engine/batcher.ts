/** Batches the commands of many requests, so that they share a fixed cost. */

export interface BatcherOptions<Command, Result> {
  /** Returns one result per command, in order. If it throws, no record of the batch was written. */
  readonly run: (commands: readonly Command[]) => Promise<readonly Result[]>
  readonly sizeMax: number
  readonly inFlightMax: number
  /** True if the error affects the whole store, so that retrying single commands is pointless. */
  readonly failsWholeBatch: (error: unknown) => boolean
}

/** A concurrent batch starts only with this many commands waiting: a small batch costs little more than one command. */
const concurrentSizeMin = 8

interface Waiting<Command, Result> {
  readonly command: Command
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Commands that arrive in one turn of the event loop, or while earlier batches run, form the next batch. If a batch
 * fails, its commands are retried one by one, so that only the faulty one fails.
 */
export function createBatcher<Command, Result>(options: BatcherOptions<Command, Result>) {
  const { run, sizeMax, inFlightMax, failsWholeBatch } = options
  let waiting: Waiting<Command, Result>[] = []
  let inFlight = 0
  let scheduled = false

  /** Runs one command at a time. If the store becomes unavailable, the rest fail at once. */
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
    inFlight === 0 ? waiting.length > 0 : inFlight < inFlightMax && waiting.length >= concurrentSizeMin

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

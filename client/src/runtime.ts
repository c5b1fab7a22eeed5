/** Network, time and chance: the runtime's own, unless a test brings others. */

export interface Runtime {
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>
  /** Milliseconds from any start, never backwards. */
  readonly nowMs: () => number
  /** From 0 to below 1. */
  readonly random: () => number
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Calls back once; what is returned cancels it. */
  readonly after: (ms: number, work: () => void) => () => void
}

/** The longest that a timer can be; a longer one would be over at once. */
const timerMsMax = 2 ** 31 - 1

function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(ms, timerMsMax))
  return () => clearTimeout(timer)
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error)
    const onAbort = (): void => {
      cancel()
      reject(signal?.reason as Error)
    }
    const cancel = after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

export const systemRuntime: Runtime = {
  // By its name at each call: some programs replace it, and it must not be called as a member of another object.
  fetch: (url, request) => fetch(url, request),
  nowMs: () => performance.now(),
  random: Math.random,
  sleep,
  after,
}

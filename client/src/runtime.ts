/** The network, clock, timers and random numbers of the platform, replaceable for tests. */

export interface Runtime {
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>
  /** Monotonic milliseconds from an arbitrary start. */
  readonly nowMs: () => number
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number
  /** Rejects with the signal's reason if it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Calls `work` once; the returned function cancels it. */
  readonly after: (ms: number, work: () => void) => () => void
}

/** The maximum delay of a timer; a longer one would fire at once. */
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
  // Looked up at each call, since programs may replace the global. It must not be called as a method.
  fetch: (url, request) => fetch(url, request),
  nowMs: () => performance.now(),
  random: Math.random,
  sleep,
  after,
}

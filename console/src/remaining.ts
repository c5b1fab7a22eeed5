/** The remaining rate limits, from the latest response headers. */

import { useSyncExternalStore } from 'react'

export interface Remaining {
  readonly left: number
  readonly limit: number
  /** When the next request is allowed, by this browser's clock. */
  readonly freeAtMs: number
}

type Limits = Readonly<Record<string, Remaining>>

let limits: Limits = {}
const listeners = new Set<() => void>()

/** Parses `RateLimit: "demo-verify";r=14;t=60` and `RateLimit-Policy: "demo-verify";q=15;w=900`. */
function read(headers: Headers): void {
  const now = /^"([^"]+)";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '')
  const [, limit] = /;q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  if (now === null || limit === undefined) return
  const [, name = '', left, seconds] = now
  const freeAtMs = Date.now() + Number(seconds) * 1_000
  limits = { ...limits, [name]: { left: Number(left), limit: Number(limit), freeAtMs } }
  for (const listener of listeners) listener()
}

type Fetch = (url: string, request: RequestInit) => Promise<Response>

/** The browser's fetch, without a referrer; records the rate limits of each response. */
export function observedFetch(credentials: 'omit' | 'same-origin'): Fetch {
  return async (url, request) => {
    const response = await fetch(url, { ...request, credentials, referrerPolicy: 'no-referrer' })
    read(response.headers)
    return response
  }
}

/** Null until a response has reported this limit. */
export function useRemaining(name: string): Remaining | null {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => limits,
  )
  return all[name] ?? null
}

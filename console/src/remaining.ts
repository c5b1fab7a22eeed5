/** What is left of the limits without a key, as the last answers told it. */

import { useSyncExternalStore } from 'react'

export interface Remaining {
  readonly left: number
  readonly limit: number
  /** By this page's clock: when a place is free again. */
  readonly freeAtMs: number
}

type Known = Readonly<Record<string, Remaining>>

let known: Known = {}
const listeners = new Set<() => void>()

/** `"demo-verify";r=14;t=60`, and the policy beside it `"demo-verify";q=15;w=900`. */
function read(headers: Headers): void {
  const now = /^"([^"]+)";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '')
  const [, limit] = /;q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  if (now === null || limit === undefined) return
  const [, name = '', left, seconds] = now
  const freeAtMs = Date.now() + Number(seconds) * 1_000
  known = { ...known, [name]: { left: Number(left), limit: Number(limit), freeAtMs } }
  for (const listener of listeners) listener()
}

/** The browser's fetch, to this origin; what an answer says of limits is noted. */
export async function observedFetch(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...request, credentials: 'omit', referrerPolicy: 'no-referrer' })
  read(response.headers)
  return response
}

/** Null until an answer has told. */
export function useRemaining(name: string): Remaining | null {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => known,
  )
  return all[name] ?? null
}

/** The current time, updated while a component is shown. */

import { useEffect, useState } from 'react'

export function useNowMs(intervalMs = 1_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return nowMs
}

/** Counts down to zero. */
export function useSecondsUntil(thenMs: number): number {
  const nowMs = useNowMs()
  return Math.max(0, Math.ceil((thenMs - nowMs) / 1_000))
}

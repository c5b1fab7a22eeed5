/** Lazily loaded charts. Use them in a `Figure`, which shows a placeholder while they load. */

import { lazy } from 'react'

export const ScoreHistogram = lazy(async () => ({ default: (await import('./recharts.tsx')).ScoreHistogram }))
export const CountColumns = lazy(async () => ({ default: (await import('./recharts.tsx')).CountColumns }))
export const VerdictColumns = lazy(async () => ({ default: (await import('./recharts.tsx')).VerdictColumns }))

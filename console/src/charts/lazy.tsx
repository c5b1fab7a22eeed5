/** The drawings, fetched when they are needed; use them inside a `Figure`, which shows their shape meanwhile. */

import { lazy } from 'react'

export const ScoreHistogram = lazy(async () => ({ default: (await import('./recharts.tsx')).ScoreHistogram }))
export const CountColumns = lazy(async () => ({ default: (await import('./recharts.tsx')).CountColumns }))
export const VerdictColumns = lazy(async () => ({ default: (await import('./recharts.tsx')).VerdictColumns }))

/** The places that this caller has opened by the search in this tab, newest first. */

import { storedRecent, storeRecent } from '../tab-storage.ts'
import type { Target } from './targets.ts'

const recentMax = 6

interface Stored {
  readonly callerId: string
  readonly targets: readonly Target[]
}

const isTarget = (entry: unknown): entry is Target =>
  typeof entry === 'object' &&
  entry !== null &&
  ['href', 'title', 'note', 'icon'].every((name) => name in entry)

/** None of another caller. */
export function recentOf(callerId: string): readonly Target[] {
  try {
    const stored = JSON.parse(storedRecent() ?? 'null') as Partial<Stored> | null
    return stored?.callerId === callerId && Array.isArray(stored.targets)
      ? stored.targets.filter(isTarget)
      : []
  } catch {
    return []
  }
}

export function addRecent(callerId: string, target: Target): void {
  const others = recentOf(callerId).filter(({ href }) => href !== target.href)
  const stored: Stored = { callerId, targets: [target, ...others].slice(0, recentMax) }
  storeRecent(JSON.stringify(stored))
}

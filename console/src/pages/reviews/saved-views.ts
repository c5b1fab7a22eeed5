/** The views that somebody has saved in this browser, for one owner: a name, and an address like any other. */

import { useMemo, useState } from 'react'
import { useMe } from '../../caller.ts'
import { storedReviewViews, storeReviewViews } from '../../tab-storage.ts'
import { addressOf, filtersIn, type View } from './filters.ts'

export const viewNameLengthMax = 40

/** Null for anything that is not a saved view. */
function viewIn(entry: unknown): View | null {
  if (typeof entry !== 'object' || entry === null || !('name' in entry) || !('address' in entry)) return null
  const { name, address } = entry
  if (typeof name !== 'string' || typeof address !== 'string') return null
  return { name, filters: filtersIn(new URLSearchParams(address.split('?')[1])) }
}

function read(ownerId: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(storedReviewViews(ownerId) ?? '[]')
    return Array.isArray(stored) ? stored.map(viewIn).filter((view) => view !== null) : []
  } catch {
    return []
  }
}

function write(ownerId: string, views: readonly View[]): void {
  const entries = views.map(({ name, filters }) => ({ name, address: addressOf(filters) }))
  storeReviewViews(ownerId, entries.length === 0 ? null : JSON.stringify(entries))
}

export interface SavedViews {
  readonly views: readonly View[]
  /** Replaces the view of the same name. */
  readonly save: (view: View) => void
  readonly remove: (name: string) => void
}

export function useSavedViews(): SavedViews {
  const ownerId = useMe()?.owner_id ?? ''
  /** Changed here, since they were read. */
  const [changed, setChanged] = useState<{ ownerId: string; views: readonly View[] } | null>(null)
  const stored = useMemo(() => read(ownerId), [ownerId])
  const views = changed?.ownerId === ownerId ? changed.views : stored
  function set(to: readonly View[]): void {
    write(ownerId, to)
    setChanged({ ownerId, views: to })
  }
  const without = (name: string): readonly View[] => views.filter((view) => view.name !== name)
  return {
    views,
    save: (view) => set([...without(view.name), view]),
    remove: (name) => set(without(name)),
  }
}

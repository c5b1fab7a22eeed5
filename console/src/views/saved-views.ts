/** The views that somebody has saved in this browser, for one page and one owner: a name, and an address like any other. */

import { useMemo, useState } from 'react'
import { useMe } from '../caller.ts'
import { storedViews, storeViews } from '../tab-storage.ts'

export const viewNameLengthMax = 40

export interface View {
  readonly name: string
  readonly address: string
}

/** The page that the views belong to. */
export type ViewsOf = 'review' | 'verification'

/** Null for anything that is not a saved view. */
function viewIn(entry: unknown): View | null {
  if (typeof entry !== 'object' || entry === null || !('name' in entry) || !('address' in entry)) return null
  const { name, address } = entry
  return typeof name === 'string' && typeof address === 'string' ? { name, address } : null
}

function read(of: ViewsOf, ownerId: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(storedViews(of, ownerId) ?? '[]')
    return Array.isArray(stored) ? stored.map(viewIn).filter((view) => view !== null) : []
  } catch {
    return []
  }
}

export interface SavedViews {
  readonly views: readonly View[]
  /** Replaces the view of the same name. */
  readonly save: (view: View) => void
  readonly remove: (name: string) => void
}

/** `normal` writes an address as the page does: what is stored may be old, or another's making. */
export function useSavedViews(of: ViewsOf, normal: (address: string) => string): SavedViews {
  const ownerId = useMe()?.owner_id ?? ''
  /** Changed here, since they were read. */
  const [changed, setChanged] = useState<{ ownerId: string; views: readonly View[] } | null>(null)
  const stored = useMemo(() => read(of, ownerId), [of, ownerId])
  const views = changed?.ownerId === ownerId ? changed.views : stored
  function set(to: readonly View[]): void {
    storeViews(of, ownerId, to.length === 0 ? null : JSON.stringify(to))
    setChanged({ ownerId, views: to })
  }
  const without = (name: string): readonly View[] => views.filter((view) => view.name !== name)
  return {
    views: views.map(({ name, address }) => ({ name, address: normal(address) })),
    save: (view) => set([...without(view.name), view]),
    remove: (name) => set(without(name)),
  }
}

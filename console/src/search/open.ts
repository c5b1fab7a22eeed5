/** Whether the search is open. Buttons in several places and two keys open the same dialog. */

import { useEffect, useSyncExternalStore } from 'react'
import { onSearchKey } from './keys.ts'

let isOpen = false
const listeners = new Set<() => void>()

function set(to: boolean): void {
  isOpen = to
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const openSearch = (): void => set(true)
export const closeSearch = (): void => set(false)
export const useIsSearchOpen = (): boolean => useSyncExternalStore(subscribe, () => isOpen)

export function useSearchKeys(): void {
  useEffect(() => onSearchKey(openSearch), [])
}

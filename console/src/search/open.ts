/** Whether the search is open. Buttons in several places and two keys open the same dialog. */

import { useEffect, useSyncExternalStore } from 'react'

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

const typing = 'textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable]'

/** Ctrl+K, or the command key with K, anywhere; the slash only where it is not typed. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !shiftKey
  const isTyping = target instanceof Element && target.closest(typing) !== null
  return key === '/' && !ctrlKey && !metaKey && !isTyping
}

export function useSearchKeys(): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || !isSearchKey(event)) return
      // Another dialog asks for an answer first.
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      openSearch()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

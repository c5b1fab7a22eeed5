/** The keys that open a search: the same in the console, the guide and the API reference. */

/** The sign of the key on this machine's keyboard. */
export const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

const typing = 'textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable]'

/** Ctrl+K, or the command key with K, anywhere; the slash only where it is not typed. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !shiftKey
  const isTyping = target instanceof Element && target.closest(typing) !== null
  return key === '/' && !ctrlKey && !metaKey && !isTyping
}

/** Calls `open` for each press. Returns what ends that. */
export function onSearchKey(open: () => void): () => void {
  function press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || !isSearchKey(event)) return
    // Another dialog asks for an answer first.
    if (document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    open()
  }
  window.addEventListener('keydown', press)
  return () => window.removeEventListener('keydown', press)
}

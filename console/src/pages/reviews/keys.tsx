/** The keys of the desk. They act on the selected review, and never while somebody types or a dialog is open. */

import { useEffect } from 'react'

export interface KeyActs {
  readonly move: (step: 1 | -1) => void
  readonly open: () => void
  /** Null if the caller may not claim. */
  readonly claim: (() => void) | null
  /** Null if nothing is open. */
  readonly close: (() => void) | null
}

const typing = 'textarea, select, input:not([type=checkbox]), [contenteditable]'
/** Elements that Enter activates by itself. */
const activated = 'a, button, summary, input'

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

function actOf({ key, target }: KeyboardEvent, acts: KeyActs): (() => void) | null {
  switch (key.toLowerCase()) {
    case 'j':
      return () => acts.move(1)
    case 'k':
      return () => acts.move(-1)
    case 'c':
      return acts.claim
    case 'escape':
      return acts.close
    case 'enter':
      return isIn(target, activated) ? null : acts.open
    default:
      return null
  }
}

export function useKeys(acts: KeyActs): void {
  // Subscribed anew after each render: the acts depend on what is shown.
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return
      // A key that is held moves on, and does nothing else twice.
      if (event.repeat && !/^[jk]$/i.test(event.key)) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (isIn(event.target, typing) || document.querySelector('dialog[open]') !== null) return
      const act = actOf(event, acts)
      if (act === null) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}

export function KeyHint({ mayClaim }: { readonly mayClaim: boolean }) {
  return (
    <p className="desk-keys">
      <span className="sr-only">Keyboard: </span>
      <kbd>J</kbd> <kbd>K</kbd> next, previous
      <span>
        <kbd>Enter</kbd> open
      </span>
      {mayClaim && (
        <span>
          <kbd>C</kbd> claim
        </span>
      )}
      <span>
        <kbd>Esc</kbd> close
      </span>
    </p>
  )
}

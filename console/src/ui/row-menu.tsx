/** The actions on one row, behind one button: a disclosure of buttons and links, which Tab goes through. */

import { useEffect, useRef, type RefObject } from 'react'
import { Link } from 'wouter'
import { Icon } from './icon.tsx'

export interface RowAction {
  readonly name: string
  /** Exactly one of the two. */
  readonly onSelect?: () => void
  readonly href?: string
  readonly danger?: boolean
}

/** Closes on Escape, which returns the focus, and when the focus leaves. */
function useClosing(menu: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const element = menu.current
    if (element === null) return undefined
    function escape(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || element?.open !== true) return
      event.preventDefault()
      element.open = false
      element.querySelector('summary')?.focus()
    }
    function leave({ relatedTarget }: FocusEvent): void {
      if (element !== null && !element.contains(relatedTarget as Node | null)) element.open = false
    }
    element.addEventListener('keydown', escape)
    element.addEventListener('focusout', leave)
    return () => {
      element.removeEventListener('keydown', escape)
      element.removeEventListener('focusout', leave)
    }
  }, [menu])
}

export function RowMenu({ of, actions }: { readonly of: string; readonly actions: readonly RowAction[] }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useClosing(menu)
  function close(): void {
    if (menu.current !== null) menu.current.open = false
  }
  return (
    <details className="row-menu" ref={menu}>
      <summary className="button button-quiet button-small" aria-label={`Actions for ${of}`}>
        <Icon name="more" />
      </summary>
      <ul>
        {actions.map(({ name, onSelect, href, danger = false }) => (
          <li key={name}>
            {href === undefined ? (
              <button
                type="button"
                className={danger ? 'row-menu-danger' : ''}
                onClick={() => {
                  close()
                  onSelect?.()
                }}
              >
                {name}
              </button>
            ) : (
              <Link href={href}>{name}</Link>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

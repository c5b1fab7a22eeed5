/** The page header. It sets the window title and, after navigation, takes the focus. */

import { useEffect, useRef, type ReactNode } from 'react'
import { timeZone } from '../format.ts'

/** For a page that names the time zone elsewhere. */
export const zone = `Times in ${timeZone}.`

/** False on the first page, which leaves the focus to the browser. */
let visited = false

export function Page({
  title,
  lead,
  actions,
  hasTimes = true,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  /** Names the time zone of the page, once. */
  readonly hasTimes?: boolean
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (visited) heading.current?.focus({ preventScroll: true })
    if (visited) window.scrollTo(0, 0)
    visited = true
  }, [])
  useEffect(() => {
    document.title = `${title} · Fairway`
  }, [title])
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && (
            <p>
              {lead}
              {typeof lead === 'string' && hasTimes && ` ${zone}`}
            </p>
          )}
          {typeof lead !== 'string' && hasTimes && <p className="small">{zone}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

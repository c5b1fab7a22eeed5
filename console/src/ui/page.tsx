/** The page header. It sets the window title and, after navigation, takes the focus. */

import { useEffect, useRef, type ReactNode } from 'react'

/** False on the first page, which leaves the focus to the browser. */
let visited = false

export function Page({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
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
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

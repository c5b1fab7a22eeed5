/** The head of a page: its title, in the window too, and where the focus goes when the page was come to by a link. */

import { useEffect, useRef, type ReactNode } from 'react'

/** The first page of a visit keeps the focus where the browser puts it. */
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

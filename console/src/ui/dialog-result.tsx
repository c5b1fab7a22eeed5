/** The result of a dialog, as a notice on the page. */

import { useEffect, useRef, type ReactNode } from 'react'
import { Notice } from './state.tsx'
import type { Tone } from './verdict.tsx'

/** It takes the focus and is scrolled into view: the control that had the focus may be gone. */
export function DialogResult({
  tone,
  title,
  children,
}: {
  readonly tone: Tone
  readonly title: string
  readonly children?: ReactNode
}) {
  const block = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After the dialog has closed, which moves the focus, too.
    const frame = requestAnimationFrame(() => {
      block.current?.focus({ preventScroll: true })
      block.current?.scrollIntoView({ block: 'center' })
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <div ref={block} tabIndex={-1}>
      <Notice tone={tone} title={title} live>
        {children}
      </Notice>
    </div>
  )
}

/** A dialog: the browser's own, which keeps the focus inside and closes on Escape. */

import { useEffect, useId, useRef, type ReactNode } from 'react'

export function Dialog({
  title,
  open,
  onClose,
  className = 'dialog',
  titleShown = true,
  stays = false,
  children,
}: {
  readonly title: string
  readonly open: boolean
  readonly onClose: () => void
  readonly className?: string
  readonly titleShown?: boolean
  /** Only whoever opened it closes it: what it shows would be lost. */
  readonly stays?: boolean
  readonly children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    if (open && element?.open === false) element.showModal()
    if (!open) element?.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={id}
      onClose={(event) => {
        // A browser may close it in spite of all, when Escape is pressed again and again.
        if (stays && open) event.currentTarget.showModal()
        else onClose()
      }}
      onKeyDown={(event) => {
        if (stays && event.key === 'Escape') event.preventDefault()
      }}
      onCancel={(event) => {
        if (stays) event.preventDefault()
      }}
    >
      {open && (
        <div>
          <h2 id={id} className={titleShown ? '' : 'sr-only'}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  )
}

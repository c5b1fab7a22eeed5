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
  /** Escape does not close it: what it shows would be lost. */
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
      onClose={onClose}
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

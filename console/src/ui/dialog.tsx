/** A modal dialog: the native element, which traps the focus and closes on Escape. */

import { useEffect, useId, useRef, type ReactNode } from 'react'

export function Dialog({
  title,
  open,
  onClose,
  className = 'dialog',
  titleShown = true,
  persistent = false,
  children,
}: {
  readonly title: string
  readonly open: boolean
  readonly onClose: () => void
  readonly className?: string
  readonly titleShown?: boolean
  /** Escape does not close it, because its content cannot be shown again. */
  readonly persistent?: boolean
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
        // Browsers close a dialog on repeated Escape, even if `cancel` is prevented.
        if (persistent && open) event.currentTarget.showModal()
        else onClose()
      }}
      onKeyDown={(event) => {
        if (persistent && event.key === 'Escape') event.preventDefault()
      }}
      onCancel={(event) => {
        if (persistent) event.preventDefault()
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

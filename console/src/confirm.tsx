/** A dialog that asks before an action. */

import type { ReactNode } from 'react'
import type { Action } from './action.ts'
import { Problem } from './problem.tsx'
import { Button } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'

export function Confirm({
  title,
  open,
  action,
  label,
  look,
  onClose,
  children,
}: {
  readonly title: string
  readonly open: boolean
  readonly action: Action
  readonly label: string
  readonly look: 'primary' | 'danger'
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  function close(): void {
    action.clearError()
    onClose()
  }
  return (
    <Dialog title={title} open={open} onClose={close}>
      {children}
      {action.error !== null && <Problem error={action.error} />}
      <div className="dialog-actions">
        <Button variant="quiet" onClick={close}>
          Cancel
        </Button>
        <Button variant={look} busy={action.busy} onClick={action.run}>
          {label}
        </Button>
      </div>
    </Dialog>
  )
}

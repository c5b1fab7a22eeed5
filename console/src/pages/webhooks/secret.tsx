/** A secret, shown this once: it is in this dialog and nowhere else, and gone when the dialog is. */

import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/state.tsx'

export function SecretDialog({
  title,
  secret,
  onStored,
  children,
}: {
  readonly title: string
  /** Null: there is none to show. */
  readonly secret: string | null
  readonly onStored: () => void
  readonly children?: ReactNode
}) {
  return (
    <Dialog title={title} open={secret !== null} onClose={onStored} stays>
      <Notice tone="degraded" title="It is shown this once">
        <p>Store it where your receiver can read it. Fairway cannot show it again.</p>
      </Notice>
      <Code title="Signing secret" text={secret ?? ''} />
      {children}
      <div className="dialog-actions">
        <Button look="primary" icon="check" onClick={onStored}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  )
}

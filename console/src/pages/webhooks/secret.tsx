/** Shows a signing secret once. Only this dialog holds it. */

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
  /** Null closes the dialog. */
  readonly secret: string | null
  readonly onStored: () => void
  readonly children?: ReactNode
}) {
  return (
    <Dialog title={title} open={secret !== null} onClose={onStored} persistent>
      <Notice tone="degraded" title="This secret is shown only once">
        <p>Store it where your receiver can read it.</p>
      </Notice>
      <Code title="Signing secret" text={secret ?? ''} />
      {children}
      <div className="dialog-actions">
        <Button variant="primary" icon="check" onClick={onStored}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  )
}

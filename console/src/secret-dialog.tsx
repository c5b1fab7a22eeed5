/** Shows a secret once. Only this dialog holds it. */

import type { ReactNode } from 'react'
import { Button } from './ui/button.tsx'
import { Code } from './ui/code.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Notice } from './ui/state.tsx'

export function SecretDialog({
  title,
  name = 'Signing secret',
  warning = 'This secret is shown only once',
  advice = 'Store it where your receiver can read it.',
  secret,
  onStored,
  children,
}: {
  readonly title: string
  /** Names the secret. */
  readonly name?: string
  readonly warning?: string
  readonly advice?: string
  /** Null closes the dialog. */
  readonly secret: string | null
  readonly onStored: () => void
  readonly children?: ReactNode
}) {
  return (
    <Dialog title={title} open={secret !== null} onClose={onStored} persistent>
      <Notice tone="degraded" title={warning}>
        <p>{advice}</p>
      </Notice>
      <div className="secret">
        <Code title={name} text={secret ?? ''} />
      </div>
      {children}
      <div className="dialog-actions">
        <Button variant="primary" icon="check" onClick={onStored}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  )
}

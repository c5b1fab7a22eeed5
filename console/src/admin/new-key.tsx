/** Shows a new key once. Only this dialog holds it. */

import type { IssuedKey } from '@fairway/client'
import type { ReactNode } from 'react'
import { SecretDialog } from '../secret-dialog.tsx'
import { Pairs } from '../ui/card.tsx'
import { Time } from '../ui/time.tsx'

export function NewKeyDialog({
  issued,
  title,
  onStored,
  children,
}: {
  /** Null closes the dialog. */
  readonly issued: IssuedKey | null
  readonly title: string
  readonly onStored: () => void
  readonly children?: ReactNode
}) {
  return (
    <SecretDialog
      title={title}
      name="API key"
      warning="This key is shown only once"
      advice="Hand it over by a way that you trust. Fairway keeps only its hash."
      secret={issued?.key ?? null}
      onStored={onStored}
    >
      {issued !== null && (
        <Pairs
          of={[
            ['Owner', issued.owner],
            ['Key id', <code key="id">{issued.key_id}</code>],
            ['Expires', issued.expires_at === null ? 'never' : <Time key="at" at={issued.expires_at} />],
          ]}
        />
      )}
      {children}
    </SecretDialog>
  )
}

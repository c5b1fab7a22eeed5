/** Shows the link of an invitation once. Only this dialog holds it. */

import type { InvitedPerson } from '@fairway/client'
import { SecretDialog } from '../../secret-dialog.tsx'
import { Time } from '../../ui/time.tsx'

export function LinkDialog({
  title,
  invited,
  onStored,
}: {
  readonly title: string
  /** Null closes the dialog. */
  readonly invited: InvitedPerson | null
  readonly onStored: () => void
}) {
  return (
    <SecretDialog
      title={title}
      name="One-time link"
      warning="This link is shown only once"
      advice="Nothing was sent. Hand it over by a way that you trust: it works once."
      secret={invited?.link ?? null}
      onStored={onStored}
    >
      {invited !== null && (
        <p className="anywhere">
          For {invited.email}, until <Time at={invited.expires_at} />.
        </p>
      )}
    </SecretDialog>
  )
}

/** The acts on a person, each after a dialog that says what it does. */

import type { AdminPerson, FairwayClient, InvitedPerson } from '@fairway/client'
import { useState, type ReactNode } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { useRefresh } from '../../admin/list.tsx'
import { LinkDialog } from './link-dialog.tsx'

export interface DialogProps {
  readonly onClose: () => void
  /** Says on the page what was done. */
  readonly onDone: (text: string) => void
}

interface ActProps extends DialogProps {
  /** Null closes the dialog. */
  readonly of: AdminPerson | null
}

interface AskProps<Done> {
  readonly title: string
  readonly label: string
  readonly look: 'primary' | 'danger'
  readonly act: (client: FairwayClient) => Promise<Done>
  readonly onActed: (done: Done) => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Mounted for each person anew, so that an error does not outlive its dialog. */
function Ask<Done>({ act, onActed, onClose, ...dialog }: AskProps<Done>) {
  const refresh = useRefresh('people')
  const action = useAction(act, (done) => {
    refresh()
    onClose()
    onActed(done)
  })
  return <Confirm {...dialog} open action={action} onClose={onClose} />
}

export function NewLink({ of, onClose }: ActProps) {
  const [invited, setInvited] = useState<InvitedPerson | null>(null)
  return (
    <>
      {of !== null && (
        <Ask
          title={`New link for ${of.name}`}
          label="Create link"
          look="primary"
          act={(client) => client.admin.resetPerson(of.person_id)}
          onActed={setInvited}
          onClose={onClose}
        >
          <p>
            It sets a new password. The password, the sessions and the links of before end at once, also
            before the new link is used.
          </p>
        </Ask>
      )}
      <LinkDialog title="New link" invited={invited} onStored={() => setInvited(null)} />
    </>
  )
}

export function EndSessions({ of, onClose, onDone }: ActProps) {
  if (of === null) return null
  return (
    <Ask
      title={`End the sessions of ${of.name}`}
      label="End sessions"
      look="danger"
      act={(client) => client.admin.endSessions(of.person_id)}
      onActed={({ ended }) => onDone(`${of.name}: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`)}
      onClose={onClose}
    >
      <p>Every browser in which {of.name} is signed in is signed out at once. The account stays.</p>
    </Ask>
  )
}

export function Remove({ of, onClose, onDone }: ActProps) {
  if (of === null) return null
  return (
    <Ask
      title={`Remove ${of.name}`}
      label="Remove person"
      look="danger"
      act={(client) => client.admin.removePerson(of.person_id)}
      onActed={() => onDone(`${of.name} is removed.`)}
      onClose={onClose}
    >
      <p>
        Sessions, password and invitations end at once. Keys that {of.name} issued keep working: revoke them
        on the page of keys. What the person did stays recorded, and the person can be restored.
      </p>
    </Ask>
  )
}

export function Restore({ of, onClose, onDone }: ActProps) {
  if (of === null) return null
  return (
    <Ask
      title={`Restore ${of.name}`}
      label="Restore person"
      look="primary"
      act={(client) => client.admin.restorePerson(of.person_id)}
      onActed={() => onDone(`${of.name} is restored. A local account needs a new link.`)}
      onClose={onClose}
    >
      <p>With the owner and the roles of before, and without a password: make a new link afterwards.</p>
    </Ask>
  )
}

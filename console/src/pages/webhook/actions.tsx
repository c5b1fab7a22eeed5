/** What can be done to an endpoint: each is asked about first where it cannot be taken back. */

import {
  AuthenticationError,
  type FairwayClient,
  type FairwayError,
  type RotatedWebhook,
} from '@fairway/client'
import { useState, type ReactNode } from 'react'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { SecretDialog } from '../webhooks/secret.tsx'

/** One thing that is done to the server: busy meanwhile, with its error where it failed. */
export function useAct<Done>(act: (client: FairwayClient) => Promise<Done>, onDone: (done: Done) => void) {
  const { client, refuse } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<FairwayError | null>(null)
  async function run(): Promise<void> {
    if (busy || client === null) return
    setBusy(true)
    setError(null)
    try {
      onDone(await act(client))
    } catch (caught) {
      setError(caught as FairwayError)
      // The page asks for another key in its own place, and goes on.
      if (caught instanceof AuthenticationError) refuse()
    }
    setBusy(false)
  }
  return { busy, error, run: () => void run(), forget: () => setError(null) }
}

type Act = ReturnType<typeof useAct>

function Confirm({
  title,
  open,
  act,
  words,
  look,
  onClose,
  children,
}: {
  readonly title: string
  readonly open: boolean
  readonly act: Act
  readonly words: string
  readonly look: 'primary' | 'danger'
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  function close(): void {
    act.forget()
    onClose()
  }
  return (
    <Dialog title={title} open={open} onClose={close}>
      {children}
      {act.error !== null && <Problem error={act.error} />}
      <div className="dialog-actions">
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
        <Button look={look} busy={act.busy} onClick={act.run}>
          {words}
        </Button>
      </div>
    </Dialog>
  )
}

export function Rotate({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false)
  const [rotated, setRotated] = useState<RotatedWebhook | null>(null)
  const act = useAct(
    (client) => client.rotateWebhookSecret(id),
    (done) => {
      setOpen(false)
      setRotated(done)
    },
  )
  return (
    <>
      <Button icon="key" onClick={() => setOpen(true)}>
        Rotate the secret
      </Button>
      <Confirm
        title="Rotate the signing secret"
        open={isOpen}
        act={act}
        words="Make a new secret"
        look="primary"
        onClose={() => setOpen(false)}
      >
        <p>
          A new secret signs from now on. For 24 hours <code>webhook-signature</code> carries a signature of
          the old one too, so that your receiver goes on while you change it; <code>X-SVC-Signature</code> is
          that of the new one at once.
        </p>
      </Confirm>
      <SecretDialog title="The new secret" secret={rotated?.secret ?? null} onStored={() => setRotated(null)}>
        {rotated !== null && (
          <p>
            The old secret signs beside it until <Time at={rotated.previous_secret_expires_at} />.
          </p>
        )}
      </SecretDialog>
    </>
  )
}

export function Remove({ id, onGone }: { readonly id: string; readonly onGone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const act = useAct((client) => client.removeWebhook(id), onGone)
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        Remove
      </Button>
      <Confirm
        title="Remove this endpoint"
        open={isOpen}
        act={act}
        words="Remove the endpoint"
        look="danger"
        onClose={() => setOpen(false)}
      >
        <p>
          What waits for it is not sent, and its deliveries are not shown any more. What is under way may
          still arrive in the next seconds. This cannot be undone.
        </p>
      </Confirm>
    </>
  )
}

/** The actions on an endpoint, with a confirmation dialog each. */

import type { RotatedWebhook, Webhook } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { SecretDialog } from '../../secret-dialog.tsx'

export function Rotate({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false)
  const [rotated, setRotated] = useState<RotatedWebhook | null>(null)
  const action = useAction(
    (client) => client.rotateWebhookSecret(id),
    (done) => {
      setOpen(false)
      setRotated(done)
    },
  )
  return (
    <>
      <Button icon="key" onClick={() => setOpen(true)}>
        Rotate secret
      </Button>
      <Confirm
        title="Rotate the signing secret"
        open={isOpen}
        action={action}
        label="Create new secret"
        look="primary"
        onClose={() => setOpen(false)}
      >
        <p>
          Events are signed with the new secret from now on. For 24 hours, <code>webhook-signature</code> also
          carries a signature with the old secret, so that your receiver keeps working while you change it.{' '}
          <code>X-SVC-Signature</code> uses only the new secret.
        </p>
      </Confirm>
      <SecretDialog
        title="New signing secret"
        secret={rotated?.secret ?? null}
        onStored={() => setRotated(null)}
      >
        {rotated !== null && (
          <p>
            Events are also signed with the old secret until <Time at={rotated.previous_secret_expires_at} />.
          </p>
        )}
      </SecretDialog>
    </>
  )
}

/** From the first of the failures, or from the registration. */
export function Resend({
  webhook: { webhook_id: id, failing_since: failingSince, created_at: createdAt },
  onSent,
}: {
  readonly webhook: Webhook
  readonly onSent: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [queued, setQueued] = useState<number | null>(null)
  const since = failingSince ?? createdAt
  const action = useAction(
    (client) => client.resendDeliveries(id, { since }),
    (done) => {
      setOpen(false)
      setQueued(done.queued)
      onSent()
    },
  )
  return (
    <>
      <Button icon="bolt" onClick={() => setOpen(true)}>
        Send failed events again
      </Button>
      <Confirm
        title="Send failed events again"
        open={isOpen}
        action={action}
        label="Send again"
        look="primary"
        onClose={() => setOpen(false)}
      >
        <p>
          Events that failed or were suspended since <Time at={since} /> are sent again, oldest first, with
          the same event ids. A suspension ends.
        </p>
      </Confirm>
      <span className="small soft" role="status">
        {queued === null ? '' : `Events that are sent again: ${formatCount(queued)}.`}
      </span>
    </>
  )
}

export function Remove({ id, onRemoved }: { readonly id: string; readonly onRemoved: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const action = useAction((client) => client.removeWebhook(id), onRemoved)
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Remove
      </Button>
      <Confirm
        title="Remove this endpoint"
        open={isOpen}
        action={action}
        label="Remove endpoint"
        look="danger"
        onClose={() => setOpen(false)}
      >
        <p>
          Pending events are not sent, and the endpoint’s deliveries are no longer shown. A delivery in
          progress may still arrive in the next seconds. This cannot be undone.
        </p>
      </Confirm>
    </>
  )
}

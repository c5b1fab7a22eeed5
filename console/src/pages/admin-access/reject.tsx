/** Rejects an access request, and may revoke its sandbox key. */

import type { AccessRequestView } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { useRefresh } from '../../admin/list.tsx'
import { NoteField } from './note.tsx'

function Form({ of: request, onClose }: { readonly of: AccessRequestView; readonly onClose: () => void }) {
  const [note, setNote] = useState('')
  const [revokes, setRevokes] = useState(false)
  const refresh = useRefresh('access requests', 'admin keys')
  const action = useAction(
    (client) =>
      client.admin.rejectAccess(request.access_request_id, {
        revoke_sandbox: revokes,
        ...(note.trim() !== '' && { note: note.trim() }),
      }),
    () => {
      onClose()
      refresh()
    },
  )
  return (
    <Confirm
      title={`Reject ${request.name}`}
      open
      action={action}
      label="Reject request"
      look="danger"
      onClose={onClose}
    >
      <p>The decision is final. Nobody is notified; the same person can ask again.</p>
      <label className="check">
        <input type="checkbox" checked={revokes} onChange={({ target }) => setRevokes(target.checked)} />
        <span>Also revoke the sandbox key, within a second</span>
      </label>
      <NoteField value={note} onChange={setNote} />
    </Confirm>
  )
}

export function Reject({
  of: request,
  onClose,
}: {
  readonly of: AccessRequestView | null
  readonly onClose: () => void
}) {
  return request === null ? null : <Form key={request.access_request_id} of={request} onClose={onClose} />
}

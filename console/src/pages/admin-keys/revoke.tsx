/** Revokes a key, after the name of its owner was typed. */

import type { AdminKey } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { useNowMs } from '../../now.ts'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'
import { Ago } from '../../ui/time.tsx'
import { useRefresh } from '../../admin/list.tsx'

function Form({ of: key, onClose }: { readonly of: AdminKey; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [hasTried, setTried] = useState(false)
  const refresh = useRefresh('admin keys')
  const nowMs = useNowMs()
  const revoke = useAction(
    (client) => client.admin.revokeKey(key.key_id),
    () => {
      onClose()
      refresh()
    },
  )
  const isConfirmed = typed.trim() === key.owner.trim()
  function run(): void {
    setTried(true)
    if (isConfirmed) revoke.run()
  }
  return (
    <Confirm
      title="Revoke the key"
      open
      action={{ ...revoke, run }}
      label="Revoke key"
      look="danger"
      onClose={onClose}
    >
      <Notice tone="degraded" title="Requests with this key stop working within a second">
        <p>
          Every integration of {key.owner} that uses it is refused: it can no longer verify payments, read
          decisions or manage webhooks. Webhooks that it registered go on. This cannot be undone.
        </p>
      </Notice>
      <p>
        Last use: <Ago at={key.last_used_at} nowMs={nowMs} />. Key <code>{key.key_id}</code>.
      </p>
      <Field
        label={`Enter the owner’s name to confirm: ${key.owner}`}
        error={hasTried && !isConfirmed ? 'This is not the name of the owner.' : undefined}
      >
        {(input) => (
          <input
            {...input}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
    </Confirm>
  )
}

export function Revoke({ of: key, onClose }: { readonly of: AdminKey | null; readonly onClose: () => void }) {
  return key === null ? null : <Form key={key.key_id} of={key} onClose={onClose} />
}

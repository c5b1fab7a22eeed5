/** Replaces a key by a new one, after an overlap of the caller's choice. */

import type { AdminKey, RotatedKey } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { formatTime } from '../../format.ts'
import { useNowMs } from '../../now.ts'
import { Segments } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { useRefresh } from '../../admin/list.tsx'
import { NewKeyDialog } from '../../admin/new-key.tsx'

export const overlaps = [
  ['86400', '24 hours'],
  ['3600', '1 hour'],
  ['0', 'At once'],
] as const
export type Overlap = (typeof overlaps)[number][0]

/** The old key ends no later than it would have by itself. */
export function OverlapEnd({ overlap, expiresAt }: { overlap: Overlap; expiresAt: string | null }) {
  const nowMs = useNowMs()
  if (overlap === '0') return <p>The old key is refused within a second.</p>
  const endMs = nowMs + Number(overlap) * 1_000
  const ownMs = expiresAt === null ? endMs : Date.parse(expiresAt)
  return <p>{`Both keys work until ${formatTime(Math.min(endMs, ownMs), false)}. Then the old key ends.`}</p>
}

function Form({
  of: key,
  onClose,
  onRotated,
}: {
  readonly of: AdminKey
  readonly onClose: () => void
  readonly onRotated: (rotated: RotatedKey) => void
}) {
  const [overlap, setOverlap] = useState<Overlap>('86400')
  const action = useAction(
    (client) => client.admin.rotateKey(key.key_id, { overlap_s: Number(overlap) }),
    onRotated,
  )
  return (
    <Confirm
      title="Rotate the key"
      open
      action={action}
      label="Create new key"
      look="primary"
      onClose={onClose}
    >
      <p>
        The new key of <strong className="anywhere">{key.owner}</strong> has the same scopes and the same
        limit, and acts as the same principal.
      </p>
      <Segments label="The old key ends after" options={overlaps} value={overlap} onChange={setOverlap} />
      <OverlapEnd overlap={overlap} expiresAt={key.expires_at} />
    </Confirm>
  )
}

export function Rotate({ of: key, onClose }: { readonly of: AdminKey | null; readonly onClose: () => void }) {
  const [rotated, setRotated] = useState<RotatedKey | null>(null)
  const refresh = useRefresh('admin keys')
  return (
    <>
      {key !== null && (
        <Form
          of={key}
          onClose={onClose}
          onRotated={(done) => {
            setRotated(done)
            onClose()
            refresh()
          }}
        />
      )}
      <NewKeyDialog title="Key rotated" issued={rotated} onStored={() => setRotated(null)}>
        {rotated !== null && (
          <p>
            The old key <code>{rotated.replaced_key_id}</code> ends <Time at={rotated.replaced_key_ends_at} />
            .
          </p>
        )}
      </NewKeyDialog>
    </>
  )
}

/** Erases the personal text of one customer: what would go and what cannot go is shown first. */

import type { ErasurePreview } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { formatCount } from '../../format.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { Notice } from '../../ui/state.tsx'
import { useStart } from './jobs.tsx'
import { LineField, TypedField, useTyped } from './typed.tsx'

interface Target {
  readonly ownerId: string
  readonly correlationId: string
}

interface Seen extends Target {
  readonly preview: ErasurePreview
}

const textsIn = ({ texts }: ErasurePreview): number =>
  texts.correlation_id + texts.justification + texts.review_text
const isEmpty = (preview: ErasurePreview): boolean =>
  textsIn(preview) + preview.idempotency_keys + preview.batch_reports === 0

function useErase({ ownerId, correlationId, preview }: Seen, onStarted: () => void) {
  const [reference, setReference] = useState('')
  const [reason, setReason] = useState('')
  const [isLater, setLater] = useState(false)
  const [hasTried, setTried] = useState(false)
  const typed = useTyped(correlationId)
  const start = useStart(
    () => ({
      kind: 'erase',
      owner_id: ownerId,
      correlation_id: correlationId,
      reference: reference.trim(),
      reason: reason.trim(),
      plan: preview.plan,
      ...(isLater && { clean_later: true }),
    }),
    onStarted,
  )
  function run(): void {
    setTried(true)
    const isTyped = typed.check()
    if (isTyped && reference.trim() !== '' && reason.trim() !== '') start.run()
  }
  const missing = (text: string): string | undefined =>
    hasTried && text.trim() === '' ? 'This is required.' : undefined
  return {
    action: { ...start, run },
    typed,
    later: { isLater, setLater },
    reference: {
      value: reference,
      onChange: setReference,
      error: missing(reference) ?? errorOf(start.error, '/reference'),
    },
    reason: {
      value: reason,
      onChange: setReason,
      error: missing(reason) ?? errorOf(start.error, '/reason'),
    },
  }
}

function EraseDialog({ of: seen, onClose, onStarted }: DialogProps) {
  const { preview } = seen
  const { action, typed, later, reference, reason } = useErase(seen, onStarted)
  return (
    <Confirm title="Erase these texts" open action={action} label="Erase" look="danger" onClose={onClose}>
      <Notice tone="degraded" title="This cannot be undone">
        <p>
          {`${formatCount(textsIn(preview))} texts of ${formatCount(preview.request_ids.length)} payments go. The records stay, and every proof still verifies. Earlier backups and archives still have the texts.`}
        </p>
      </Notice>
      <LineField
        label="Reference"
        hint="Your own ticket, such as GDPR-12. Reference and reason are recorded for ever: no personal data."
        lengthMax={100}
        {...reference}
      />
      <LineField label="Reason" {...reason} />
      <label className="check">
        <input
          type="checkbox"
          checked={later.isLater}
          onChange={({ target }) => later.setLater(target.checked)}
        />
        <span>Rewrite the database later: a large SQLite file cannot be written meanwhile</span>
      </label>
      <TypedField label="Enter the correlation id to confirm" of={typed} />
    </Confirm>
  )
}

interface DialogProps {
  readonly of: Seen
  readonly onClose: () => void
  readonly onStarted: () => void
}

function Preview({ of: preview }: { readonly of: ErasurePreview }) {
  const { texts, cannot_be_erased: sealed, detached_months: months } = preview
  return (
    <div className="stack">
      {sealed.length > 0 && (
        <Notice tone="degraded" title={`${formatCount(sealed.length)} texts cannot be erased`} live>
          <p>Each is part of a sealed record of the old form, from before schema 9:</p>
          <p className="anywhere">
            <code>{sealed.slice(0, 20).join(', ')}</code>
          </p>
        </Notice>
      )}
      <Pairs
        of={[
          ['Payments', formatCount(preview.request_ids.length)],
          ['Correlation ids', formatCount(texts.correlation_id)],
          ['Justifications of overrides', formatCount(texts.justification)],
          ['Texts of reviews', formatCount(texts.review_text)],
          ['Idempotency keys', formatCount(preview.idempotency_keys)],
          ['Kept batch reports, as a whole', formatCount(preview.batch_reports)],
          ...(months.length > 0
            ? [['Not searched for texts of the old form', months.join(', ')] as const]
            : []),
        ]}
      />
    </div>
  )
}

interface Looked {
  readonly seen: Seen | null
  readonly onSeen: (seen: Seen | null) => void
}

/** The owner and the correlation id. A change of them forgets the preview. */
function TargetForm({ onSeen }: Pick<Looked, 'onSeen'>) {
  const [target, setTarget] = useState<Target>({ ownerId: '', correlationId: '' })
  const [hasTried, setTried] = useState(false)
  const { correlationId } = target
  const ownerId = target.ownerId.trim()
  const look = useAction(
    (client) => client.admin.previewErasure({ owner_id: ownerId, correlation_id: correlationId }),
    (preview) => onSeen({ ownerId, correlationId, preview }),
  )
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    onSeen(null)
    if (ownerId !== '' && correlationId !== '') look.run()
  }
  const change = (more: Partial<Target>): void => {
    onSeen(null)
    setTarget({ ...target, ...more })
  }
  const missing = (text: string): string | undefined =>
    hasTried && text === '' ? 'This is required.' : undefined
  return (
    <>
      <form className="admin-filters job-filters" noValidate onSubmit={submit}>
        <LineField
          label="Owner id"
          lengthMax={40}
          error={missing(ownerId)}
          value={target.ownerId}
          onChange={(text) => change({ ownerId: text })}
        />
        <LineField
          label="Correlation id, exactly"
          lengthMax={255}
          error={missing(correlationId)}
          value={correlationId}
          onChange={(text) => change({ correlationId: text })}
        />
        <Button type="submit" icon="search" busy={look.busy}>
          Show what would be erased
        </Button>
      </form>
      {look.error !== null && <Problem error={look.error} />}
    </>
  )
}

function Found({ seen, onSeen, isRunning }: Looked & { readonly seen: Seen; readonly isRunning: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const { preview } = seen
  if (isEmpty(preview) && preview.cannot_be_erased.length === 0)
    return (
      <Notice tone="info" title="No personal text was found" live>
        <p>No payment of this owner has this correlation id, or its texts were erased.</p>
      </Notice>
    )
  return (
    <>
      <Preview of={preview} />
      {!isEmpty(preview) && (
        <div>
          <Button variant="danger" busy={isRunning} onClick={() => setAsking(true)}>
            Erase…
          </Button>
        </div>
      )}
      {isAsking && <EraseDialog of={seen} onClose={() => setAsking(false)} onStarted={() => onSeen(null)} />}
    </>
  )
}

export function Erasure({ isRunning }: { readonly isRunning: boolean }) {
  const [seen, setSeen] = useState<Seen | null>(null)
  return (
    <Card
      title="Erase personal text"
      note="Of the payments with one correlation id: the id itself, justifications of overrides, texts of reviews, and kept batch reports that name it."
    >
      <TargetForm onSeen={setSeen} />
      {seen !== null && <Found seen={seen} onSeen={setSeen} isRunning={isRunning} />}
    </Card>
  )
}

/** The override form. Its draft survives a reload and a rejected key. */

import type { AuditRecord, InvalidRequestError, OverrideRequest } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { faultsOf, noDraft, serverFaults, type Draft, type Faults } from '../../override/draft.ts'
import { OverrideFields, useFocusOnFault } from '../../override/fields.tsx'
import { clearDraft, useStoredDraft } from '../../stored-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Confirmation, type Recorded } from './override-confirm.tsx'

export const draftName = (requestId: string): string => `override.${requestId}`

function useOverride(record: AuditRecord) {
  const [draft, setDraft] = useStoredDraft(draftName(record.request_id), noDraft)
  const [attempts, setAttempts] = useState(0)
  /** Faults that the server reported. */
  const [rejected, setRejected] = useState<Faults>({})
  /** Announced once per attempt, not at each keystroke. */
  const [announcement, setAnnouncement] = useState('')
  const [pending, setPending] = useState<OverrideRequest | null>(null)
  function fail(faults: Faults): void {
    setAttempts(attempts + 1)
    setAnnouncement(Object.values(faults).join(' '))
  }
  function edit(changed: Draft): void {
    setDraft(changed)
    setRejected({})
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    const { action, reason: reason_code, justification } = draft
    const invalid = faultsOf(draft)
    if (Object.keys(invalid).length > 0 || action === null) return fail(invalid)
    setAnnouncement('')
    setPending({ request_id: record.request_id, action, reason_code, justification })
  }
  function reject(error: InvalidRequestError): void {
    const invalid = serverFaults(error)
    setPending(null)
    setRejected(invalid)
    fail(invalid)
  }
  const faults: Faults = attempts > 0 ? { ...rejected, ...faultsOf(draft) } : {}
  const goBack = (): void => setPending(null)
  return { draft, attempts, announcement, pending, faults, edit, submit, reject, goBack }
}

export function OverrideForm({
  record,
  onDone,
}: {
  readonly record: AuditRecord
  readonly onDone: (recorded: Recorded) => void
}) {
  const { draft, attempts, announcement, pending, faults, edit, submit, goBack, reject } = useOverride(record)
  const form = useFocusOnFault(attempts)
  function done(recorded: Recorded): void {
    goBack()
    clearDraft(draftName(record.request_id))
    onDone(recorded)
  }
  return (
    <form
      ref={form}
      className="stack decision-form"
      noValidate
      aria-label="Override this decision"
      onSubmit={submit}
    >
      <OverrideFields draft={draft} faults={faults} onDraft={edit} />
      <p role="alert" className="sr-only">
        {announcement}
      </p>
      <div>
        <Button type="submit">Review override</Button>
      </div>
      <Dialog title="Record this override permanently?" open={pending !== null} onClose={goBack}>
        {pending !== null && (
          <Confirmation
            record={record}
            request={pending}
            onCancel={goBack}
            onDone={done}
            onRefused={reject}
          />
        )}
      </Dialog>
    </form>
  )
}

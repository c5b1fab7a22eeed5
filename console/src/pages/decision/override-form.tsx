/** The override form. Its draft survives a reload and a rejected key. */

import type { AuditRecord, InvalidRequestError, OverrideRequest } from '@fairway/client'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { clearDraft, useStoredDraft } from '../../stored-draft.ts'
import { errorOf } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { actions, Confirmation, type Action, type Recorded } from './override-confirm.tsx'

interface Draft {
  readonly action: Action | null
  readonly reason: string
  readonly justification: string
}

type Faults = Readonly<Partial<Record<keyof Draft, string>>>

const noDraft: Draft = { action: null, reason: '', justification: '' }

export const draftName = (requestId: string): string => `override.${requestId}`

const justificationLengthMax = 2_000

function faultsOf({ action, reason, justification }: Draft): Faults {
  return {
    ...(action === null && { action: 'Choose an action.' }),
    ...(!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(reason) && {
      reason: 'Enter a code in capitals, digits and underscores, such as COMPLIANCE_APPROVED.',
    }),
    ...(justification.trim() === '' && { justification: 'Enter a justification for the audit.' }),
  }
}

function Actions({
  chosen,
  fault,
  onChoose,
}: {
  readonly chosen: Action | null
  readonly fault: string | undefined
  readonly onChoose: (action: Action) => void
}) {
  const id = useId()
  return (
    <fieldset
      className="choices"
      role="radiogroup"
      {...(fault !== undefined && { 'aria-invalid': true, 'aria-describedby': id })}
    >
      <legend>New action</legend>
      {(Object.keys(actions) as Action[]).map((action) => (
        <label key={action} className="choice">
          <input type="radio" name="action" checked={chosen === action} onChange={() => onChoose(action)} />
          <strong>{action}</strong>
          <span className="decision-second">{actions[action]}</span>
        </label>
      ))}
      {fault !== undefined && (
        <p className="field-error" id={id}>
          <Icon name="warn" size={16} />
          {fault}
        </p>
      )}
    </fieldset>
  )
}

function Fields({
  draft,
  faults,
  onDraft,
}: {
  readonly draft: Draft
  readonly faults: Faults
  readonly onDraft: (draft: Draft) => void
}) {
  return (
    <>
      <Actions
        chosen={draft.action}
        fault={faults.action}
        onChoose={(action) => onDraft({ ...draft, action })}
      />
      <Field label="Reason code" hint="Your own code, such as COMPLIANCE_APPROVED." error={faults.reason}>
        {(input) => (
          <input
            {...input}
            className="input mono"
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            value={draft.reason}
            onChange={(event) =>
              onDraft({ ...draft, reason: event.target.value.toUpperCase().replaceAll(/[\s-]+/g, '_') })
            }
          />
        )}
      </Field>
      <Field
        label="Justification"
        hint={`Recorded permanently. ${justificationLengthMax - draft.justification.length} characters left.`}
        error={faults.justification}
      >
        {(input) => (
          <textarea
            {...input}
            maxLength={justificationLengthMax}
            value={draft.justification}
            onChange={(event) => onDraft({ ...draft, justification: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

const serverFaults = (error: InvalidRequestError): Faults => {
  const [action, reason, justification] = ['/action', '/reason_code', '/justification'].map((path) =>
    errorOf(error, path),
  )
  return { ...(action && { action }), ...(reason && { reason }), ...(justification && { justification }) }
}

/** Focuses the first invalid control after each failed attempt. */
function useFocusOnFault(attempts: number) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fault = attempts === 0 ? null : form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const control = fault?.matches('fieldset') === true ? fault.querySelector('input') : fault
    control?.focus()
  }, [attempts])
  return form
}

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
      <Fields draft={draft} faults={faults} onDraft={edit} />
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

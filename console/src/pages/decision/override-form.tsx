/** The form of an override: what is written in it outlasts a reload, and a key that is refused meanwhile. */

import type { AuditRecord, InvalidRequestError, OverrideRequest } from '@fairway/client'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { forgetDraft, useKeptDraft } from '../../kept-draft.ts'
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
    ...(action === null && { action: 'Choose what is to be done with the payment.' }),
    ...(!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(reason) && {
      reason: 'Give a code in capitals, digits and underscores, like COMPLIANCE_APPROVED.',
    }),
    ...(justification.trim() === '' && { justification: 'Say why: whoever audits this will ask.' }),
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
      <legend>What is to be done instead</legend>
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
      <Field label="Reason code" hint="Your own, like COMPLIANCE_APPROVED." error={faults.reason}>
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
        hint={`Kept permanently, in your words. ${justificationLengthMax - draft.justification.length} characters left.`}
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

/** Whoever tried is brought to the first fault, each time they try. */
function useFirstFault(tries: number) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fault = tries === 0 ? null : form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const control = fault?.matches('fieldset') === true ? fault.querySelector('input') : fault
    control?.focus()
  }, [tries])
  return form
}

function useOverride(record: AuditRecord) {
  const [draft, setDraft] = useKeptDraft(draftName(record.request_id), noDraft)
  const [tries, setTries] = useState(0)
  /** What the server said of what was sent. */
  const [refused, setRefused] = useState<Faults>({})
  /** Read out once for each try, not at each key that is pressed. */
  const [said, setSaid] = useState('')
  const [asking, setAsking] = useState<OverrideRequest | null>(null)
  function fail(faults: Faults): void {
    setTries(tries + 1)
    setSaid(Object.values(faults).join(' '))
  }
  function write(changed: Draft): void {
    setDraft(changed)
    setRefused({})
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    const { action, reason: reason_code, justification } = draft
    const found = faultsOf(draft)
    if (Object.keys(found).length > 0 || action === null) return fail(found)
    setSaid('')
    setAsking({ request_id: record.request_id, action, reason_code, justification })
  }
  function refuse(error: InvalidRequestError): void {
    const found = serverFaults(error)
    setAsking(null)
    setRefused(found)
    fail(found)
  }
  const faults: Faults = tries > 0 ? { ...refused, ...faultsOf(draft) } : {}
  return { draft, tries, said, asking, faults, write, submit, refuse, goBack: () => setAsking(null) }
}

export function OverrideForm({
  record,
  onDone,
}: {
  readonly record: AuditRecord
  readonly onDone: (recorded: Recorded) => void
}) {
  const { draft, tries, said, asking, faults, write, submit, goBack, refuse } = useOverride(record)
  const form = useFirstFault(tries)
  function done(recorded: Recorded): void {
    goBack()
    forgetDraft(draftName(record.request_id))
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
      <Fields draft={draft} faults={faults} onDraft={write} />
      <p role="alert" className="sr-only">
        {said}
      </p>
      <div>
        <Button type="submit">Look over and record</Button>
      </div>
      <Dialog title="Record this override permanently?" open={asking !== null} onClose={goBack}>
        {asking !== null && (
          <Confirmation record={record} request={asking} onCancel={goBack} onDone={done} onRefused={refuse} />
        )}
      </Dialog>
    </form>
  )
}

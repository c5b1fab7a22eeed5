/** The form of an override, and the question before it is kept for ever. */

import {
  ConflictError,
  InvalidRequestError,
  type AuditRecord,
  type Override,
  type OverrideRequest,
} from '@fairway/client'
import { useId, useState, type FormEvent } from 'react'
import { errorOf, Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Verdict } from '../../ui/verdict.tsx'

type Action = Override['action']

export const actions: Readonly<Record<Action, string>> = {
  EXECUTE: 'Send the payment in spite of the decision',
  HOLD: 'Keep it back until further notice',
  REJECT: 'Do not send it at all',
}

interface Draft {
  readonly action: Action | null
  readonly reason: string
  readonly justification: string
}

type Faults = Readonly<Partial<Record<keyof Draft, string>>>

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
    <fieldset className="choices" {...(fault !== undefined && { 'aria-describedby': id })}>
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
        hint={`Kept for ever, in your words. ${justificationLengthMax - draft.justification.length} characters left.`}
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

/** Repeats what will be recorded: nobody can take it back. */
function Confirmation({
  record,
  request,
  onCancel,
  onDone,
  onRefused,
}: {
  readonly record: AuditRecord
  readonly request: OverrideRequest
  readonly onCancel: () => void
  readonly onDone: (made: Override | 'theirs') => void
  readonly onRefused: (error: InvalidRequestError) => void
}) {
  const { client } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function send(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      if (client !== null) onDone(await client.override(request))
    } catch (caught) {
      setBusy(false)
      if (caught instanceof ConflictError) onDone('theirs')
      else if (caught instanceof InvalidRequestError) onRefused(caught)
      else setError(caught)
    }
  }
  return (
    <>
      <p>It is kept beside the decision and cannot be changed or taken back. The decision itself stays.</p>
      <Pairs
        of={[
          ['Decision', <Verdict key="decision" of={record.decision} />],
          ['Request id', <code key="id">{record.request_id}</code>],
          ['Action', `${request.action}: ${actions[request.action].toLowerCase()}`],
          ['Reason code', <code key="reason">{request.reason_code}</code>],
          [
            'Justification',
            <span key="why" className="decision-words">
              {request.justification}
            </span>,
          ],
        ]}
      />
      {error !== null && <Problem error={error} />}
      <div className="dialog-actions">
        <Button onClick={onCancel}>Go back</Button>
        <Button look="primary" busy={busy} onClick={() => void send()}>
          Record the override
        </Button>
      </div>
    </>
  )
}

const serverFaults = (error: InvalidRequestError): Faults => {
  const [action, reason, justification] = ['/action', '/reason_code', '/justification'].map((path) =>
    errorOf(error, path),
  )
  return { ...(action && { action }), ...(reason && { reason }), ...(justification && { justification }) }
}

export function OverrideForm({
  record,
  onDone,
}: {
  readonly record: AuditRecord
  readonly onDone: (made: Override | 'theirs') => void
}) {
  const [draft, setDraft] = useState<Draft>({ action: null, reason: '', justification: '' })
  const [tried, setTried] = useState(false)
  /** What the server said of what was sent. */
  const [refused, setRefused] = useState<Faults>({})
  const [asking, setAsking] = useState<OverrideRequest | null>(null)
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    const { action, reason: reason_code, justification } = draft
    if (Object.keys(faultsOf(draft)).length > 0 || action === null) return
    setAsking({ request_id: record.request_id, action, reason_code, justification })
  }
  return (
    <form className="stack decision-form" noValidate aria-label="Override this decision" onSubmit={submit}>
      <Fields
        draft={draft}
        faults={tried ? { ...refused, ...faultsOf(draft) } : {}}
        onDraft={(changed) => {
          setDraft(changed)
          setRefused({})
        }}
      />
      <div>
        <Button type="submit">Look over and record</Button>
      </div>
      <Dialog title="Record this override for ever?" open={asking !== null} onClose={() => setAsking(null)}>
        {asking !== null && (
          <Confirmation
            record={record}
            request={asking}
            onCancel={() => setAsking(null)}
            onDone={(made) => {
              setAsking(null)
              onDone(made)
            }}
            onRefused={(error) => {
              setAsking(null)
              setRefused(serverFaults(error))
            }}
          />
        )}
      </Dialog>
    </form>
  )
}

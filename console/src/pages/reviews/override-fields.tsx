/** The fields of an override, wherever it is proposed: action, reason code and justification. */

import type { InvalidRequestError } from '@fairway/client'
import { useEffect, useId, useRef } from 'react'
import { errorOf } from '../../problem.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { actions, type Action } from '../decision/override-confirm.tsx'

export interface Draft {
  readonly action: Action | null
  readonly reason: string
  readonly justification: string
}

export type Faults = Readonly<Partial<Record<keyof Draft, string>>>

export const noDraft: Draft = { action: null, reason: '', justification: '' }

/** The API's maximum. */
export const textLengthMax = 2_000

export function faultsOf({ action, reason, justification }: Draft): Faults {
  return {
    ...(action === null && { action: 'Choose an action.' }),
    ...(!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(reason) && {
      reason: 'Enter a code in capitals, digits and underscores, such as COMPLIANCE_APPROVED.',
    }),
    ...(justification.trim() === '' && { justification: 'Enter a justification for the audit.' }),
  }
}

/** Faults that the server reported. */
export function serverFaults(error: InvalidRequestError): Faults {
  const [action, reason, justification] = ['/action', '/reason_code', '/justification'].map((path) =>
    errorOf(error, path),
  )
  return { ...(action && { action }), ...(reason && { reason }), ...(justification && { justification }) }
}

/** Focuses the first invalid control after each failed attempt. */
export function useFocusOnFault(attempts: number) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fault = attempts === 0 ? null : form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const control = fault?.matches('fieldset') === true ? fault.querySelector('input') : fault
    control?.focus()
  }, [attempts])
  return form
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

export function OverrideFields({
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
            onChange={({ target }) =>
              onDraft({ ...draft, reason: target.value.toUpperCase().replaceAll(/[\s-]+/g, '_') })
            }
          />
        )}
      </Field>
      <Field
        label="Justification"
        hint={`Recorded permanently. ${textLengthMax - draft.justification.length} characters left.`}
        error={faults.justification}
      >
        {(input) => (
          <textarea
            {...input}
            maxLength={textLengthMax}
            value={draft.justification}
            onChange={({ target }) => onDraft({ ...draft, justification: target.value })}
          />
        )}
      </Field>
    </>
  )
}

/** The fields of an override, recorded directly or proposed in a review. */

import { useEffect, useId, useRef } from 'react'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { actions, textLengthMax, type Action, type Draft, type Faults } from './draft.ts'
import './override.css'

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
          <span className="choice-text">{actions[action]}</span>
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

/** Form fields: each label, hint and error is linked to its input for screen readers. */

import { useId, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** Focuses the first input in error and scrolls to its label, too, also if it has the focus already. */
export function focusFirstError(form: HTMLElement | null): void {
  const input = form?.querySelector<HTMLElement>('[aria-invalid=true]')
  input?.focus({ preventScroll: true })
  const field = input?.closest('.field') ?? input
  field?.scrollIntoView({ block: 'nearest' })
}

/** The attributes that link an input to its label, hint and error. */
export interface FieldInput {
  readonly id: string
  readonly className: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly children: (input: FieldInput) => ReactNode
}) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: 'input',
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
      })}
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`} text={error} />}
    </div>
  )
}

function FieldError({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p className="field-error" id={id}>
      <Icon name="warn" size={16} />
      <span>{text}</span>
    </p>
  )
}

/** Check boxes: any of a few. */
export function Checks<Value extends string>({
  label,
  options,
  value,
  error,
  onChange,
}: {
  readonly label: string
  readonly options: readonly (readonly [value: Value, text: ReactNode])[]
  readonly value: readonly Value[]
  readonly error: string | undefined
  readonly onChange: (value: readonly Value[]) => void
}) {
  const id = useId()
  return (
    <fieldset className="checks" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>{label}</legend>
      {options.map(([one, text]) => (
        <label className="check" key={one}>
          <input
            type="checkbox"
            checked={value.includes(one)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, one] : value.filter((other) => other !== one))
            }
          />
          <span>{text}</span>
        </label>
      ))}
      {error !== undefined && <FieldError id={id} text={error} />}
    </fieldset>
  )
}

/** A segmented control: one choice of a few. */
export function Segments<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map(([one, text]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {text}
        </button>
      ))}
    </div>
  )
}

/** A field that confirms by the name of the thing, and the fields of a reason. */

import { useState } from 'react'
import { Field } from '../../ui/field.tsx'

export function useTyped(wanted: string) {
  const [text, setText] = useState('')
  const [hasTried, setTried] = useState(false)
  const isConfirmed = text.trim() === wanted.trim()
  return {
    wanted,
    text,
    setText,
    error: hasTried && !isConfirmed ? 'This is not the same.' : undefined,
    /** Whether it is; shows the error if not. */
    check: (): boolean => {
      setTried(true)
      return isConfirmed
    },
  }
}

export function TypedField({
  label,
  of,
}: {
  readonly label: string
  readonly of: ReturnType<typeof useTyped>
}) {
  return (
    <Field label={`${label}: ${of.wanted}`} error={of.error}>
      {(input) => (
        <input
          {...input}
          autoComplete="off"
          spellCheck={false}
          value={of.text}
          onChange={({ target }) => of.setText(target.value)}
        />
      )}
    </Field>
  )
}

export function LineField({
  label,
  hint,
  error,
  value,
  lengthMax = 500,
  onChange,
}: {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly value: string
  readonly lengthMax?: number
  readonly onChange: (text: string) => void
}) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })} error={error}>
      {(input) => (
        <input
          {...input}
          autoComplete="off"
          maxLength={lengthMax}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}

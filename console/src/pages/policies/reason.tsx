/** The required reason of a promotion or a rollback. */

import { useRef, useState } from 'react'
import { Field } from '../../ui/field.tsx'

const reasonLengthMax = 2_000

export function useReason() {
  const [text, setText] = useState('')
  const [hasTried, setTried] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isMissing = text.trim() === ''
  return {
    text,
    field,
    error: hasTried && isMissing ? 'Enter a reason.' : undefined,
    change: setText,
    clear: () => {
      setText('')
      setTried(false)
    },
    /** Acts only with a reason; otherwise its field takes the focus. */
    submit: (act: () => void) => {
      setTried(true)
      if (isMissing) field.current?.focus()
      else act()
    },
  }
}

export function ReasonField({ of: { text, error, field, change } }: { of: ReturnType<typeof useReason> }) {
  return (
    <Field label="Reason" hint="Recorded permanently." error={error}>
      {(input) => (
        <textarea
          {...input}
          ref={field}
          required
          maxLength={reasonLengthMax}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  )
}

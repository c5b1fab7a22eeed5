/** The note that is kept with a decision about an access request. */

import { Field } from '../../ui/field.tsx'

export function NoteField({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  return (
    <Field label="Note (optional)" hint="Kept with the decision.">
      {(input) => (
        <input
          {...input}
          autoComplete="off"
          maxLength={500}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}

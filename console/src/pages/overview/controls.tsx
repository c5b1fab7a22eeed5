/** The overview's controls: time range, corridor and mode. */

import type { FairwayError } from '@fairway/client'
import type { FormEvent } from 'react'
import { useDraft } from '../../draft.ts'
import { StretchFilters } from '../../filter-fields.tsx'
import { errorOf } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { inputTime, isoTime, ranges, withRange, type Filters } from './filters.ts'

interface ControlProps {
  readonly filters: Filters
  readonly error: FairwayError | undefined
  readonly onChange: (changed: Partial<Filters>) => void
}

/** Rewords the API's messages for a date picker, whose users do not see ISO 8601. */
function timeErrorOf(error: unknown, path: '/from' | '/to'): string | undefined {
  const message = errorOf(error, path)
  if (message?.includes('ISO 8601') === true) return 'Enter a valid date and time.'
  if (message?.includes('must be before') === true) return 'From must be before To. An empty To means now.'
  return message?.replace(/^This/, 'From').replace(' before to', ' before To')
}

function CustomRange({ filters, error, onChange }: ControlProps) {
  const [from, setFrom] = useDraft(inputTime(filters.from))
  const [to, setTo] = useDraft(inputTime(filters.to))
  function submit(event: FormEvent): void {
    event.preventDefault()
    onChange({ from: isoTime(from, filters.from), to: isoTime(to, filters.to) })
  }
  return (
    <form className="filters-dates" onSubmit={submit}>
      <Field label="From" hint="Local time." error={timeErrorOf(error, '/from')}>
        {(input) => (
          <input
            {...input}
            type="datetime-local"
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
        )}
      </Field>
      <Field label="To" hint="Defaults to now." error={timeErrorOf(error, '/to')}>
        {(input) => (
          <input {...input} type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
        )}
      </Field>
      <Button type="submit">Apply</Button>
    </form>
  )
}

export function Controls(props: ControlProps) {
  const { filters, error, onChange } = props
  return (
    <StretchFilters
      label="Time range"
      ranges={ranges}
      filters={filters}
      error={error}
      onRange={(range) => onChange(withRange(range, filters, Date.now()))}
      onChange={onChange}
    >
      {filters.range === 'custom' && <CustomRange {...props} />}
    </StretchFilters>
  )
}

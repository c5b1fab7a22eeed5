/** The filters of the calibration page: stretch, corridor and mode. */

import type { FairwayError } from '@fairway/client'
import type { FormEvent } from 'react'
import { useDraft } from '../../draft.ts'
import { StretchFilters } from '../../filter-fields.tsx'
import { errorOf } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { ranges, withRange, type Filters } from './filters.ts'

interface ControlProps {
  readonly filters: Filters
  readonly error: FairwayError | undefined
  readonly onChange: (changed: Partial<Filters>) => void
}

/** Rewords the API's messages for a date picker, whose users do not see ISO 8601. */
function dayErrorOf(error: unknown, path: '/from' | '/to'): string | undefined {
  const message = errorOf(error, path)
  if (message?.includes('must be before') === true)
    return 'From must not be after To. An empty To means today.'
  return message === undefined ? undefined : 'Enter a valid day.'
}

function Dates({ filters, error, onChange }: ControlProps) {
  const [from, setFrom] = useDraft(filters.from)
  const [to, setTo] = useDraft(filters.to)
  function submit(event: FormEvent): void {
    event.preventDefault()
    onChange({ from, to })
  }
  return (
    <form className="filters-dates" onSubmit={submit} noValidate>
      <Field label="From" hint="UTC day. Defaults to 365 days before To." error={dayErrorOf(error, '/from')}>
        {(input) => (
          <input {...input} type="date" value={from} onChange={({ target }) => setFrom(target.value)} />
        )}
      </Field>
      <Field label="To" hint="UTC day, included. Defaults to today." error={dayErrorOf(error, '/to')}>
        {(input) => (
          <input {...input} type="date" value={to} onChange={({ target }) => setTo(target.value)} />
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
      label="Stretch"
      ranges={ranges}
      filters={filters}
      error={error}
      onRange={(range) => onChange(withRange(range, filters, Date.now()))}
      onChange={onChange}
    >
      {filters.range === 'dates' && <Dates {...props} />}
    </StretchFilters>
  )
}

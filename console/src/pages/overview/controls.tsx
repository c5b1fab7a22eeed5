/** The overview's controls: time range, corridor and mode. */

import type { FairwayError } from '@fairway/client'
import { useId, type FormEvent } from 'react'
import { useDraft } from '../../draft.ts'
import { errorOf } from '../../problem.tsx'
import { CorridorOptions, useCorridorCodes } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Segments } from '../../ui/field.tsx'
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
    <form className="overview-custom" onSubmit={submit}>
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

function CorridorFilter({ filters: { corridor }, error, onChange }: ControlProps) {
  const id = useId()
  const [draft, setDraft] = useDraft(corridor)
  const supported = useCorridorCodes()
  function apply(text: string): void {
    if (text.trim() !== corridor) onChange({ corridor: text.trim() })
  }
  function change(text: string): void {
    setDraft(text)
    // Choosing a listed corridor or clearing the field applies at once.
    if (text === '' || supported.includes(text)) apply(text)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        apply(draft)
      }}
    >
      <Field label="Corridor" error={errorOf(error, '/corridor')}>
        {(input) => (
          <input
            {...input}
            type="search"
            list={id}
            placeholder="All corridors"
            autoComplete="off"
            spellCheck={false}
            value={draft}
            onChange={({ target }) => change(target.value)}
            onBlur={() => apply(draft)}
          />
        )}
      </Field>
      <CorridorOptions id={id} />
    </form>
  )
}

export function Controls(props: ControlProps) {
  const { filters, onChange } = props
  return (
    <div className="stack">
      <div className="overview-controls">
        <div className="field">
          <span className="overview-label" aria-hidden="true">
            Time range
          </span>
          <Segments
            label="Time range"
            options={ranges}
            value={filters.range}
            onChange={(range) => onChange(withRange(range, filters, Date.now()))}
          />
        </div>
        <CorridorFilter {...props} />
        <Field label="Mode">
          {(input) => (
            <select
              {...input}
              value={filters.mode}
              onChange={(event) => onChange({ mode: event.target.value as Filters['mode'] })}
            >
              <option value="">All modes</option>
              <option value="shadow">Shadow</option>
              <option value="live">Live</option>
            </select>
          )}
        </Field>
      </div>
      {filters.range === 'custom' && <CustomRange {...props} />}
    </div>
  )
}

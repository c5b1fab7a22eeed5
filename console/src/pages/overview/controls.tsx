/** The controls of the overview: time, corridor, mode. */

import type { FairwayError } from '@fairway/client'
import { useId, type FormEvent } from 'react'
import { useDraft } from '../../draft.ts'
import { errorOf } from '../../problem.tsx'
import { useRules } from '../../rules.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { chosen, ranges, saidTime, shownTime, type Filters } from './filters.ts'

interface Controlled {
  readonly filters: Filters
  readonly error: FairwayError | undefined
  readonly onChange: (changed: Partial<Filters>) => void
}

/** Whoever picks a date knows nothing of its notation. */
function timeErrorOf(error: unknown, path: '/from' | '/to'): string | undefined {
  const told = errorOf(error, path)
  if (told?.includes('ISO 8601') === true) return 'This time cannot be read.'
  if (told?.includes('must be before') === true)
    return 'From must be earlier than To, which is now if left empty.'
  return told?.replace(/^This/, 'From').replace(' before to', ' before To')
}

function CustomRange({ filters, error, onChange }: Controlled) {
  const [from, setFrom] = useDraft(shownTime(filters.from))
  const [to, setTo] = useDraft(shownTime(filters.to))
  function submit(event: FormEvent): void {
    event.preventDefault()
    onChange({ from: saidTime(from, filters.from), to: saidTime(to, filters.to) })
  }
  return (
    <form className="overview-custom" onSubmit={submit}>
      <Field label="From" hint="Your local time." error={timeErrorOf(error, '/from')}>
        {(input) => (
          <input
            {...input}
            type="datetime-local"
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
        )}
      </Field>
      <Field label="To" hint="Now, if left empty." error={timeErrorOf(error, '/to')}>
        {(input) => (
          <input {...input} type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
        )}
      </Field>
      <Button type="submit">Show this time</Button>
    </form>
  )
}

function CorridorFilter({ filters: { corridor }, error, onChange }: Controlled) {
  const { data } = useRules()
  const id = useId()
  const [draft, setDraft] = useDraft(corridor)
  const known = data?.supported_corridors ?? []
  function say(text: string): void {
    if (text.trim() !== corridor) onChange({ corridor: text.trim() })
  }
  function change(text: string): void {
    setDraft(text)
    // Chosen from the list, or cleared: there is nothing more to type.
    if (text === '' || known.includes(text)) say(text)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        say(draft)
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
            onBlur={() => say(draft)}
          />
        )}
      </Field>
      <datalist id={id}>
        {known.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </datalist>
    </form>
  )
}

export function Controls(props: Controlled) {
  const { filters, onChange } = props
  return (
    <div className="stack">
      <div className="overview-controls">
        <div className="field">
          <span className="overview-label" aria-hidden="true">
            Time
          </span>
          <Segments
            label="Time"
            options={ranges}
            value={filters.range}
            onChange={(range) => onChange(chosen(range, filters, Date.now()))}
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

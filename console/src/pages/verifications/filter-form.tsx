/** The filter form. A decision filter applies at once; text filters apply on submit. */

import { useState, type FormEvent } from 'react'
import { isoOf, localInputOf } from '../../local-time.ts'
import { errorOf } from '../../problem.tsx'
import { CorridorOptions } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { filterNames, isFiltered, type FilterName, type Filters } from './filters.ts'

const decisions = [
  ['', 'All'],
  ['GO', 'GO'],
  ['DEGRADED', 'DEGRADED'],
  ['NO-GO', 'NO-GO'],
] as const

interface FormProps {
  readonly filters: Filters
  readonly error: unknown
  readonly onChange: (filters: Filters) => void
  readonly onClear: () => void
}

function Fields({
  draft,
  error,
  onDraft,
}: {
  readonly draft: Filters
  readonly error: unknown
  readonly onDraft: (draft: Filters) => void
}) {
  const text = (name: FilterName, label: string, more: { placeholder?: string; list?: string }) => (
    <Field label={label} error={errorOf(error, `/${name}`)}>
      {(input) => (
        <input
          {...input}
          {...more}
          autoComplete="off"
          spellCheck={false}
          value={draft[name]}
          onChange={(event) => onDraft({ ...draft, [name]: event.target.value })}
        />
      )}
    </Field>
  )
  const time = (name: 'from' | 'to', label: string) => (
    <Field label={label} error={errorOf(error, `/${name}`)}>
      {(input) => (
        <input
          {...input}
          type="datetime-local"
          value={localInputOf(draft[name])}
          onChange={(event) => onDraft({ ...draft, [name]: isoOf(event.target.value) })}
        />
      )}
    </Field>
  )
  return (
    <>
      {text('corridor', 'Corridor', { placeholder: 'GB-NG', list: 'corridors' })}
      <CorridorOptions id="corridors" />
      {time('from', 'From (local time)')}
      {time('to', 'To (local time)')}
      {text('correlation_id', 'Correlation id', { placeholder: 'Exact match' })}
    </>
  )
}

/** The draft resets when the URL changes: on Back, Forward or Clear. */
function useDraft(filters: Filters): readonly [Filters, (draft: Filters) => void] {
  const [draft, setDraft] = useState(filters)
  const [applied, setApplied] = useState(filters)
  if (filterNames.some((name) => applied[name] !== filters[name])) {
    setApplied(filters)
    setDraft(filters)
  }
  return [draft, setDraft]
}

const isWide = (): boolean => window.matchMedia('(min-width: 700px)').matches

export function FilterForm({ filters, error, onChange, onClear }: FormProps) {
  const [draft, setDraft] = useDraft(filters)
  const [open, setOpen] = useState(() => isWide() || isFiltered({ ...filters, decision: '' }))
  function submit(event: FormEvent): void {
    event.preventDefault()
    onChange({ ...draft, corridor: draft.corridor.trim() })
  }
  const decisionError = errorOf(error, '/decision')
  return (
    <form className="card records-filters" aria-label="Filters" noValidate onSubmit={submit}>
      <div className="records-filters-head">
        <Segments
          label="Decision"
          options={decisions}
          value={filters.decision as (typeof decisions)[number][0]}
          onChange={(decision) => onChange({ ...draft, decision })}
        />
        <div className="row">
          {isFiltered(filters) && (
            <Button variant="quiet" small icon="close" onClick={onClear}>
              Clear filters
            </Button>
          )}
          <Button variant="quiet" small aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Fewer filters' : 'More filters'}
          </Button>
        </div>
      </div>
      {decisionError !== undefined && (
        <p className="field-error">
          <Icon name="warn" size={16} />
          <span>{decisionError}</span>
        </p>
      )}
      {open && (
        <div className="records-filters-fields">
          <Fields draft={draft} error={error} onDraft={setDraft} />
          <Button type="submit">Apply</Button>
        </div>
      )}
    </form>
  )
}

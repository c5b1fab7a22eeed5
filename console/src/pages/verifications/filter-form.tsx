/** The filter form. A choice applies at once; text filters apply on submit. */

import { useState, type FormEvent } from 'react'
import { codeLabel, outcomes } from '../../labels.ts'
import { isoOf, localInputOf } from '../../local-time.ts'
import { modeChoices } from '../../mode-choice.ts'
import { errorOf } from '../../problem.tsx'
import { CorridorOptions } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { filterNames, isFiltered, type FilterName, type Filters } from './filters.ts'
import { reasonCodes } from '../batch/reasons.ts'

const decisions = [
  ['', 'All'],
  ['GO', 'GO'],
  ['DEGRADED', 'DEGRADED'],
  ['NO-GO', 'NO-GO'],
] as const

type Options = readonly (readonly [value: string, text: string])[]

const reasons: Options = [['', 'Any reason'], ...reasonCodes.map((code) => [code, codeLabel(code)] as const)]

const overrides: Options = [
  ['', 'Any'],
  ['true', 'Overridden'],
  ['false', 'Not overridden'],
]

const ends: Options = [['', 'Any outcome'], ['none', 'None reported'], ...Object.entries(outcomes)]

interface FormProps {
  readonly filters: Filters
  readonly error: unknown
  readonly onChange: (filters: Filters) => void
  readonly onClear: () => void
}

interface FieldProps {
  readonly draft: Filters
  readonly error: unknown
  readonly onDraft: (draft: Filters) => void
}

function TextField({
  name,
  label,
  draft,
  error,
  onDraft,
  ...more
}: FieldProps & {
  readonly name: FilterName
  readonly label: string
  readonly placeholder?: string
  readonly list?: string
  readonly inputMode?: 'decimal'
  readonly maxLength?: number
}) {
  return (
    <Field label={label} error={errorOf(error, `/${name}`)}>
      {(input) => (
        <input
          {...input}
          {...more}
          autoComplete="off"
          spellCheck={false}
          value={draft[name]}
          onChange={({ target }) => onDraft({ ...draft, [name]: target.value })}
        />
      )}
    </Field>
  )
}

function TimeField({
  name,
  label,
  draft,
  error,
  onDraft,
}: FieldProps & { readonly name: 'from' | 'to'; readonly label: string }) {
  return (
    <Field label={label} error={errorOf(error, `/${name}`)}>
      {(input) => (
        <input
          {...input}
          type="datetime-local"
          value={localInputOf(draft[name])}
          onChange={({ target }) => onDraft({ ...draft, [name]: isoOf(target.value) })}
        />
      )}
    </Field>
  )
}

function Choice({
  name,
  label,
  options,
  draft,
  error,
  onDraft: onChoose,
}: FieldProps & { readonly name: FilterName; readonly label: string; readonly options: Options }) {
  const value = draft[name]
  // The address may have any value; the server rejects it, and the form shows the error.
  const shown = options.some(([one]) => one === value) ? options : [...options, [value, value] as const]
  return (
    <Field label={label} error={errorOf(error, `/${name}`)}>
      {(input) => (
        <select
          {...input}
          value={value}
          onChange={({ target }) => onChoose({ ...draft, [name]: target.value })}
        >
          {shown.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Choices apply at once, with what is typed beside them. */
function Fields({ onChoose, ...props }: FieldProps & { readonly onChoose: (filters: Filters) => void }) {
  const choosing = { ...props, onDraft: onChoose }
  return (
    <>
      <TextField {...props} name="corridor" label="Corridor" placeholder="GB-NG" list="corridors" />
      <CorridorOptions id="corridors" />
      <Choice {...choosing} name="reason" label="Reason" options={reasons} />
      <TextField {...props} name="amount_min" label="Amount from" placeholder="1,000" inputMode="decimal" />
      <TextField {...props} name="amount_max" label="Amount to" placeholder="50,000" inputMode="decimal" />
      <TextField {...props} name="currency" label="Currency" placeholder="GBP" maxLength={3} />
      <Choice {...choosing} name="override" label="Override" options={overrides} />
      <Choice {...choosing} name="outcome" label="Outcome" options={ends} />
      <Choice {...choosing} name="mode" label="Mode" options={modeChoices} />
      <TimeField {...props} name="from" label="From (local time)" />
      <TimeField {...props} name="to" label="To (local time)" />
      <TextField {...props} name="correlation_id" label="Correlation id" placeholder="Exact match" />
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

const trimmed = (filters: Filters): Filters => ({
  ...filters,
  corridor: filters.corridor.trim(),
  currency: filters.currency.trim(),
  amount_min: filters.amount_min.trim(),
  amount_max: filters.amount_max.trim(),
})

export function FilterForm({ filters, error, onChange, onClear }: FormProps) {
  const [draft, setDraft] = useDraft(filters)
  const [open, setOpen] = useState(() => isFiltered({ ...filters, decision: '' }))
  const apply = (to: Filters): void => onChange(trimmed(to))
  function submit(event: FormEvent): void {
    event.preventDefault()
    apply(draft)
  }
  const decisionError = errorOf(error, '/decision')
  return (
    <form className="card records-filters" aria-label="Filters" noValidate onSubmit={submit}>
      <div className="records-filters-head">
        <Segments
          label="Decision"
          options={decisions}
          value={filters.decision as (typeof decisions)[number][0]}
          onChange={(decision) => apply({ ...draft, decision })}
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
          <Fields draft={draft} error={error} onDraft={setDraft} onChoose={apply} />
          <Button type="submit">Apply</Button>
        </div>
      )}
    </form>
  )
}

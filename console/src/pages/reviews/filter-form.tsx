/** The filters of the queue. Each applies at once. */

import { useState } from 'react'
import { CorridorFilter, ModeFilter } from '../../filter-fields.tsx'
import { reviewStatuses } from '../../labels.ts'
import type { ModeChoice } from '../../mode-choice.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { anyStatus, closedStatus, isSame, noFilters, views, type Filters } from './filters.ts'

type Options = readonly (readonly [value: string, text: string])[]

const statuses: Options = [
  ['', 'Waiting'],
  ...Object.entries(reviewStatuses),
  [closedStatus, 'Closed'],
  [anyStatus, 'All'],
]

const decisions: Options = [
  ['', 'All decisions'],
  ['DEGRADED', 'DEGRADED'],
  ['NO-GO', 'NO-GO'],
  ['GO', 'GO'],
]

const claimants: Options = [
  ['', 'Any'],
  ['me', 'Me'],
  ['nobody', 'Nobody'],
]

function Choice({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string
  readonly options: Options
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const isListed = options.some(([one]) => one === value)
  // An address may list several statuses.
  const shown = isListed ? options : [...options, [value, value.replaceAll(',', ', ')] as const]
  return (
    <Field label={label}>
      {(input) => (
        <select {...input} value={value} onChange={({ target }) => onChange(target.value)}>
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

const isWide = (): boolean => window.matchMedia('(min-width: 901px)').matches

interface FormProps {
  readonly filters: Filters
  readonly error: unknown
  readonly onChange: (filters: Filters) => void
}

export function FilterForm({ filters, error, onChange }: FormProps) {
  const [open, setOpen] = useState(isWide)
  const isView = views.some((view) => isSame(view.filters, filters))
  return (
    <>
      <div className="row desk-toggle">
        <Button variant="quiet" small aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide filters' : 'Filters'}
        </Button>
        {!isView && (
          <Button variant="quiet" small icon="close" onClick={() => onChange(noFilters)}>
            Clear filters
          </Button>
        )}
      </div>
      {open && <Fields filters={filters} error={error} onChange={onChange} />}
    </>
  )
}

function Fields({ filters, error, onChange }: FormProps) {
  const set = (changed: Partial<Filters>): void => onChange({ ...filters, ...changed })
  return (
    <div className="desk-fields" role="group" aria-label="Filters">
      <Choice
        label="Status"
        options={statuses}
        value={filters.status}
        onChange={(status) => set({ status })}
      />
      <Choice
        label="Decision"
        options={decisions}
        value={filters.decision}
        onChange={(decision) => set({ decision })}
      />
      <CorridorFilter corridor={filters.corridor} error={error} onChange={(corridor) => set({ corridor })} />
      <Choice
        label="Claimed by"
        options={claimants}
        value={filters.claimed_by}
        onChange={(claimant) => set({ claimed_by: claimant })}
      />
      <ModeFilter mode={filters.mode as ModeChoice} onChange={(mode) => set({ mode })} />
      <label className="check desk-overdue-only">
        <input
          type="checkbox"
          checked={filters.overdue !== ''}
          onChange={({ target }) => set({ overdue: target.checked ? 'true' : '' })}
        />
        <span>Overdue only</span>
      </label>
    </div>
  )
}

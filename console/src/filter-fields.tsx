/** The filters that several pages share: stretch of time, corridor and mode. */

import { useId, type ReactNode } from 'react'
import { useDraft } from './draft.ts'
import { modeChoices, type ModeChoice } from './mode-choice.ts'
import { errorOf } from './problem.tsx'
import { CorridorOptions, useCorridorCodes } from './supported.tsx'
import { Field, Segments } from './ui/field.tsx'

interface StretchChoice<Range extends string> {
  readonly range: Range
  readonly corridor: string
  readonly mode: ModeChoice
}

/** `children` are the fields of a range that is chosen by dates. */
export function StretchFilters<Range extends string>({
  label,
  ranges,
  filters,
  error,
  onRange,
  onChange,
  children,
}: {
  readonly label: string
  readonly ranges: readonly (readonly [Range, string])[]
  readonly filters: StretchChoice<Range>
  readonly error: unknown
  readonly onRange: (range: Range) => void
  readonly onChange: (changed: Partial<Pick<StretchChoice<Range>, 'corridor' | 'mode'>>) => void
  readonly children: ReactNode
}) {
  return (
    <div className="stack">
      <div className="filters">
        <div className="field">
          <span className="filters-label" aria-hidden="true">
            {label}
          </span>
          <Segments label={label} options={ranges} value={filters.range} onChange={onRange} />
        </div>
        <CorridorFilter
          corridor={filters.corridor}
          error={error}
          onChange={(corridor) => onChange({ corridor })}
        />
        <ModeFilter mode={filters.mode} onChange={(mode) => onChange({ mode })} />
      </div>
      {children}
    </div>
  )
}

export function CorridorFilter({
  corridor,
  error,
  onChange,
}: {
  /** Empty for all corridors. */
  readonly corridor: string
  readonly error: unknown
  readonly onChange: (corridor: string) => void
}) {
  const id = useId()
  const [draft, setDraft] = useDraft(corridor)
  const supported = useCorridorCodes()
  function apply(text: string): void {
    if (text.trim() !== corridor) onChange(text.trim())
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

export function ModeFilter({
  mode,
  onChange,
}: {
  readonly mode: ModeChoice
  readonly onChange: (mode: ModeChoice) => void
}) {
  return (
    <Field label="Mode">
      {(input) => (
        <select {...input} value={mode} onChange={({ target }) => onChange(target.value as ModeChoice)}>
          {modeChoices.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

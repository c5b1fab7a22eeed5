/** The filters of the activity log. All of them are in the address. */

import { useState, type FormEvent } from 'react'
import { useAddress } from '../../address.ts'
import { isoOf, localInputOf } from '../../local-time.ts'
import { errorOf } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { actGroups } from './acts.ts'

export const filterNames = ['kind', 'by', 'subject', 'from', 'to'] as const
type Name = (typeof filterNames)[number]
type Filters = Readonly<Record<Name, string>>

/** A search for an id looks for what was done to it. */
export function filtersIn(params: URLSearchParams): Filters {
  const text = (name: Name): string => params.get(name) ?? ''
  return {
    kind: text('kind'),
    by: text('by'),
    subject: params.get('subject') ?? params.get('q') ?? '',
    from: text('from'),
    to: text('to'),
  }
}

export function queryOf(filters: Filters): Partial<Filters> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
}

/** The draft resets when the address changes: by a link, Back or Clear. */
function useDraft(filters: Filters): readonly [Filters, (draft: Filters) => void] {
  const applied = JSON.stringify(filters)
  const [state, setState] = useState({ applied, draft: filters })
  if (state.applied !== applied) setState({ applied, draft: filters })
  return [state.draft, (draft) => setState({ applied, draft })]
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
  const text = (name: 'by' | 'subject', label: string, placeholder: string) => (
    <Field label={label} error={errorOf(error, `/${name}`)}>
      {(input) => (
        <input
          {...input}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={draft[name]}
          onChange={({ target }) => onDraft({ ...draft, [name]: target.value })}
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
          onChange={({ target }) => onDraft({ ...draft, [name]: isoOf(target.value) })}
        />
      )}
    </Field>
  )
  return (
    <>
      {text('by', 'Who', 'Id, operator or server')}
      {text('subject', 'Subject', 'A whole id')}
      {time('from', 'From (local time)')}
      {time('to', 'To (local time)')}
    </>
  )
}

/** A kind of a link that is not a group keeps its own name. */
function KindField({ value, onChange }: { value: string; onChange: (kind: string) => void }) {
  const isGroup = value === '' || actGroups.some(([group]) => group === value)
  return (
    <Field label="What">
      {(input) => (
        <select {...input} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">Everything</option>
          {!isGroup && <option value={value}>{value}</option>}
          {actGroups.map(([group, label]) => (
            <option key={group} value={group}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function useApply(): (to: Filters) => void {
  const [, change] = useAddress()
  return (to) => {
    const trimmed = filterNames.map((name) => [name, to[name].trim() === '' ? null : to[name].trim()])
    change({ ...Object.fromEntries(trimmed), q: null, cursor: null })
  }
}

export function FilterForm({ error }: { readonly error: unknown }) {
  const [params] = useAddress()
  const [draft, setDraft] = useDraft(filtersIn(params))
  const apply = useApply()
  function submit(event: FormEvent): void {
    event.preventDefault()
    apply(draft)
  }
  return (
    <form className="admin-filters" aria-label="Filters" noValidate onSubmit={submit}>
      <KindField value={draft.kind} onChange={(kind) => apply({ ...draft, kind })} />
      <Fields draft={draft} error={error} onDraft={setDraft} />
      <Button type="submit">Apply</Button>
    </form>
  )
}

/** Nothing without a filter. */
export function ClearFilters() {
  const [params] = useAddress()
  const apply = useApply()
  if (Object.values(filtersIn(params)).every((value) => value === '')) return null
  return (
    <Button
      variant="quiet"
      small
      icon="close"
      onClick={() => apply({ kind: '', by: '', subject: '', from: '', to: '' })}
    >
      Clear filters
    </Button>
  )
}

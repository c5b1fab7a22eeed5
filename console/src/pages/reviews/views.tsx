/** The views of the queue as links, and the form that saves one more. */

import type { ReviewSummary } from '@fairway/client'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Link } from 'wouter'
import { formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { addressOf, isSame, noFilters, views, type Filters, type View } from './filters.ts'
import { useClaims, useSummary } from './queries.ts'
import { useSavedViews, viewNameLengthMax } from './saved-views.ts'

function countsOf(summary: ReviewSummary | undefined, claims: readonly string[] | undefined) {
  return new Map([
    ['Waiting', summary?.waiting],
    ['Unclaimed', summary?.unclaimed],
    ['Mine', claims?.length],
    ['To approve', summary?.proposed],
    ['Overdue', summary?.overdue],
  ])
}

function ViewLink({
  view: { name, filters: target },
  filters,
  count,
}: {
  readonly view: View
  readonly filters: Filters
  readonly count?: number | undefined
}) {
  return (
    <li>
      <Link
        href={addressOf(target)}
        className="pill desk-view"
        {...(isSame(target, filters) && { 'aria-current': 'page' })}
      >
        <span className="anywhere">{name}</span>
        {count !== undefined && (
          <span className={`desk-count figures${name === 'Overdue' && count > 0 ? ' tone-nogo' : ''}`}>
            {formatCount(count)}
            <span className="sr-only">{count === 1 ? ' review' : ' reviews'}</span>
          </span>
        )}
      </Link>
    </li>
  )
}

function SaveForm({
  onSave,
  onCancel,
}: {
  readonly onSave: (name: string) => void
  readonly onCancel: () => void
}) {
  const [name, setName] = useState('')
  const [hasTried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // The button that opened it is gone.
  useEffect(() => field.current?.focus(), [])
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    if (name.trim() !== '') onSave(name.trim())
  }
  return (
    <form className="desk-save" aria-label="Save this view" onSubmit={submit}>
      <Field
        label="Name of the view"
        hint="Saved in this browser. To share it, send its address."
        error={hasTried && name.trim() === '' ? 'Enter a name.' : undefined}
      >
        {(input) => (
          <input
            {...input}
            ref={field}
            autoComplete="off"
            maxLength={viewNameLengthMax}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" small variant="primary">
          Save
        </Button>
        <Button small variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** The button that had the focus is gone in the next frame. */
function focusView(address: string): void {
  requestAnimationFrame(() => {
    for (const link of document.querySelectorAll<HTMLElement>('.desk-view'))
      if (link.getAttribute('href') === address) link.focus()
  })
}

export function Views({ filters }: { readonly filters: Filters }) {
  const counts = countsOf(useSummary(), useClaims())
  const saved = useSavedViews()
  const [isNaming, setNaming] = useState(false)
  const isOf = (view: View): boolean => isSame(view.filters, filters)
  const current = saved.views.find(isOf)
  const isNew = current === undefined && !views.some(isOf)
  return (
    <div className="stack desk-views">
      <nav aria-label="Views">
        <ul>
          {views.map((view) => (
            <ViewLink key={view.name} view={view} filters={filters} count={counts.get(view.name)} />
          ))}
          {saved.views.map((view) => (
            <ViewLink key={`saved ${view.name}`} view={view} filters={filters} />
          ))}
        </ul>
        {isNew && !isNaming && (
          <Button small variant="quiet" icon="download" onClick={() => setNaming(true)}>
            Save view
          </Button>
        )}
        {current !== undefined && (
          <Button
            small
            variant="quiet"
            icon="close"
            onClick={() => {
              saved.remove(current.name)
              focusView(addressOf(noFilters))
            }}
          >
            Delete view
          </Button>
        )}
      </nav>
      {isNew && isNaming && (
        <SaveForm
          onCancel={() => setNaming(false)}
          onSave={(name) => {
            saved.save({ name, filters })
            setNaming(false)
            focusView(addressOf(filters))
          }}
        />
      )}
    </div>
  )
}

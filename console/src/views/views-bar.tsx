/** The views of a list as links, and the form that saves one more. */

import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Link } from 'wouter'
import { formatCount } from '../format.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { useSavedViews, viewNameLengthMax, type View, type ViewsOf } from './saved-views.ts'
import './views.css'

/** A view of the console's own. */
export interface OwnView extends View {
  readonly count?: number | undefined
  /** Whether a count above zero needs attention. */
  readonly isUrgent?: boolean
}

function ViewLink({
  view: { name, address, count, isUrgent = false },
  here,
  unit,
}: {
  readonly view: OwnView
  readonly here: string
  readonly unit: string
}) {
  return (
    <li>
      <Link href={address} className="pill view-link" {...(address === here && { 'aria-current': 'page' })}>
        <span className="anywhere">{name}</span>
        {count !== undefined && (
          <span className={`view-count figures${isUrgent && count > 0 ? ' tone-nogo' : ''}`}>
            {formatCount(count)}
            <span className="sr-only">{` ${unit}${count === 1 ? '' : 's'}`}</span>
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
    <form className="view-save" aria-label="Save this view" onSubmit={submit}>
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
    for (const link of document.querySelectorAll<HTMLElement>('.view-link'))
      if (link.getAttribute('href') === address) link.focus()
  })
}

/** The first view is the list without filters. */
export function ViewsBar({
  of,
  unit,
  views,
  here,
  normal,
}: {
  readonly of: ViewsOf
  /** One item of the list, for counts. */
  readonly unit: string
  readonly views: readonly [OwnView, ...OwnView[]]
  /** The address of the present filters. */
  readonly here: string
  readonly normal: (address: string) => string
}) {
  const saved = useSavedViews(of, normal)
  const [isNaming, setNaming] = useState(false)
  const isHere = ({ address }: View): boolean => address === here
  const current = saved.views.find(isHere)
  const isNew = current === undefined && !views.some(isHere)
  function remove({ name }: View): void {
    saved.remove(name)
    focusView(views[0].address)
  }
  function save(name: string): void {
    saved.save({ name, address: here })
    setNaming(false)
    focusView(here)
  }
  return (
    <div className="stack views">
      <nav aria-label="Views">
        <ul>
          {views.map((view) => (
            <ViewLink key={view.name} {...{ view, here, unit }} />
          ))}
          {saved.views.map((view) => (
            <ViewLink key={`saved ${view.name}`} {...{ view, here, unit }} />
          ))}
        </ul>
        {isNew && !isNaming && (
          <Button small variant="quiet" icon="download" onClick={() => setNaming(true)}>
            Save view
          </Button>
        )}
        {current !== undefined && (
          <Button small variant="quiet" icon="close" onClick={() => remove(current)}>
            Delete view
          </Button>
        )}
      </nav>
      {isNew && isNaming && <SaveForm onCancel={() => setNaming(false)} onSave={save} />}
    </div>
  )
}

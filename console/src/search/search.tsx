/** One search for every id, correlation id, corridor and page: a combobox in a dialog. */

import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import { useCallerId } from '../caller.ts'
import { Problem } from '../problem.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useFound, type Found } from './find.ts'
import { shortcut } from './keys.ts'
import { closeSearch, openSearch, useIsSearchOpen, useSearchKeys } from './open.ts'
import { addRecent } from './recent.ts'
import './search.css'
import type { Target } from './targets.ts'

export function SearchButton({ compact = false }: { readonly compact?: boolean }) {
  if (compact) {
    return (
      <Button variant="quiet" icon="search" aria-haspopup="dialog" onClick={openSearch}>
        Search
      </Button>
    )
  }
  return (
    <button type="button" className="search-open" aria-haspopup="dialog" onClick={openSearch}>
      <Icon name="search" size={16} />
      <span>Search</span>
      <kbd aria-hidden="true">{shortcut}</kbd>
    </button>
  )
}

const optionId = (id: string, place: number): string => `${id}-${place}`

function Option({
  target: { title, note, icon },
  id,
  isActive,
  onChoose,
}: {
  readonly target: Target
  readonly id: string
  readonly isActive: boolean
  readonly onChoose: () => void
}) {
  return (
    <button
      type="button"
      id={id}
      role="option"
      aria-selected={isActive}
      // The field keeps the focus and has the keys.
      tabIndex={-1}
      className="search-option"
      onClick={onChoose}
    >
      <Icon name={icon} size={17} />
      <span>
        <span className="clip figures">{title}</span>
        <span className="clip small soft">{note}</span>
      </span>
    </button>
  )
}

function Options({
  found,
  id,
  active,
  onChoose,
}: {
  readonly found: Found
  readonly id: string
  readonly active: number
  readonly onChoose: (target: Target) => void
}) {
  /** The place of each group's first option among all. */
  const starts = found.groups.map((_, group) =>
    found.groups.slice(0, group).reduce((sum, { targets }) => sum + targets.length, 0),
  )
  return (
    <div id={id} role="listbox" aria-label="Results" tabIndex={-1} className="search-results">
      {found.groups.map(({ name, targets }, group) => (
        <div key={name} role="group" aria-labelledby={`${id}${name}`}>
          <p id={`${id}${name}`} className="search-group">
            {name}
          </p>
          {targets.map((target, index) => {
            const place = (starts[group] ?? 0) + index
            return (
              <Option
                key={target.href + target.note}
                target={target}
                id={optionId(id, place)}
                isActive={place === active}
                onChoose={() => onChoose(target)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

function statusOf(found: Found, text: string, count: number): string {
  if (found.isSearching) return 'Searching…'
  if (count > 0) return `${count} result${count === 1 ? '' : 's'}`
  return text.trim() === '' ? '' : `Nothing found for “${text.trim()}”.`
}

function Nothing({ isSignedIn }: { readonly isSignedIn: boolean }) {
  return (
    <p className="small soft">
      {isSignedIn
        ? 'Enter a whole id, an exact correlation id, a corridor such as GB-NG, a country, a page or words of the guide.'
        : 'Sign in to find decisions and other records by their ids.'}
    </p>
  )
}

/** The first result is active, so that Enter opens it. */
function useActive(text: string, count: number) {
  const [state, setState] = useState({ text, place: 0 })
  const place = state.text === text ? Math.min(state.place, count - 1) : Math.min(0, count - 1)
  const move = (to: number): void => setState({ text, place: (to + count) % count })
  function press(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
    }
    const to = moves[event.key]
    if (to === undefined || count === 0) return
    event.preventDefault()
    move(to)
  }
  return { active: place, press }
}

function SearchBody({ onGo }: { readonly onGo: (target: Target) => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const found = useFound(text)
  const targets = found.groups.flatMap((group) => group.targets)
  const { active, press } = useActive(text, targets.length)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  function submit(): void {
    const target = targets[active]
    // A record that is on its way is meant before a page that is here.
    if (target !== undefined && !(found.isSearching && found.groups[0]?.name !== 'Records')) onGo(target)
  }
  return (
    <form
      role="search"
      className="search-body"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="search-field">
        <Icon name="search" />
        <input
          ref={field}
          role="combobox"
          aria-label="Search"
          aria-expanded={targets.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={targets.length > 0 ? optionId(id, active) : undefined}
          placeholder="Id, corridor, page or words of the guide"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={press}
        />
        <Button variant="quiet" small onClick={closeSearch}>
          Close
        </Button>
      </div>
      <p role="status" className={`small soft search-status${targets.length > 0 ? ' sr-only' : ''}`}>
        {statusOf(found, text, targets.length)}
      </p>
      {found.error !== undefined && <Problem error={found.error} onRetry={found.retry} />}
      {targets.length === 0 && !found.isSearching && found.error === undefined && (
        <Nothing isSignedIn={found.isSignedIn} />
      )}
      <Options found={found} id={id} active={active} onChoose={onGo} />
    </form>
  )
}

export function Search() {
  useSearchKeys()
  const isOpen = useIsSearchOpen()
  const callerId = useCallerId() ?? ''
  const [, navigate] = useLocation()
  function go(target: Target): void {
    addRecent(callerId, target)
    closeSearch()
    if (target.external === true) window.location.assign(target.href)
    else navigate(target.href)
  }
  return (
    <Dialog
      title="Search"
      titleShown={false}
      className="dialog search-dialog"
      open={isOpen}
      onClose={closeSearch}
    >
      <SearchBody onGo={go} />
    </Dialog>
  )
}

/** Lets an admin of the installation choose the owner whose data the console shows. */

import type { Owner, OwnerList } from '@fairway/client'
import { useEffect, useState } from 'react'
import { QueryResult } from '../query-result.tsx'
import { useOwnQuery } from '../query.ts'
import { useIsAdmin } from '../caller.ts'
import { installationChoice, useSession } from '../session.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Skeleton } from '../ui/state.tsx'
import { Chip } from '../ui/verdict.tsx'

const pageLength = 20

/** The chosen owner; its name is null until it is known. Undefined for a caller who chooses none. */
export function useChosenOwner(): { readonly id: string; readonly name: string | null } | undefined {
  const { ownerId, chooseOwner } = useSession()
  const { data } = useOwnQuery(ownerId === null ? null : ['owner', ownerId], (client) =>
    client.owners({ query: ownerId ?? '', limit: 1 }),
  )
  const found = data?.owners.find(({ owner_id: id }) => id === ownerId)
  const isUnknown = ownerId !== null && data !== undefined && found === undefined
  useEffect(() => {
    // Of another installation, or of before: the choice is made again.
    if (isUnknown) chooseOwner(null)
  }, [isUnknown, chooseOwner])
  return ownerId === null ? undefined : { id: ownerId, name: found?.name ?? null }
}

function Choice({
  owner,
  isChosen,
  onChoose,
}: {
  readonly owner: Owner
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  return (
    <button type="button" className="owner-choice" aria-pressed={isChosen} onClick={onChoose}>
      <span className="anywhere">{owner.name}</span>
      <code className="small soft">{owner.owner_id}</code>
      {owner.has_live_key && <Chip tone="degraded">live</Chip>}
    </button>
  )
}

function Choices({
  list,
  text,
  chosenId,
  onChoose,
}: {
  readonly list: OwnerList
  readonly text: string
  readonly chosenId: string | null
  readonly onChoose: (owner: Owner) => void
}) {
  const { owners, next_cursor: next } = list
  if (owners.length === 0) {
    return (
      <p className="soft" role="status">
        {text === ''
          ? 'This installation has no owners yet. Issue a key for one.'
          : `No owner matches “${text}”.`}
      </p>
    )
  }
  return (
    <>
      <ul className="owner-choices" aria-label="Owners">
        {owners.map((owner) => (
          <li key={owner.owner_id}>
            <Choice owner={owner} isChosen={owner.owner_id === chosenId} onChoose={() => onChoose(owner)} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <p className="small soft">There are more. Enter a part of the name to find others.</p>
      )}
    </>
  )
}

/** Finds one of the owners. The first field of it takes the focus after a sign-in. */
export function OwnerPicker({
  chosenId,
  length = pageLength,
  error,
  onChoose,
}: {
  readonly chosenId: string | null
  readonly length?: number
  /** Shown below the owners, where one must be chosen. */
  readonly error?: string | undefined
  readonly onChoose: (owner: Owner) => void
}) {
  const [text, setText] = useState('')
  const wanted = text.trim()
  const query = useOwnQuery(
    ['owners', wanted, length],
    (client) => client.owners({ limit: length, ...(wanted !== '' && { query: wanted }) }),
    { keepPrevious: true },
  )
  return (
    <div className="stack">
      <Field label="Find an owner" hint="A part of the name, or a whole id.">
        {(input) => (
          <input
            {...input}
            data-sign-in
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <QueryResult query={query} skeleton={<Skeleton height={160} label="Loading owners" />}>
        {(list) => <Choices list={list} text={wanted} chosenId={chosenId} onChoose={onChoose} />}
      </QueryResult>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** `onChosen` closes the surrounding dialog. */
export function OwnerChooser({ onChosen }: { readonly onChosen?: () => void }) {
  const { ownerId, installation, chooseOwner } = useSession()
  const isAdmin = useIsAdmin()
  function choose(owner: Owner): void {
    chooseOwner(owner)
    onChosen?.()
  }
  return (
    <div className="stack">
      {isAdmin && (
        <div className="field">
          <button
            type="button"
            className="owner-choice"
            aria-pressed={installation !== null}
            onClick={() => choose(installationChoice)}
          >
            Installation
            <span className="small soft">its policies, which apply to every owner</span>
          </button>
        </div>
      )}
      <OwnerPicker chosenId={ownerId} onChoose={choose} />
    </div>
  )
}

/** In place of a page that shows the data of one owner. */
export function ChooseOwner() {
  return (
    <div className="stack" style={{ maxWidth: 560 }}>
      <Card
        title="Choose an owner"
        note="You serve every owner of this installation. This page shows the data of one."
      >
        <OwnerChooser />
      </Card>
    </div>
  )
}

/** Form drafts in session storage: they survive a reload, a rejected key and a session that has ended. */

import { useState } from 'react'

const prefix = 'fairway.draft.'

function read<Draft extends object>(name: string, empty: Draft): Draft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')
    return typeof stored === 'object' && stored !== null ? { ...empty, ...stored } : empty
  } catch {
    return empty
  }
}

function write(name: string, draft: object | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(draft))
  } catch {
    // Without storage, the draft lasts as long as its form.
  }
}

export const clearDraft = (name: string): void => write(name, null)

/** The author of the drafts; absent for a key. Below the prefix, so that it goes with them. */
const authorName = `${prefix}author`

/** Removes the drafts of anybody else: another person may sign in after a session has ended. */
export function claimDrafts(personId: string | null): void {
  try {
    if (sessionStorage.getItem(authorName) !== personId) clearDrafts()
    if (personId !== null) sessionStorage.setItem(authorName, personId)
  } catch {
    // Without storage, there are no drafts.
  }
}

/** Removes all drafts, on sign-out. */
export function clearDrafts(): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(prefix)) sessionStorage.removeItem(name)
    }
  } catch {
    // Without storage, there are no drafts.
  }
}

export function useStoredDraft<Draft extends object>(
  name: string,
  empty: Draft,
): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => read(name, empty))
  return [
    draft,
    (changed) => {
      write(name, changed)
      setDraft(changed)
    },
  ]
}

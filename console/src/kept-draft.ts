/** What is being written, kept for this tab until it is sent: over a reload, and over a key that is refused meanwhile. */

import { useState } from 'react'

const prefix = 'fairway.draft.'

function read<Draft extends object>(name: string, empty: Draft): Draft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')
    return typeof kept === 'object' && kept !== null ? { ...empty, ...kept } : empty
  } catch {
    return empty
  }
}

function write(name: string, draft: object | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(draft))
  } catch {
    // Without storage the draft lives as long as its form.
  }
}

export const forgetDraft = (name: string): void => write(name, null)

/** Whoever signs out leaves nothing behind. */
export function forgetDrafts(): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(prefix)) sessionStorage.removeItem(name)
    }
  } catch {
    // Without storage there is nothing to forget.
  }
}

export function useKeptDraft<Draft extends object>(
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

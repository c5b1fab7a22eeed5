/** What a page shows is told by its address: read from the query string, and written back to it. */

import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

type Changes = Readonly<Record<string, string | readonly string[] | null>>

/** A null takes a name out of the address. Unless told otherwise the history keeps its length. */
export type ChangeAddress = (changes: Changes, options?: { readonly replace?: boolean }) => void

export function useAddress(): readonly [URLSearchParams, ChangeAddress] {
  const [params, setParams] = useSearchParams()
  const change = useCallback<ChangeAddress>(
    (changes, { replace = true } = {}) => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            next.delete(name)
            for (const one of value === null ? [] : [value].flat()) next.append(name, one)
          }
          return next
        },
        { replace },
      )
    },
    [setParams],
  )
  return [params, change]
}

/** Reads and writes page state in the URL's query string. */

import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

type Changes = Readonly<Record<string, string | readonly string[] | null>>

/** Null removes a parameter. Replaces the current history entry by default. */
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

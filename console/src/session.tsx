/** The key of this tab: kept for the tab alone, never in the address, sent to this origin only. */

import { FairwayClient } from '@fairway/client'
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react'
import { forgetDrafts } from './kept-draft.ts'
import { observedFetch } from './remaining.ts'

const storageName = 'fairway.key'

/** Nobody waits behind a page for a second try: what failed is shown, and asked for again where that helps. */
const limits = { maxRetries: 0, timeoutMs: 20_000, totalTimeoutMs: 20_000 }

function clientWith(apiKey: string | undefined): FairwayClient {
  const { origin: baseUrl } = window.location
  return new FairwayClient({
    baseUrl,
    ...limits,
    runtime: { fetch: observedFetch },
    ...(apiKey !== undefined && { apiKey }),
  })
}

/** For what needs no key. */
export const openClient = clientWith(undefined)

export interface Session {
  /** Null until somebody signs in. */
  readonly client: FairwayClient | null
  /** Tells the keys of a tab apart, so that nothing of one is shown to another. */
  readonly number: number
  /** The key was good and is not any more. */
  readonly refused: boolean
  readonly signIn: (key: string) => void
  readonly signOut: () => void
  /** Of this session alone: an answer that comes after the next one has begun ends nothing. */
  readonly refuse: () => void
}

const SessionContext = createContext<Session | null>(null)

function stored(): string | null {
  try {
    return sessionStorage.getItem(storageName)
  } catch {
    return null
  }
}

function store(key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(storageName)
    else sessionStorage.setItem(storageName, key)
  } catch {
    // Without storage the key lives as long as the page.
  }
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState(() => ({ key: stored(), number: 0, refused: false }))
  const last = useRef(0)
  const change = useCallback((key: string | null, refused: boolean) => {
    last.current += 1
    store(key)
    setState({ key, refused, number: last.current })
  }, [])
  const session = useMemo<Session>(
    () => ({
      client: state.key === null ? null : clientWith(state.key),
      number: state.number,
      refused: state.refused,
      signIn: (key) => {
        // Whoever takes the place of another finds nothing of theirs; after a refusal the work goes on.
        if (state.key !== null && state.key !== key) forgetDrafts()
        change(key, false)
      },
      signOut: () => {
        forgetDrafts()
        change(null, false)
      },
      refuse: () => {
        if (state.number === last.current) change(null, true)
      },
    }),
    [state, change],
  )
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('there is no session around this')
  return session
}

/** Whether a key could be one of ours; whether it is, the server says. */
export async function tryKey(key: string) {
  return clientWith(key).organisationSettings()
}

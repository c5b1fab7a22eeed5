/** The API key of this tab: stored per tab, never in a URL, sent only to this origin. */

import { FairwayClient, type Mode } from '@fairway/client'
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react'
import { clearDrafts } from './stored-draft.ts'
import { observedFetch } from './remaining.ts'

const storageName = 'fairway.key'

/** No retries in the client: a failure is shown at once, and queries retry where that helps. */
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

/** The prefix of a key says its mode, so no page has to wait for an answer to know it. */
const modeOf = (key: string): Mode => (/^(?:pk_live_|svc-live-)/.test(key) ? 'live' : 'shadow')

/** The client for endpoints that need no key. */
export const publicClient = clientWith(undefined)

export interface Session {
  /** Null when signed out. */
  readonly client: FairwayClient | null
  /** The mode of the key; null when signed out. */
  readonly mode: Mode | null
  /** Increases with each sign-in and sign-out, so that one key's data is never shown to another. */
  readonly number: number
  /** The server no longer accepts the key. */
  readonly keyRejected: boolean
  readonly signIn: (key: string) => void
  readonly signOut: () => void
  /** Ends this session only: a late response to an earlier session has no effect. */
  readonly rejectKey: () => void
}

const SessionContext = createContext<Session | null>(null)

function storedKey(): string | null {
  try {
    return sessionStorage.getItem(storageName)
  } catch {
    return null
  }
}

function storeKey(key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(storageName)
    else sessionStorage.setItem(storageName, key)
  } catch {
    // Without storage, the key lasts as long as the page.
  }
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState(() => ({ key: storedKey(), number: 0, keyRejected: false }))
  const last = useRef(0)
  const change = useCallback((key: string | null, keyRejected: boolean) => {
    last.current += 1
    storeKey(key)
    setState({ key, keyRejected, number: last.current })
  }, [])
  const session = useMemo<Session>(
    () => ({
      client: state.key === null ? null : clientWith(state.key),
      mode: state.key === null ? null : modeOf(state.key),
      number: state.number,
      keyRejected: state.keyRejected,
      signIn: (key) => {
        // A different key clears the drafts; after a rejected key they are still there.
        if (state.key !== null && state.key !== key) clearDrafts()
        change(key, false)
      },
      signOut: () => {
        clearDrafts()
        change(null, false)
      },
      rejectKey: () => {
        if (state.number === last.current) change(null, true)
      },
    }),
    [state, change],
  )
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession needs a SessionProvider')
  return session
}

/** Checks a key with the server; rejects if it is not accepted. */
export async function checkKey(key: string) {
  return clientWith(key).organisationSettings()
}

/**
 * The caller of this tab: the key that it holds, or else the person who is signed in to this browser. The key is stored per
 * tab, never in a URL; the session is a cookie that no script can read. Both are sent only to this origin.
 */

import {
  PermissionError,
  type FairwayClient,
  type FairwayError,
  type Me,
  type Mode,
  type Owner,
  type SessionState,
} from '@fairway/client'
import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { browserClient, keyClient, modeOfKey, personClient } from './clients.ts'
import { claimDrafts, clearDrafts } from './stored-draft.ts'
import { pinOwner, storedKey, storedOwner, storeKey, storeOwner, storeSignedIn } from './tab-storage.ts'

/** The kind of caller that the server stopped accepting. */
type Ended = 'key' | 'session'

interface State {
  readonly key: string | null
  /** The person who is signed in to this browser, and the ways to sign in; null until the server has said so. */
  readonly browser: SessionState | null
  /** Why the server could not say so. */
  readonly problem: FairwayError | null
  /** The owner that an admin of the installation has chosen; without effect for anybody else. */
  readonly ownerId: string | null
  /** The mode of that owner's data, which is known before it is shown. */
  readonly ownerMode: Mode
  readonly number: number
  /** Increases to ask the server again. */
  readonly asks: number
  readonly ended: Ended | null
}

/** The state as it is now, whatever was rendered last. */
interface Store {
  readonly now: () => State
  readonly set: (state: State) => void
}

export interface Session {
  /** For the data of an owner. Null when signed out, and until an admin of the installation has chosen an owner. */
  readonly client: FairwayClient | null
  /** For what concerns the caller alone, whatever owner was chosen; null when signed out. */
  readonly ownClient: FairwayClient | null
  /** Null for a key, and when signed out. */
  readonly person: Me | null
  readonly ways: SessionState['ways']
  /** The server is being asked who is signed in. */
  readonly isPending: boolean
  readonly problem: FairwayError | null
  /** The mode of the data that the caller sees; null without a client. */
  readonly mode: Mode | null
  /** The mode of the caller's own verifications: a person's are always shadow. */
  readonly verifyMode: Mode | null
  /** Whether the caller serves every owner of the installation, and chooses one. */
  readonly choosesOwner: boolean
  /** Null without a choice, and if the choice is the installation. */
  readonly ownerId: string | null
  /** For the installation's own policies, if an admin has chosen it in place of an owner; otherwise null. */
  readonly installation: FairwayClient | null
  /** Increases with each sign-in, sign-out and choice of an owner, so that one caller's data is never shown to another. */
  readonly number: number
  readonly ended: Ended | null
  readonly signIn: (key: string) => void
  /** After a sign-in with a password or an invitation. */
  readonly signInAs: (person: Me) => void
  /** Rejects if the server could not end the session. */
  readonly signOut: () => Promise<void>
  /** The server no longer accepts the caller. Ends this session only: a late response to an earlier one has no effect. */
  readonly reject: () => void
  readonly chooseOwner: (owner: Owner | null) => void
  /** Asks the server again who is signed in, after a problem. */
  readonly askAgain: () => void
}

const nobody = {
  client: null,
  ownClient: null,
  person: null,
  mode: null,
  verifyMode: null,
  choosesOwner: false,
  ownerId: null,
  installation: null,
} as const

/** The choice that stands for the installation itself, in the list of owners and in the header of requests. */
export const installationChoice: Owner = {
  owner_id: 'installation',
  name: 'Installation',
  has_live_key: false,
}

const noWays: SessionState['ways'] = { provider: null, password: false }

const SessionContext = createContext<Session | null>(null)

const isPendingIn = ({ key, browser, problem }: State): boolean =>
  key === null && browser === null && problem === null

const sessionIdOf = ({ browser }: State): string | null => browser?.signed_in?.session?.session_id ?? null

/** The state with another caller. */
const next = (state: State, changes: Partial<State>): State => ({
  ...state,
  problem: null,
  ended: null,
  ...changes,
  number: state.number + 1,
})

const signedOut = (state: State): SessionState | null =>
  state.browser === null ? null : { ...state.browser, signed_in: null }

const channel = new BroadcastChannel('fairway.session')

/** Tells the other tabs, which share the cookie, whose session it is now. */
function tellOthers(sessionId: string | null): void {
  storeSignedIn(sessionId !== null)
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  channel.postMessage(sessionId)
}

function welcome(person: Me, ownerId: string | null): void {
  claimDrafts(person.id)
  if (person.owner_id === null) pinOwner(ownerId)
}

const isAdminOfAll = (person: Me | null): boolean => person !== null && person.owner_id === null

/** The choice of before, with the mode of that owner; none if there is no such owner any more. */
async function knownOwner(ownerId: string): Promise<Pick<State, 'ownerId' | 'ownerMode'>> {
  try {
    const { mode } = await personClient(ownerId).me()
    return { ownerId, ownerMode: mode }
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error
    storeOwner(null)
    return { ownerId: null, ownerMode: 'shadow' }
  }
}

/** Asks who is signed in to this browser: not in a tab with a key, and once until something changes. */
function useAsk(state: State, { now, set }: Store): void {
  const isPending = isPendingIn(state)
  const { asks } = state
  useEffect(() => {
    if (!isPending) return
    let isMounted = true
    const isCurrent = (): boolean => isMounted && now().asks === asks
    async function ask(): Promise<void> {
      try {
        const browser = await browserClient.session()
        const { signed_in: person } = browser
        const { ownerId, ownerMode } = now()
        const isChosen = ownerId !== null && isAdminOfAll(person)
        const owner = isChosen ? await knownOwner(ownerId) : { ownerId, ownerMode }
        if (!isCurrent()) return
        if (person !== null) welcome(person, owner.ownerId)
        set({ ...now(), ...owner, browser, ended: person === null ? now().ended : null })
        tellOthers(person?.session?.session_id ?? null)
      } catch (error) {
        if (isCurrent()) set({ ...now(), problem: error as FairwayError })
      }
    }
    void ask()
    return () => {
      isMounted = false
    }
  }, [isPending, asks, now, set])
}

/** Another tab signed in or out: nothing of the session before is shown any longer. A tab with a key goes on. */
function useOtherTabs({ now, set }: Store): void {
  useEffect(() => {
    function receive({ data }: MessageEvent<string | null>): void {
      const state = now()
      if (state.key !== null) return
      // An answer on its way may be older than the message.
      if (state.browser === null) set({ ...state, problem: null, asks: state.asks + 1 })
      else if (sessionIdOf(state) !== data) {
        const browser = data === null ? signedOut(state) : null
        set(next(state, { browser, ended: data === null ? 'session' : state.ended }))
      }
    }
    channel.addEventListener('message', receive)
    return () => channel.removeEventListener('message', receive)
  }, [now, set])
}

function signInActions({ now, set }: Store) {
  return {
    signIn: (key: string): void => {
      const state = now()
      // A different key clears the drafts; after a rejected key they are still there.
      if (state.key !== null && state.key !== key) clearDrafts()
      claimDrafts(null)
      storeKey(key)
      set(next(state, { key }))
    },
    signInAs: (person: Me): void => {
      const state = now()
      storeKey(null)
      welcome(person, state.ownerId)
      // A tab with a key has not asked; a person who signs in here has a local account.
      const { ways } = state.browser ?? { ways: { provider: null, password: true } }
      // The mode of an owner who was chosen before is asked for first.
      const isKnown = state.ownerId === null || !isAdminOfAll(person)
      set(next(state, { key: null, browser: isKnown ? { ways, signed_in: person } : null }))
      tellOthers(person.session?.session_id ?? null)
    },
    chooseOwner: (owner: Owner | null): void => {
      const ownerId = owner?.owner_id ?? null
      clearDrafts()
      storeOwner(ownerId)
      set(next(now(), { ownerId, ownerMode: owner?.has_live_key === true ? 'live' : 'shadow' }))
    },
    askAgain: (): void => set({ ...now(), problem: null }),
  }
}

function signOutActions({ now, set }: Store, { number, key }: State) {
  return {
    signOut: async (): Promise<void> => {
      if (key !== null) {
        clearDrafts()
        storeKey(null)
        // Somebody may be signed in to this browser.
        set(next(now(), { key: null, browser: null }))
        return
      }
      const { location } = await browserClient.logout()
      clearDrafts()
      storeOwner(null)
      set(next(now(), { browser: signedOut(now()), ownerId: null }))
      tellOthers(null)
      // The identity provider ends its own session there.
      if (location !== null) window.location.assign(location)
    },
    reject: (): void => {
      const state = now()
      if (state.number !== number) return
      if (key === null) set(next(state, { browser: signedOut(state), ended: 'session' }))
      else {
        storeKey(null)
        set(next(state, { key: null, ended: 'key' }))
      }
    },
  }
}

/** The caller that the state stands for. */
function callerOf({ key, browser, ownerId: chosen, ownerMode }: State) {
  if (key !== null) {
    const client = keyClient(key)
    const mode = modeOfKey(key)
    return { ...nobody, ownClient: client, client, mode, verifyMode: mode }
  }
  const person = browser?.signed_in ?? null
  if (person === null) return nobody
  const choosesOwner = isAdminOfAll(person)
  const isInstallation = choosesOwner && chosen === installationChoice.owner_id
  const ownerId = choosesOwner && !isInstallation ? chosen : null
  const caller = { ...nobody, person, choosesOwner, ownerId, ownClient: personClient(null) }
  if (isInstallation) return { ...caller, installation: personClient(chosen) }
  if (choosesOwner && ownerId === null) return caller
  const mode = choosesOwner ? ownerMode : person.mode
  return { ...caller, client: personClient(ownerId), mode, verifyMode: 'shadow' as const }
}

const initialState = (): State => ({
  key: storedKey(),
  browser: null,
  problem: null,
  ownerId: storedOwner(),
  ownerMode: 'shadow',
  number: 0,
  asks: 0,
  ended: null,
})

function useStore(): readonly [State, Store] {
  const [state, setState] = useState(initialState)
  const current = useRef(state)
  const store = useMemo<Store>(
    () => ({
      now: () => current.current,
      set: (changed) => {
        current.current = changed
        setState(changed)
      },
    }),
    [],
  )
  return [state, store]
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, store] = useStore()
  useAsk(state, store)
  useOtherTabs(store)
  const session = useMemo<Session>(
    () => ({
      ...callerOf(state),
      ways: state.browser?.ways ?? noWays,
      isPending: isPendingIn(state),
      problem: state.problem,
      number: state.number,
      ended: state.ended,
      ...signInActions(store),
      ...signOutActions(store, state),
    }),
    [state, store],
  )
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

/** Around pages that also show what belongs to the installation: there it takes the place of an owner. */
export function InstallationAsOwner({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const { installation } = session
  const inside = useMemo<Session>(
    () =>
      installation === null
        ? session
        : { ...session, client: installation, mode: 'shadow', verifyMode: 'shadow' },
    [session, installation],
  )
  return <SessionContext.Provider value={inside}>{children}</SessionContext.Provider>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession needs a SessionProvider')
  return session
}

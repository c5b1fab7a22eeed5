/** The caller and its scopes: those of a key, or of a person's roles. */

import type { Me, OrganisationSettings } from '@fairway/client'
import type { Scope } from './people/roles.ts'
import { useOwnQuery, useQuery, type Query, type QueryOptions } from './query.ts'
import { useSession } from './session.tsx'
import { wasSignedIn } from './tab-storage.ts'

/** Undefined until it is known. */
export function useMe(): Me | undefined {
  const { client, person } = useSession()
  // The scopes of a person depend on the owner, too.
  const { data: ofOwner } = useQuery(['me'], (withOwner) => withOwner.me())
  const { data: own } = useOwnQuery(client === null ? ['own me'] : null, (withoutOwner) => withoutOwner.me())
  return ofOwner ?? own ?? person ?? undefined
}

/** Whether nobody is signed in: until the server has said so, what it said last. */
export function useIsVisitor(): boolean {
  const { ownClient, isPending } = useSession()
  return ownClient === null && !(isPending && wasSignedIn())
}

/** The settings of a key; a person has none. One request serves every part of a page. */
export const useSettings = (options: QueryOptions = {}): Query<OrganisationSettings> =>
  useQuery(['settings'], (client) => client.organisationSettings(), options)

/** True until the scopes are known: the server decides in any case. */
export function useMay(scope: Scope): boolean {
  return useMe()?.scopes.includes(scope) ?? true
}

/** Whether the caller administers the installation: a person with the role and without an owner. No key does. */
export function useIsAdmin(): boolean {
  const { person } = useSession()
  return person !== null && person.owner_id === null && person.roles.includes('admin')
}

/** The id of the key or the person; null until it is known. */
export function useCallerId(): string | null {
  return useMe()?.id ?? null
}

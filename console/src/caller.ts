/** The caller and its scopes: those of a key, or of a person's roles. */

import type { Me } from '@fairway/client'
import type { Scope } from './people/roles.ts'
import { useOwnQuery, useQuery } from './query.ts'
import { useSession } from './session.tsx'

/** Undefined until it is known. */
export function useMe(): Me | undefined {
  const { client, person } = useSession()
  // The scopes of a person depend on the owner, too.
  const { data: ofOwner } = useQuery(['me'], (withOwner) => withOwner.me())
  const { data: own } = useOwnQuery(client === null ? ['me'] : null, (withoutOwner) => withoutOwner.me())
  return ofOwner ?? own ?? person ?? undefined
}

/** True until the scopes are known: the server decides in any case. */
export function useMay(scope: Scope): boolean {
  return useMe()?.scopes.includes(scope) ?? true
}

/** The id of the key or the person; null until it is known. */
export function useCallerId(): string | null {
  return useMe()?.id ?? null
}

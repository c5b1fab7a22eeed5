/** The settings of this tab's key: its id and its scopes. */

import type { OrganisationSettings } from '@fairway/client'
import { useQuery, type Query } from './query.ts'

type Scope = OrganisationSettings['audit_users'][number]['scope']

const useSettings = (): Query<OrganisationSettings> =>
  useQuery(['settings'], (client) => client.organisationSettings())

/** True until the settings are known: the server decides in any case. */
export function useMay(scope: Scope): boolean {
  const { data } = useSettings()
  return data?.audit_users.find((role) => role.scope === scope)?.granted ?? true
}

/** Null until it is known. */
export function useKeyId(): string | null {
  return useSettings().data?.key.key_id ?? null
}

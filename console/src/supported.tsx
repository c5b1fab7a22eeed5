/** The supported corridors: those of the key's mode, or of the published rules without a key. */

import type { CorridorList } from '@fairway/client'
import { useQuery, type Query } from './query.ts'
import { useRules } from './rules.ts'
import { useSession } from './session.tsx'

export type SupportedCorridor = CorridorList['corridors'][number]

export function useCorridors(isWanted = true): Query<CorridorList> {
  return useQuery(isWanted ? ['corridor list'] : null, (client) => client.corridors())
}

/** A test key supports the corridors of the rules, so it needs no query of its own. */
export function useCorridorCodes(): readonly string[] {
  const { mode } = useSession()
  const { data: rules } = useRules()
  const { data } = useCorridors(mode === 'live')
  return data?.corridors.map(({ corridor }) => corridor) ?? rules?.supported_corridors ?? []
}

/** The suggestions of a corridor field. */
export function CorridorOptions({ id }: { readonly id: string }) {
  const codes = useCorridorCodes()
  return (
    <datalist id={id}>
      {codes.map((corridor) => (
        <option key={corridor}>{corridor}</option>
      ))}
    </datalist>
  )
}

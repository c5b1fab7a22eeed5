/** The names of owners, for lists that have their ids. */

import { useOwnQuery } from '../../query.ts'

/** A larger installation shows the ids of further owners. */
const ownersMax = 500

export function useOwnerNames(): ReadonlyMap<string, string> {
  const { data } = useOwnQuery(['owners', 'names'], (client) => client.owners({ limit: ownersMax }))
  return new Map(data?.owners.map(({ owner_id: id, name }) => [id, name]))
}

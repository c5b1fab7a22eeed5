/** Reads the acts that were recorded, with the names of those who did them and their places in the log. */

import { iso } from '../../core/time/durations.ts'
import type { ActQuery } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'

export type ActivityView = Awaited<ReturnType<typeof readActivity>>[number]

export async function readActivity(store: Store, query: ActQuery) {
  const acts = await store.acts.list(query)
  const names = await namesOf(
    store,
    acts.map(({ by }) => by),
  )
  const leaves = await store.log.find(acts.map(({ actId }) => actId))
  return acts.map((act, index) => ({
    act_id: act.actId,
    kind: act.kind,
    subject: act.subject,
    by: { kind: kindOf(act.by), id: act.by, name: names.get(act.by) ?? act.by },
    at: iso(act.atMs),
    detail: { ...act.detail },
    leaf_index: leaves[index]?.index ?? null,
  }))
}

/** An operator is known by name alone. */
function kindOf(by: string): 'person' | 'key' | 'operator' | 'server' {
  if (by === 'server') return 'server'
  const [, prefix] = /^(prs|key)_[0-9a-z]{16}$/.exec(by) ?? []
  return prefix === undefined ? 'operator' : prefix === 'prs' ? 'person' : 'key'
}

/** The names of people and of the owners of keys. They are not in the acts, which are kept for ever. */
export async function namesOf(
  { people, keys }: Pick<Store, 'people' | 'keys'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const id of new Set(ids)) {
    const kind = kindOf(id)
    const name =
      kind === 'person'
        ? (await people.find(id))?.name
        : kind === 'key'
          ? (await keys.find(id))?.ownerLabel
          : null
    if (typeof name === 'string' && name !== '') names.set(id, name)
  }
  return names
}

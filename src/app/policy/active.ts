/**
 * The policies in force, known to every instance within a second of a promotion or rollback: the number of changes is read
 * again and again while decisions are made, and no decision relies on what is older than `staleMs`.
 */

import { lifeOf, type PolicyChange } from '../../core/policy/life.ts'
import { shareNext } from '../operate/share-next.ts'
import type { PolicyOwner, PolicyStore } from '../ports/policies.ts'
import type { Clock } from '../ports/system.ts'
import type { PoliciesInForce } from './in-force.ts'
import type { PolicyLibrary } from './library.ts'

/** After the first time it is read again beside the decisions, after the second before the next one. */
const refreshAfterMs = 300
const staleMs = 700

export interface ActivePolicies {
  /** Null if none is in force. A promise only if something has to be read first. */
  of(ownerId: string): PoliciesInForce | null | Promise<PoliciesInForce | null>
  /** Sees every change that was made before the call. */
  refresh(): Promise<void>
}

export interface ActivePoliciesDeps {
  readonly store: Pick<PolicyStore, 'countChanges' | 'allChanges'>
  readonly library: PolicyLibrary
  readonly clock: Clock
}

export function createActivePolicies({ store, library, clock }: ActivePoliciesDeps): ActivePolicies {
  let count = 0
  const changesOf = new Map<PolicyOwner, PolicyChange[]>()
  let activeIds: ReadonlyMap<PolicyOwner, string> = new Map()
  let readAtMs = Number.NEGATIVE_INFINITY

  const refresh = shareNext(async () => {
    // Before the read: a change during it may not be seen.
    const startedMs = clock.monotonicMs()
    if ((await store.countChanges()) !== count) {
      const changes = await store.allChanges(count)
      const next = new Map(activeIds)
      for (const [ownerId, more] of Map.groupBy(changes, (change) => change.ownerId)) {
        const own = [
          ...(changesOf.get(ownerId) ?? []),
          ...more.map(({ kind, policyId }) => ({ kind, policyId })),
        ]
        changesOf.set(ownerId, own)
        const { activeId } = lifeOf(own)
        if (activeId === null) next.delete(ownerId)
        else next.set(ownerId, activeId)
      }
      activeIds = next
      count += changes.length
    }
    readAtMs = startedMs
  })

  const inForce = (ownerId: string): PoliciesInForce | null | Promise<PoliciesInForce | null> => {
    if (activeIds.size === 0) return null
    const ids = [activeIds.get(ownerId), activeIds.get(null)] as const
    if (ids.every((id) => id === undefined)) return null
    const [owner, installation] = ids.map((id) => (id === undefined ? null : library.known(id)))
    const isKnown =
      (ids[0] === undefined || owner !== null) && (ids[1] === undefined || installation !== null)
    return isKnown ? { owner: owner ?? null, installation: installation ?? null } : compiled(ids)
  }
  const compiled = async (ids: readonly (string | undefined)[]): Promise<PoliciesInForce> => {
    const [owner, installation] = await Promise.all(
      ids.map(async (id) => (id === undefined ? null : library.find(id))),
    )
    return { owner: owner ?? null, installation: installation ?? null }
  }

  return {
    of(ownerId) {
      const ageMs = clock.monotonicMs() - readAtMs
      if (ageMs >= staleMs) return refresh().then(() => inForce(ownerId))
      // A failure shows when the age reaches `staleMs`.
      if (ageMs >= refreshAfterMs) refresh().catch(() => {})
      return inForce(ownerId)
    },
    refresh,
  }
}

/** For what needs no policies: measurements, and tests of other parts. */
export const noPolicies: ActivePolicies = { of: () => null, refresh: () => Promise.resolve() }

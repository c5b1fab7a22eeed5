/** The follower `policies`: evaluates each candidate on every new decision. The decision itself is unchanged. */

import { addRecord, emptySums, moveOutcome, type ReportSums } from '../../core/policy/report.ts'
import type { Candidate, FollowedEntry, PolicyStore } from '../ports/policies.ts'
import type { CompiledPolicy } from './compile.ts'
import type { PolicyLibrary } from './library.ts'
import { redecide } from './redecide.ts'

export interface CandidateDeps {
  readonly store: Pick<PolicyStore, 'candidates' | 'entries' | 'followed'>
  readonly library: PolicyLibrary
}

/** Follows up to the target, a batch at a time, until `isEnough` returns true. */
export type FollowCandidates = (target: number, isEnough: () => boolean) => Promise<void>

export function createFollowCandidates({ store, library }: CandidateDeps): FollowCandidates {
  return async (target, isEnough) => {
    for (;;) {
      const owners = (await store.candidates()).map(({ ownerId }) => ownerId)
      const { from, to, entries } = await store.entries(owners)
      // Read after the position: earlier sums may lack entries that another instance has followed since.
      const candidates = await store.candidates()
      if (candidates.some(({ ownerId }) => !owners.includes(ownerId))) continue
      const reports = []
      for (const candidate of candidates) {
        const { policyId, sinceMs } = candidate
        reports.push({ policyId, sinceMs, sums: await followed(candidate, entries, library) })
      }
      if (to === from && to < target)
        throw new Error(`followers: policies cannot pass entry ${to}: it is missing`)
      // If another instance was first, the next turn starts from its position.
      const isFollowed = to === from || (await store.followed(from, to, reports))
      if ((isFollowed && to >= target) || isEnough()) return
    }
  }
}

/** Null if the entries do not concern it. */
async function followed(
  candidate: Candidate,
  entries: readonly FollowedEntry[],
  library: PolicyLibrary,
): Promise<ReportSums | null> {
  const own = entries.filter((entry) => concerns(candidate, entry))
  if (own.length === 0) return null
  const { ownerId } = candidate
  const policy = await library.find(candidate.policyId)
  const sums = candidate.sums ?? sumsFor(policy)
  for (const entry of own) {
    const redecided = await redecide(entry, { policy, ownerId }, library)
    if (redecided === null) sums.undecided += entry.kind === 'record' ? 1 : 0
    else if (entry.kind === 'record') addRecord(sums, redecided)
    else moveOutcome(sums, redecided, entry.before)
  }
  return sums
}

/** The time, too: a decision that was made before and committed afterwards does not count. */
function concerns(
  { ownerId, sinceMs, fromLeaf }: Candidate,
  { record, kind, index }: FollowedEntry,
): boolean {
  const isAfter = record.recordedAtMs >= sinceMs && (kind === 'outcome' || index >= fromLeaf)
  return isAfter && (ownerId === null || record.ownerId === ownerId)
}

export const sumsFor = (policy: CompiledPolicy): ReportSums => emptySums(policy.rules.map(({ id }) => id))

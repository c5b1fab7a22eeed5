/** The follower `policies`: evaluates each candidate on every new decision. The decision itself is unchanged. */

import { addRecord, emptySums, moveOutcome, type ReportSums } from '../../core/policy/report.ts'
import { minuteMs } from '../../core/time/durations.ts'
import type { Candidate, FollowedCandidate, FollowedEntry, PolicyStore } from '../ports/policies.ts'
import type { Clock } from '../ports/system.ts'
import type { CompiledPolicy } from './compile.ts'
import type { PolicyLibrary } from './library.ts'
import { redecide } from './redecide.ts'

export interface CandidateDeps {
  readonly store: Pick<PolicyStore, 'candidate' | 'candidates' | 'entries' | 'followed'>
  readonly library: PolicyLibrary
  readonly clock: Pick<Clock, 'nowMs'>
}

/** Follows up to the target, a batch at a time, until `isEnough` returns true. */
export type FollowCandidates = (target: number, isEnough: () => boolean) => Promise<void>

/** A decision that was made before a candidate ended is committed within this time, or not at all. */
const lateMsMax = minuteMs

export function createFollowCandidates({ store, library, clock }: CandidateDeps): FollowCandidates {
  return async (target, isEnough) => {
    for (;;) {
      const endedAfterMs = clock.nowMs() - lateMsMax
      const owners = (await store.candidates(endedAfterMs)).map(({ ownerId }) => ownerId)
      const { from, to, entries } = await store.entries(owners)
      // Read after the position: earlier sums may lack entries that another instance has followed since.
      const candidates = await store.candidates(endedAfterMs)
      if (candidates.some(({ ownerId }) => !owners.includes(ownerId))) continue
      const reports = []
      for (const candidate of candidates) {
        const { policyId, sinceMs, untilMs } = candidate
        const own = entries.filter((entry) => concerns(candidate, entry))
        const before = own.length === 0 ? null : await store.candidate(policyId)
        const sums = before === null ? null : await followed(before, own, library)
        reports.push({ policyId, sinceMs, untilMs, sums })
      }
      if (to === from && to < target)
        throw new Error(`followers: policies cannot pass entry ${to}: it is missing`)
      // If another instance was first, the next turn starts from its position.
      const isFollowed = to === from || (await store.followed(from, to, endedAfterMs, reports))
      if ((isFollowed && to >= target) || isEnough()) return
    }
  }
}

/** `own` are the entries that concern it. */
async function followed(
  candidate: Candidate,
  own: readonly FollowedEntry[],
  library: PolicyLibrary,
): Promise<ReportSums> {
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

/** By the time of a decision, so that the report is that of a backtest of the same stretch. */
function concerns(
  { ownerId, sinceMs, untilMs, fromLeaf }: FollowedCandidate,
  { record, kind, index }: FollowedEntry,
): boolean {
  const { recordedAtMs } = record
  const isWithin = recordedAtMs >= sinceMs && (untilMs === null || recordedAtMs < untilMs)
  return (
    isWithin && (kind === 'outcome' || index >= fromLeaf) && (ownerId === null || record.ownerId === ownerId)
  )
}

export const sumsFor = (policy: CompiledPolicy): ReportSums => emptySums(policy.rules.map(({ id }) => id))

/** Check of the followers of the journal: how far behind each is, and whether a server follows. */

import { counted, joinList, withThousands } from '../../../core/explain/wording.ts'
import { lagsOf } from '../../followers/lags.ts'
import type { LeaseStore } from '../../ports/journal.ts'
import type { FollowerLag } from '../../ports/metrics.ts'
import type { DatabaseLook } from '../../ports/operate/doctor.ts'
import type { DoctorDeps, DoctorSettings } from './deps.ts'
import { note, ok, warning, type Finding } from './findings.ts'

/** As the alert FairwayFollowerBehind: a follower that works is a second behind at most. */
const lateSeconds = 30
/** A living holder renews its lease every 500 ms; others take over after 2 seconds. */
const watchMsMax = 4_000
const watchEveryMs = 200

export async function followerFindings(
  deps: DoctorDeps,
  { nats }: DoctorSettings,
  look: DatabaseLook,
): Promise<Finding[]> {
  const { journal } = look.store
  const isServed = look.isOwned() ?? (await isLeaseAlive(deps, journal.lease))
  const state = await journal.state()
  // Without a sink for events nobody publishes them.
  const positions = state.positions.filter(({ name }) => nats !== null || name !== 'stream')
  const lags = await lagsOf(journal, { ...state, positions }, deps.clock)
  const findings = lags.flatMap((lag) => lagFinding(lag, isServed))
  if (state.hasBacklog)
    findings.push(note('Records from before the log are still being sealed, while a server runs'))
  if (findings.length > 0) return findings
  const names = joinList(positions.map(({ name }) => name))
  const now = isServed ? 'a server follows now' : 'no server runs'
  return [ok(`${names}: none is late, of ${counted(state.sequenced, 'entry', 'entries')}; ${now}`)]
}

export function lagFinding(
  { follower, entries, seconds }: Omit<FollowerLag, 'isFailing'>,
  isServed: boolean,
): Finding[] {
  if (entries === 0 || (isServed && seconds <= lateSeconds)) return []
  const found = `${follower} is ${counted(entries, 'entry', 'entries')} behind, the oldest ${withThousands(Math.round(seconds))} s old`
  return [
    isServed
      ? warning(
          found,
          `Look for "followers: ${follower} failed" in the log of the server; docs/monitoring.md, Followers`,
        )
      : note(`${found}; no server runs`, 'The next start of fairway serve follows them'),
  ]
}

/** Whether the holder of the lease renews it. A look takes long only after a crash, or beside a server that stands still. */
async function isLeaseAlive(
  { clock, after }: DoctorDeps,
  store: Pick<LeaseStore, 'read'> | null,
): Promise<boolean> {
  if (store === null) return false
  const first = await store.read()
  if (first.holder === '') return false
  const startedMs = clock.monotonicMs()
  while (clock.monotonicMs() - startedMs < watchMsMax) {
    await new Promise<void>((resolve) => after(watchEveryMs, resolve))
    if ((await store.read()).beat !== first.beat) return true
  }
  return false
}

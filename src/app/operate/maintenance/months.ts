/** The months of records in the hands of an admin: each outcome as a result, or as a sentence that refuses. */

import { iso } from '../../../core/time/durations.ts'
import type { Month } from '../../../core/time/month.ts'
import { dropMonth } from '../../archive/drop.ts'
import type { DescribeAct } from '../acts.ts'
import { attachMonth, detachMonth, type DetachOutcome } from '../partitions.ts'
import type { ArchiveFolder } from '../../ports/operate/archive.ts'
import type { Attached, PartitionStore } from '../../ports/operate/partitions.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import type { FollowReviews } from '../../review/follow.ts'
import { done, refused, type Worked } from './work.ts'

export interface MonthDeps {
  readonly store: Store
  readonly clock: Clock
  readonly followReviews: FollowReviews
  readonly cooldownMs: number
}

interface Asked {
  readonly month: Month
  readonly by: string
}

const withPartitions = async (
  { partitions }: Store,
  work: (partitions: PartitionStore) => Promise<Worked>,
): Promise<Worked> =>
  partitions === null
    ? refused('On SQLite all records are in one table: there are no months to detach.')
    : work(partitions)

export function detach(deps: MonthDeps, asked: Asked, isDryRun: boolean): Promise<Worked> {
  return withPartitions(deps.store, async (partitions) => {
    const { journal } = deps.store
    const request = { ...asked, cooldownMs: deps.cooldownMs, isDryRun }
    return detached(asked.month, await detachMonth({ ...deps, partitions, journal }, request))
  })
}

function detached(month: Month, outcome: DetachOutcome): Worked {
  switch (outcome.kind) {
    case 'detached': {
      const { records, fingerprint } = outcome.away
      return done({ month, state: 'detached', table: outcome.table, records, fingerprint })
    }
    case 'would_detach':
      return done({ month, can_detach: true, records: outcome.stored.records })
    case 'unknown':
      return refused(`There are no records of ${month}.`)
    case 'away':
      return refused(
        `${month} was already detached at ${iso(outcome.away.detachedAtMs)} by ${outcome.away.detachedBy}.`,
      )
    case 'too_new':
      return refused(
        `${month} is too recent: it can be detached from ${iso(outcome.fromMs)}, one day after its end.`,
      )
    case 'needed': {
      const { pendingDeliveries, openCooldowns, waitingReviews } = outcome.needs
      return refused(
        `${month} is still in use: ${pendingDeliveries} webhook deliveries of its records are pending, ${openCooldowns} cooldowns are open, ${waitingReviews} reviews are waiting. Try again when they have ended.`,
      )
    }
    case 'busy':
      return busy
  }
}

export function attach(deps: MonthDeps, { month, by }: Asked): Promise<Worked> {
  return withPartitions(deps.store, async (partitions) => {
    const { journal } = deps.store
    const outcome = await attachMonth({ ...deps, partitions, journal }, { month, by })
    if (outcome.kind !== 'attached') return notMoved(month, outcome)
    return done({ month, state: 'attached', table: outcome.table, records: outcome.records })
  })
}

export interface AskedDrop {
  readonly month: Month
  readonly isDryRun: boolean
  readonly receipt: string | null
  readonly folder: ArchiveFolder
  readonly describe: DescribeAct
  readonly onProgress: (done: number, all: number) => void
}

export function drop(
  { store }: MonthDeps,
  { month, isDryRun, receipt, ...deps }: AskedDrop,
): Promise<Worked> {
  return withPartitions(store, async (partitions) => {
    const outcome = await dropMonth({ ...deps, store, partitions }, { month, isDryRun, receipt })
    switch (outcome.kind) {
      case 'dropped':
      case 'would_drop': {
        const { kind, records, receipt: manifest } = outcome
        return done({
          month,
          state: kind === 'dropped' ? 'dropped' : 'detached',
          records,
          manifest_sha256: manifest,
        })
      }
      case 'unknown':
        return refused(`There are no records of ${month}.`)
      case 'gone':
        return refused(`The table of ${month} is not in the database: the month is ${outcome.state}.`)
      case 'refused':
        return refused(
          `${month} was not dropped, because the archive is not a copy of it: ${outcome.findings.slice(0, findingsShown).join('; ')}.`,
        )
      default:
        return notMoved(month, outcome)
    }
  })
}

const findingsShown = 5

function notMoved(month: Month, outcome: Exclude<Attached, { readonly kind: 'attached' }>): Worked {
  switch (outcome.kind) {
    case 'present':
      return refused(`${month} is not detached.`)
    case 'unfinished':
      return refused(`Detaching ${month} was interrupted: detach it again first.`)
    case 'missing':
      return refused(`The table ${outcome.table} is not in the database: restore it first.`)
    case 'changed':
      return refused(
        `The table ${outcome.table} differs from the detached one, so nothing was done: ${outcome.findings.slice(0, findingsShown).join('; ')}.`,
      )
    case 'busy':
      return busy
  }
}

const busy = refused('Another move of a month is running on this database: wait until it ends.')

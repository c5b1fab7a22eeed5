/** Implements the store port over either engine. */

import type {
  ActStore,
  AheadClaim,
  AheadCommand,
  AheadStore,
  Claim,
  CommitCommand,
} from '../../../app/ports/records.ts'
import type { CipStore } from '../../../app/ports/cip.ts'
import type { JournalStore } from '../../../app/ports/journal.ts'
import type { KeyStore } from '../../../app/ports/identity/keys.ts'
import type { LogStore } from '../../../app/ports/log.ts'
import type { OwnerRecords, Store } from '../../../app/ports/store.ts'
import type { MaintenanceStore } from '../../../app/ports/operate/maintenance.ts'
import type { PartitionStore } from '../../../app/ports/operate/partitions.ts'
import type { PolicyStore } from '../../../app/ports/policies.ts'
import { StoreRefusal, StoreUnavailable } from '../../../app/ports/store.ts'
import { createBatcher } from './batcher.ts'
import { migrations } from './migrations.ts'
import { selfCheck } from './self-check.ts'
import { createCommitTrial, type CommitTrial } from './commit-trial.ts'
import * as cip from '../admin/cip.ts'
import * as jobs from '../admin/maintenance-jobs.ts'
import * as batchReports from '../assess/batch-reports.ts'
import { createCommitBatch } from './commit-batch.ts'
import { erasuresOf } from '../erasure/store.ts'
import { eventStores, ownerWebhooks, type WrittenListener } from '../events/event-stores.ts'
import { identityStores } from './identity-stores.ts'
import { holdsOf, ownerReviews, reviewsOf } from './review-stores.ts'
import { readGauges } from '../admin/gauges.ts'
import { countAll, findAll, findAllByMonth, findSubject, type FindCommand } from '../records/find.ts'
import { blocksSince } from '../records/cooldowns.ts'
import { liveScores as liveScoresOf, type ScoresCommand } from '../records/live-scores.ts'
import { lookUp } from '../records/lookup.ts'
import { LookupMemory } from '../records/lookup-memory.ts'
import * as journal from '../journal/state.ts'
import { archiveOf } from '../log/archive.ts'
import { findLeaves } from '../log/log-blocks.ts'
import * as log from '../log/log.ts'
import * as backtests from '../policies/backtests.ts'
import * as candidates from '../policies/candidates.ts'
import * as policies from '../policies/policies.ts'
import * as outcomes from '../records/outcomes.ts'
import { LookFirst, type Driver } from './driver.ts'
import { withFairReads } from './reads/fair-queue.ts'
import { admissionsIn, hasAdmissions } from '../records/commit-ahead.ts'
import type { Script } from './script.ts'
import { usageOfAll } from '../records/usage.ts'

/** The most commands in a batch: the longest prepared run of rows. */
const batchSizeMax = 64

/** A refusal may concern one command alone, such as the only one that sets a cooldown. */
const failsWholeBatch = (error: unknown): boolean =>
  error instanceof StoreUnavailable && !(error instanceof StoreRefusal)

/** The dependencies of a store that partitions records by month. */
export interface Monthly {
  readonly nowMs: () => number
  readonly partitions: PartitionStore
}

export function createStore(engine: Driver, monthly: Monthly | null = null): Store {
  const driver = withFairReads(engine)
  const listeners: Listeners = { appended: [], written: [] }
  /** Both are called after the commit, so that listeners can read what was written. */
  const appended = (): void => {
    for (const listener of listeners.appended) listener()
  }
  const written = (webhookIds: readonly string[]): void => {
    if (webhookIds.length > 0) for (const listener of listeners.written) listener(webhookIds)
  }
  // On SQLite too: for single lookups, locking costs more than reading.
  const batched = <Command, Result>(script: (commands: readonly Command[]) => Script<Result[]>) =>
    createBatcher<Command, Result>({
      run: (commands) => driver.read(() => script(commands)),
      sizeMax: batchSizeMax,
      inFlightMax: driver.inFlightMax,
      failsWholeBatch,
    })
  const memory = new LookupMemory(!driver.isShared)
  const lookInStore: Store['look'] = batched(lookUp)
  const find: Find = batched((commands) =>
    monthly === null ? findAll(commands) : findAllByMonth(commands, monthly.nowMs()),
  )
  const liveScores: LiveScores = batched(liveScoresOf)
  const usage: KeyStore['usage'] = batched(usageOfAll)
  const trial = createCommitTrial(driver)
  const commitBatch = createCommitBatch({ driver, appended })
  const commit = createBatcher<CommitCommand, Claim>({
    run: (commands) => trial.watch(commands, () => memory.during(commands, () => commitBatch(commands))),
    sizeMax: batchSizeMax,
    inFlightMax: driver.inFlightMax,
    failsWholeBatch,
  })

  return {
    look: memory.around(lookInStore),
    commit,
    ahead: driver.isShared ? aheadOf(driver, { memory, trial, appended }) : null,
    forOwner: (ownerId) =>
      ownerRecords(driver, ownerId, { find, liveScores, appended, written, nowMs: monthly?.nowMs ?? null }),
    ...eventStores(driver, listeners.written, appended),
    journal: journalOf(driver, listeners.appended, written),
    ...identityStores(driver, usage, appended),
    acts: actsOf(driver, appended),
    maintenance: maintenanceOf(driver, appended),
    erasures: erasuresOf(driver, appended),
    countOutcomes: (window) => driver.read(() => outcomes.count(window)),
    cip: cipOf(driver, appended),
    ...logStores(driver),
    policies: policiesOf(driver, appended),
    reviews: reviewsOf(driver, appended),
    holds: holdsOf(driver),
    partitions: monthly?.partitions ?? null,
    selfCheck: (nowMs) => driver.read(() => selfCheck(driver, nowMs)),
    probeWrite: (nowMs) => trial.run().then(() => driver.change('probeWrite', nowMs)),
    countVerifications: () => driver.read(() => countAll()),
    gauges: (nowMs, cooldownMs) => driver.read(() => readGauges(driver, nowMs, cooldownMs)),
    close: () => driver.close(),
  }
}

interface AheadParts {
  readonly memory: LookupMemory
  readonly trial: CommitTrial
  readonly appended: () => void
}

/** If anything is in the way of a batch, all of its requests look first. */
function aheadOf(driver: Driver, { memory, trial, appended }: AheadParts): AheadStore {
  async function run(commands: readonly AheadCommand[]): Promise<AheadClaim[]> {
    try {
      const commit = () => driver.change('commitAhead', commands)
      const admissions = await trial.watch(commands, () => memory.during(commands, commit))
      appended()
      return admissions.map((admission) => ({ admission, isRecorded: true }))
    } catch (error) {
      const groups = error instanceof LookFirst ? error.groups : []
      if (!hasAdmissions(groups)) throw error
      const admissions = admissionsIn(groups, commands)
      return admissions.map((admission) => ({ admission, isRecorded: false }))
    }
  }
  return {
    expect: (command) => memory.expect(command),
    commit: createBatcher({ run, sizeMax: batchSizeMax, inFlightMax: driver.inFlightMax, failsWholeBatch }),
  }
}

interface Listeners {
  readonly appended: (() => void)[]
  readonly written: WrittenListener[]
}

type Find = (command: FindCommand) => ReturnType<OwnerRecords['find']>

type LiveScores = (command: ScoresCommand) => ReturnType<OwnerRecords['liveScores']>

interface Shared {
  readonly find: Find
  readonly liveScores: LiveScores
  readonly appended: () => void
  readonly written: WrittenListener
  /** Null if all records are in one table. */
  readonly nowMs: Monthly['nowMs'] | null
}

function ownerRecords(
  driver: Driver,
  ownerId: string,
  { find, liveScores, appended, written, nowMs }: Shared,
): OwnerRecords {
  return {
    find: (requestId) => find({ ownerId, requestId }),
    list: (request) => driver.longRead('list', ownerId, request, nowMs?.() ?? null),
    search: (request) => driver.longRead('search', ownerId, request, nowMs?.() ?? null),
    searchAmounts: (request) => driver.longRead('searchAmounts', ownerId, request, nowMs?.() ?? null),
    summarise: (request) => driver.longRead('summarise', ownerId, request),
    calibrate: (request) => driver.longRead('calibrate', ownerId, request),
    async override(override) {
      const isRecorded = await driver.change('override', override)
      if (isRecorded) appended()
      return isRecorded
    },
    findCorrelated: (correlationIds) => driver.longRead('findCorrelated', ownerId, correlationIds),
    findSubject: (id) => driver.read(() => findSubject(ownerId, id)),
    async report(reports) {
      try {
        const isRecorded = await driver.change('reportOutcomes', reports)
        if (isRecorded) appended()
        return isRecorded
      } catch (error) {
        if (error instanceof outcomes.OutcomeRace) return false
        throw error
      }
    },
    blocksSince: (mode, sinceMs) => driver.read(() => blocksSince(ownerId, mode, sinceMs)),
    liveScores: (corridor, countMax) => liveScores({ ownerId, corridor, countMax }),
    webhooks: ownerWebhooks(driver, ownerId, { appended, written }),
    reports: {
      insert: (report, countMax) => driver.change('insertReport', report, countMax),
      list: () => driver.read(() => batchReports.list(ownerId)),
      find: (reportId) => driver.read(() => batchReports.find(ownerId, reportId)),
      async remove(reportId, act) {
        const isRemoved = await driver.change('removeReport', ownerId, reportId, act)
        if (isRemoved) appended()
        return isRemoved
      },
    },
    reviews: ownerReviews(driver, ownerId, appended),
    events: (after, limit) => driver.longRead('events', ownerId, after, limit),
  }
}

function journalOf(driver: Driver, listeners: Listeners['appended'], written: WrittenListener): JournalStore {
  return {
    onAppended: (listener) => void listeners.push(listener),
    sequence: () => driver.change('sequence'),
    async follow(name) {
      const followed = await (name === 'events'
        ? driver.change('followEvents')
        : driver.change('follow', name))
      written(followed.webhookIds)
      return followed
    },
    state: () => driver.read(() => journal.state()),
    countMonth: (month) => driver.change('countMonth', month),
    countQueued: () => driver.read(() => journal.countQueued()),
    subjectIds: (indexes) => driver.read(() => journal.subjectIds(indexes)),
    lease: driver.isShared
      ? {
          schema: migrations.length,
          read: () => driver.read(() => journal.lease()),
          replace: (seen, next) => driver.change('replaceLease', seen, next),
        }
      : null,
  }
}

function actsOf(driver: Driver, appended: () => void): ActStore {
  return {
    record: (act) => driver.change('recordAct', act).then(appended),
    list: (request) => driver.longRead('listActs', request),
  }
}

function maintenanceOf(driver: Driver, appended: () => void): MaintenanceStore {
  return {
    async start(job, lost, act) {
      const isStarted = await driver.change('startJob', job, lost, act)
      if (isStarted) appended()
      return isStarted
    },
    beat: (beat) => driver.change('beatJob', beat),
    end: (end, act) => driver.change('endJob', end, act).then(appended),
    find: (jobId) => driver.read(() => jobs.find(jobId)),
    list: (before, limit) => driver.read(() => jobs.list(before, limit)),
  }
}

function cipOf(driver: Driver, appended: () => void): CipStore {
  return {
    async claimTurn(turn) {
      // The read is cheap; the claim takes the write lock and decides.
      const dueAtMs = await driver.read(() => cip.nextProbeAt())
      return cip.isDue(dueAtMs, turn) && (await driver.change('claimProbe', turn))
    },
    async record(lease, findings, turn) {
      const isRecorded = await driver.change('recordProbe', lease, findings, turn ?? null)
      if (isRecorded && findings.acts.length > 0) appended()
      return isRecorded
    },
    async prune(beforeDay) {
      if (await driver.read(() => cip.hasOlder(beforeDay))) await driver.change('pruneProbe', beforeDay)
    },
    state: (scope) => driver.read(() => cip.state(scope)),
    latest: (adapter, untilMs) => driver.read(() => cip.latest(adapter, untilMs)),
    partnerHours: (corridor, sinceMs) => driver.read(() => cip.partnerHours(corridor, sinceMs)),
    statuses: (corridor) => driver.read(() => cip.statuses(corridor)),
    composites: (request) => driver.read(() => cip.composites(request)),
    transition: (transition, act) => driver.change('transition', transition, act),
  }
}

function policiesOf(driver: Driver, appended: () => void): PolicyStore {
  return {
    async insert(policy, limits, act) {
      const isRecorded = await driver.change('insertPolicy', policy, limits, act)
      if (isRecorded) appended()
      return isRecorded
    },
    find: (policyId) => driver.read(() => policies.find(policyId)),
    ids: () => driver.read(() => policies.ids()),
    list: (ownerId, request) => driver.read(() => policies.list(ownerId, request)),
    changes: (ownerId) => driver.read(() => policies.changes(ownerId)),
    allChanges: (afterCount) => driver.read(() => policies.allChanges(afterCount)),
    countChanges: () => driver.read(() => policies.countChanges()),
    async change(change, act) {
      const changed = await driver.change('changePolicy', change, act)
      if (changed.kind === 'changed') appended()
      return changed
    },
    candidate: (policyId) => driver.read(() => candidates.candidate(policyId)),
    candidates: (endedAfterMs) => driver.read(() => candidates.candidates(endedAfterMs)),
    entries: (owners) => driver.read(() => candidates.entries(owners)),
    followed: (from, to, endedAfterMs, reports) =>
      driver.change('followedPolicies', from, to, endedAfterMs, reports),
    records: (stretch, upTo, limit) => driver.read(() => backtests.records(stretch, upTo, limit)),
    countRecords: (stretch) => driver.read(() => backtests.countRecords(stretch)),
    insertBacktest: (backtest, waitingMax) => driver.change('insertBacktest', backtest, waitingMax),
    findBacktest: (backtestId) => driver.read(() => backtests.find(backtestId)),
    backtests: (policyId, limit) => driver.read(() => backtests.list(policyId, limit)),
    async claimBacktest(claim) {
      const isWaiting = await driver.read(() => backtests.hasClaimable(claim.lostBeforeMs))
      return isWaiting ? driver.change('claimBacktest', claim) : null
    },
    stepBacktest: (step) => driver.change('stepBacktest', step),
    cancelBacktest: (backtestId, atMs) => driver.change('cancelBacktest', backtestId, atMs),
  }
}

const logStores = (driver: Driver) => ({ log: logOf(driver), archive: archiveOf(driver) })

function logOf(driver: Driver): LogStore {
  return {
    head: () => driver.read(() => log.head()),
    queued: () => driver.read(() => log.queued()),
    backlog: (countMax) => driver.read(() => log.backlog(countMax)),
    sequenceBacklog: (from, entries, progress) => driver.change('sequenceBacklog', from, entries, progress),
    append: (growth) => driver.change('appendToLog', growth),
    hashes: (ranges) => driver.read(() => log.hashes(ranges)),
    extent: () => driver.read(() => log.extent()),
    countSubjects: (kind) => driver.read(() => log.countSubjects(kind)),
    find: (subjectIds) => driver.read(() => findLeaves(subjectIds)),
    leaves: (from, countMax) => driver.read(() => log.leaves(from, countMax)),
    subjects: (kind, afterId, countMax) => driver.read(() => log.subjects(kind, afterId, countMax)),
    checkpoints: (afterSize, countMax) => driver.read(() => log.checkpoints(afterSize, countMax)),
    keys: () => driver.read(() => log.keys()),
    addKey: (key, origin) => driver.change('addLogKey', key, origin),
    changeKey: (key, act) => driver.change('changeLogKey', key, act),
    forgetSeeds: (act) => driver.change('forgetSeeds', act),
  }
}

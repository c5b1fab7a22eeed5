/**
 * Lists every write of the store by name. A change given as a name and values is data, so it can run in this thread or
 * another. There is no other way to write.
 */

import type { AccessReview } from '../../../app/ports/identity/access.ts'
import type { Act, AheadCommand, CommitCommand, Override, OutcomeReport } from '../../../app/ports/records.ts'
import type { CipTransition, ProbeFindings, TurnState } from '../../../app/ports/cip.ts'
import type { KeyEnd, KeyRecord, NewKey } from '../../../app/ports/identity/keys.ts'
import type {
  Accepted,
  Invitation,
  Person,
  PersonChange,
  Session,
  SessionSecrets,
} from '../../../app/ports/identity/people.ts'
import type { Job, JobEnd, Lost } from '../../../app/ports/operate/maintenance.ts'
import type { EraseCommand } from '../../../app/ports/privacy/erasure.ts'
import type { ProjectionName } from '../../../app/ports/journal.ts'
import type { LeafHashes, LogKey } from '../../../app/ports/log.ts'
import type { NewChange, PolicyLimits, StoredPolicy } from '../../../app/ports/policies.ts'
import type { Closing, ReviewChange, ReviewEffects, ReviewRow } from '../../../app/ports/reviews.ts'
import type { NewWebhook, Resent, Unanswered } from '../../../app/ports/webhooks.ts'
import type { NewSecret } from '../../../core/events/webhook.ts'
import * as acts from '../admin/acts.ts'
import * as access from '../admin/access.ts'
import * as cip from '../admin/cip.ts'
import * as jobs from '../admin/maintenance-jobs.ts'
import * as batchReports from '../assess/batch-reports.ts'
import { countMonth } from '../calibration/count.ts'
import * as erasures from '../erasure/erasures.ts'
import { forgetKeys } from '../erasure/old-texts.ts'
import { follow } from '../journal/follow.ts'
import { sequence, sequenceBacklog } from '../journal/sequence.ts'
import { replaceLease } from '../journal/state.ts'
import { published } from '../events/published.ts'
import * as log from '../log/log.ts'
import * as backtests from '../policies/backtests.ts'
import { followed } from '../policies/candidates.ts'
import * as policies from '../policies/policies.ts'
import * as holds from '../reviews/holds.ts'
import * as reviewFollower from '../reviews/follow.ts'
import * as reviews from '../reviews/reviews.ts'
import * as keys from '../admin/keys.ts'
import * as people from '../admin/people.ts'
import * as sessions from '../admin/sessions.ts'
import { probeWrite } from '../admin/write-probe.ts'
import * as outbox from '../outbox/outbox.ts'
import * as resent from '../outbox/resend.ts'
import * as outcomes from '../records/outcomes.ts'
import { overrideOnce } from '../records/overrides.ts'
import { RecentRecords } from '../records/recent-records.ts'
import type { Script, Transact } from './script.ts'
import { commit, tryCommit } from '../records/commit.ts'
import { commitAhead } from '../records/commit-ahead.ts'
import * as webhooks from '../outbox/webhooks.ts'

type Sealed = (act: Act) => acts.HashedAct

/** Null for what no operator did. */
const hashedBy =
  (sealed: Sealed) =>
  (act: Act | null = null) =>
    act === null ? null : sealed(act)

/** Changes of keys, access requests, people and their sessions. */
function identityChanges(sealed: Sealed) {
  const hashed = hashedBy(sealed)
  return {
    insertKey: (key: KeyRecord, hash: string, act?: Act) => keys.insert(key, hash, hashed(act)),
    revokeKey: (keyId: string, atMs: number, act?: Act) => keys.revoke(keyId, atMs, hashed(act)),
    replaceKey: (oldKeyId: string, end: KeyEnd, key: NewKey, act?: Act) =>
      keys.replace(oldKeyId, end, key, hashed(act)),
    noteKeyUses: keys.recordUses,
    submitAccess: access.submit,
    decideAccess: (accessRequestId: string, review: AccessReview, act?: Act) =>
      access.decide(accessRequestId, review, hashed(act)),
    insertPerson: (person: Person, invitation: Invitation | null, act: Act) =>
      people.insert(person, invitation, sealed(act)),
    changePerson: (personId: string, change: PersonChange, act: Act | null, adminId: string | null) =>
      people.change(personId, change, hashed(act), adminId),
    removePerson: (personId: string, atMs: number, act: Act, adminId: string | null) =>
      people.remove(personId, atMs, sealed(act), adminId),
    restorePerson: (personId: string, act: Act) => people.restore(personId, sealed(act)),
    resetPerson: (invitation: Invitation, act: Act) => people.reset(invitation, sealed(act)),
    acceptInvitation: (tokenHash: string, accepted: Accepted, act: Act) =>
      people.accept(tokenHash, accepted, sealed(act)),
    startSession: (session: Session, secrets: SessionSecrets, act: Act) =>
      sessions.start(session, secrets, sealed(act)),
    endSession: sessions.end,
    endSessions: (personId: string, atMs: number, act: Act) => sessions.endAll(personId, atMs, sealed(act)),
  }
}

function webhookChanges(sealed: Sealed) {
  const hashed = hashedBy(sealed)
  return {
    insertWebhook: (webhook: NewWebhook, countMax: number, act?: Act) =>
      webhooks.insert(webhook, countMax, hashed(act)),
    removeWebhook: (ownerId: string, webhookId: string, atMs: number, act?: Act) =>
      webhooks.remove(ownerId, webhookId, atMs, hashed(act)),
    addWebhookSecret: (ownerId: string, webhookId: string, added: NewSecret, act?: Act) =>
      webhooks.addSecret(ownerId, webhookId, added, hashed(act)),
    announceTo: (
      ownerId: string,
      webhookId: string,
      event: Parameters<typeof resent.announceTo>[2],
      act?: Act,
    ) => resent.announceTo(ownerId, webhookId, event, hashed(act)),
    resend: (at: Parameters<typeof resent.resend>[0], how: Resent, act?: Act) =>
      resent.resend(at, how, hashed(act)),
    resumeWebhook: (ownerId: string, webhookId: string, act?: Act) =>
      webhooks.resume(ownerId, webhookId, hashed(act)),
    resendSome: resent.resendSome,
    suspendWebhook: (webhook: Unanswered, act: Act) => resent.suspend(webhook, act.atMs, sealed(act)),
    shelve: resent.shelve,
    replaceSecrets: webhooks.replaceSecrets,
    outboxTurn: outbox.recordAndClaim,
    bringForward: outbox.bringForward,
    pruneOutbox: outbox.prune,
  }
}

function reviewChanges(hashes: LeafHashes) {
  return {
    appendReviewChange: (change: ReviewChange, row: ReviewRow, override: Override | null) =>
      reviews.append(change, row, override, hashes),
    followedReviews: (from: number, to: number, effects: ReviewEffects) =>
      reviewFollower.followed(from, to, effects, hashes.review),
    closeReviews: (closings: readonly Closing[]) => reviews.closeReviews(closings, hashes.review),
    addHolds: holds.add,
  }
}

/** Each entry of the journal is queued with the hash of its leaf. */
const changesWith = (hashes: LeafHashes) => {
  const recent = new RecentRecords()
  const sealed = (act: Act) => ({ act, leafHash: hashes.act(act) })
  const hashed = hashedBy(sealed)
  return {
    commit(commands: readonly CommitCommand[]) {
      for (const command of commands) recent.add(command)
      return commit(commands, hashes.record)
    },
    commitAhead(commands: readonly AheadCommand[]) {
      for (const command of commands) recent.add(command)
      return commitAhead(commands, hashes.record)
    },
    tryCommit: (command: CommitCommand) => tryCommit(command, hashes.record),
    override: (override: Override) => overrideOnce(override, hashes.override(override)),
    reportOutcomes: (reports: readonly OutcomeReport[]) => outcomes.report(reports, hashes.outcome),
    countMonth,
    recordAct: (act: Act) => acts.record(sealed(act)),
    ...identityChanges(sealed),
    insertReport: batchReports.insert,
    removeReport: (ownerId: string, reportId: string, act: Act) =>
      batchReports.remove(ownerId, reportId, sealed(act)),
    startJob: (job: Job, lost: Lost, act: Act) => jobs.start(job, lost, act, sealed),
    beatJob: jobs.beat,
    endJob: (end: JobEnd, act: Act) => jobs.end(end, sealed(act)),
    eraseTexts: (command: EraseCommand) => erasures.erase(command, sealed),
    forgetKeys,
    recordCleaned: erasures.recordCleaned,
    ...webhookChanges(sealed),
    claimProbe: cip.claimProbe,
    recordProbe: (lease: string, findings: ProbeFindings, turn: TurnState | null) =>
      cip.record(lease, findings, findings.acts.map(sealed), turn),
    pruneProbe: cip.prune,
    transition: (transition: CipTransition, act?: Act) => cip.transition(transition, hashed(act)),
    insertPolicy: (policy: StoredPolicy, limits: PolicyLimits, act: Act) =>
      policies.insert(policy, limits, sealed(act)),
    changePolicy: (change: NewChange, act: Act) => policies.change(change, act, sealed),
    followedPolicies: followed,
    ...reviewChanges(hashes),
    insertBacktest: backtests.insert,
    claimBacktest: backtests.claim,
    stepBacktest: backtests.step,
    cancelBacktest: backtests.cancel,
    sequence,
    sequenceBacklog,
    follow: (name: ProjectionName) => follow(name, recent),
    followEvents: () => follow('events', recent),
    publishedEvents: published,
    replaceLease,
    appendToLog: log.append,
    addLogKey: log.addKey,
    changeLogKey: (key: LogKey, act: Act) => log.changeKey(key, sealed(act)),
    forgetSeeds: (act: Act) => log.forgetSeeds(sealed(act)),
    probeWrite,
  }
}

/**
 * Changes that can be made again, or be lost, so that their commit need not wait for the disk. A durable commit after one
 * of them makes it durable, too. Not `followEvents`: entries that lost their numbers could get others, and a consumer of
 * events would miss those that come to lie before its cursor.
 */
const repeatable: ReadonlySet<ChangeName> = new Set([
  'sequence',
  'follow',
  'followedPolicies',
  'followedReviews',
  'publishedEvents',
  'addHolds',
  'replaceLease',
  'stepBacktest',
  'beatJob',
])

/** Changes whose message commits a part of them first. */
const once: ReadonlySet<ChangeName> = new Set(['commitAhead'])

type Changes = ReturnType<typeof changesWith>
export type ChangeName = keyof Changes
type ResultOf<Name extends ChangeName> =
  ReturnType<Changes[Name]> extends Script<infer Result> ? Result : never

/** Runs a change. Resolves with its result once it is durable, or committed if it can be made again. */
export type Change = <Name extends ChangeName>(
  name: Name,
  ...values: Parameters<Changes[Name]>
) => Promise<ResultOf<Name>>

export function createChange(transact: Transact, hashes: LeafHashes): Change {
  const changes = changesWith(hashes)
  return (name, ...values) => {
    const script = changes[name] as (...args: typeof values) => Script<ResultOf<typeof name>>
    return transact(() => script(...values), { isRepeatable: repeatable.has(name), isOnce: once.has(name) })
  }
}

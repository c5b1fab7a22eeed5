/**
 * Lists every write of the store by name. A change given as a name and values is data, so it can run in this thread or
 * another. There is no other way to write.
 */

import type { CommitCommand, Override, Verification } from '../../../app/ports/records.ts'
import type { LeafHashes } from '../../../app/ports/log.ts'
import * as access from '../admin/access.ts'
import * as cip from '../admin/cip.ts'
import * as log from '../log/log.ts'
import * as keys from '../admin/keys.ts'
import * as outbox from '../outbox/outbox.ts'
import * as outcomes from '../records/outcomes.ts'
import { overrideOnce } from '../records/overrides.ts'
import type { Script, Transact } from './script.ts'
import { commit, type Shards } from '../records/commit.ts'
import * as webhooks from '../outbox/webhooks.ts'

/** Records and overrides are queued for the log with their hash. */
const changesWith = (hashes: Hashes) => ({
  commit: (commands: readonly CommitCommand[], shards: Shards) => commit(commands, shards, hashes.record),
  override: (override: Override) => overrideOnce(override, hashes.override(override)),
  reportOutcome: outcomes.report,
  insertKey: keys.insert,
  revokeKey: keys.revoke,
  replaceKey: keys.replace,
  noteKeyUses: keys.recordUses,
  submitAccess: access.submit,
  decideAccess: access.decide,
  insertWebhook: webhooks.insert,
  removeWebhook: webhooks.remove,
  addWebhookSecret: webhooks.addSecret,
  announceTo: outbox.announceTo,
  outboxTurn: outbox.recordAndClaim,
  bringForward: outbox.bringForward,
  pruneOutbox: outbox.prune,
  claimProbe: cip.claimProbe,
  recordProbe: cip.record,
  pruneProbe: cip.prune,
  transition: cip.transition,
  appendToLog: log.append,
  addLogKey: log.addKey,
})

export type Hashes = LeafHashes<Verification, Override>
type Changes = ReturnType<typeof changesWith>
export type ChangeName = keyof Changes
type ResultOf<Name extends ChangeName> =
  ReturnType<Changes[Name]> extends Script<infer Result> ? Result : never

/** Runs a change. Resolves with its result once it is durable. */
export type Change = <Name extends ChangeName>(
  name: Name,
  ...values: Parameters<Changes[Name]>
) => Promise<ResultOf<Name>>

export function createChange(transact: Transact, hashes: Hashes): Change {
  const changes = changesWith(hashes)
  return (name, ...values) => {
    const script = changes[name] as (...args: typeof values) => Script<ResultOf<typeof name>>
    return transact(() => script(...values))
  }
}

/** Compares policies and their changes with the sealed acts that made them. */

import type { PolicyDocument } from '../../core/policy/document.ts'
import { hashOfDocument } from '../policy/compile.ts'
import type { StoredChange, StoredPolicy } from '../ports/policies.ts'
import type { Act } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'

interface Rows {
  readonly acts: readonly Act[]
  readonly report: (place: string, message: string) => void
  /** Whether a row of this time must have an act. */
  readonly needsAct: (atMs: number) => boolean
}

/** Read before it is known whether acts are waiting to be sealed. */
export async function readPolicies({ policies }: Store) {
  return { ids: await policies.ids(), changes: await policies.allChanges(0) }
}

/** Documents are read one at a time: there may be many owners, and documents are long. */
export async function checkPolicies(
  { policies }: Store,
  { ids, changes }: Awaited<ReturnType<typeof readPolicies>>,
  rows: Rows,
): Promise<void> {
  const made = new Map(
    rows.acts.flatMap((act) => (act.kind === 'policy.created' ? [[act.subject, act] as const] : [])),
  )
  for (const policyId of ids) {
    const policy = await policies.find(policyId)
    if (policy !== null) checkPolicy(policy, made.get(policyId), rows)
    made.delete(policyId)
  }
  for (const policyId of made.keys()) rows.report(`policy ${policyId}`, 'is missing, but an act names it')
  checkChanges(changes, rows)
}

function checkPolicy(policy: StoredPolicy, act: Act | undefined, { report, needsAct }: Rows): void {
  const { policyId, ownerId, document, sha256, createdAtMs, createdBy } = policy
  const place = `policy ${policyId}`
  if (act === undefined) {
    if (needsAct(createdAtMs)) report(place, 'was made by no act')
    return
  }
  if (ownerId !== act.detail['owner_id'] || createdBy.principalId !== act.detail['principal_id'])
    report(place, 'has another owner or author than it was made with')
  if (sha256 !== act.detail['sha256'] || sha256 !== hashOf(document))
    report(place, 'has another document than it was made with')
}

/** Null for a text that is no document. */
function hashOf(document: string): string | null {
  try {
    return hashOfDocument(JSON.parse(document) as PolicyDocument)
  } catch {
    return null
  }
}

/** Each change has its act, and the order of an owner's changes is that of their acts in the log. */
function checkChanges(changes: readonly StoredChange[], { acts, report, needsAct }: Rows): void {
  const kinds = new Set(['policy.candidate', 'policy.promoted', 'policy.rolled_back'])
  const sealed = Map.groupBy(
    acts.filter(({ kind }) => kinds.has(kind)),
    ({ detail }) => String(detail['owner_id']),
  )
  for (const [ownerId, own] of Map.groupBy(changes, ({ ownerId: of }) => String(of))) {
    const expected = sealed.get(ownerId) ?? []
    sealed.delete(ownerId)
    const unsealed = own.slice(expected.length)
    expected.forEach((act, place) => {
      const change = own[place]
      if (change === undefined)
        report(`policy ${act.subject}`, `lacks a change that an act made: ${act.kind}`)
      else if (!isMadeBy(change, act))
        report(`policy ${change.policyId}`, `is ${change.kind} in another way than an act made it`)
    })
    for (const { policyId, kind, atMs } of unsealed)
      if (needsAct(atMs)) report(`policy ${policyId}`, `is ${kind} by no act`)
  }
  for (const own of sealed.values())
    for (const { subject, kind } of own)
      report(`policy ${subject}`, `lacks a change that an act made: ${kind}`)
}

const isMadeBy = ({ kind, policyId, by, reason }: StoredChange, act: Act): boolean =>
  act.kind === `policy.${kind}` &&
  act.subject === policyId &&
  act.detail['principal_id'] === by.principalId &&
  act.detail['reason'] === reason

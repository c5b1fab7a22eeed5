/** Compares keys, access requests, transitions, policies and people with the sealed acts that made them what they are. */

import { keyLifetimeMs } from '../../core/identity/api-key.ts'
import { simulationAdapter } from '../../core/live/cip.ts'
import { supportedCorridors } from '../../core/reference/corridor.ts'
import { dayMs, minuteMs } from '../../core/time/durations.ts'
import type { Month } from '../../core/time/month.ts'
import type { AccessRequest } from '../ports/identity/access.ts'
import type { CipTransition } from '../ports/cip.ts'
import type { Act } from '../ports/records.ts'
import type { KeyRecord } from '../ports/identity/keys.ts'
import type { Store } from '../ports/store.ts'
import { checkPeople, readPeople } from './check-people.ts'
import { checkPolicies, readPolicies } from './check-policies.ts'

/** Each finding names the row and what is wrong with it. */
type Report = (place: string, message: string) => void

interface Checked {
  readonly acts: readonly Act[]
  /** The time of the newest checkpoint. */
  readonly sealedUntilMs: number
  /** Whether there are entries beyond the acts. */
  readonly isWaiting: () => Promise<boolean>
  readonly report: Report
  /** Sealed records of dropped months. */
  readonly archived: ReadonlyMap<Month, number>
}

interface Rows extends Omit<Checked, 'isWaiting'> {
  /** Whether a row of this time must have an act. */
  readonly needsAct: (atMs: number) => boolean
}

/** Machines that make rows and seal them may differ so much in their clocks, and a clock may be set back so far. */
const skewMs = 10 * minuteMs

/** Rows from before acts were recorded have none, and nothing proves them. */
export async function checkActs(store: Store, { isWaiting, ...checked }: Checked): Promise<void> {
  const { acts, sealedUntilMs, report } = checked
  const keys = new Map((await store.keys.list()).map((key) => [key.keyId, key]))
  const requests = await store.access.list(null)
  const { transitions } = await store.cip.state({ adapter: simulationAdapter, corridors: supportedCorridors })
  const policies = await readPolicies(store)
  const people = await readPeople(store)
  // After the rows were read: the act of a new row may not be among those that were sealed.
  const mayLack = await isWaiting()
  const firstAtMs = acts.reduce((first, act) => Math.min(first, act.atMs), Infinity)
  const isSealed = (atMs: number): boolean =>
    !mayLack || (acts.length > 0 && (atMs < sealedUntilMs - skewMs || atMs > sealedUntilMs + dayMs))
  const needsAct = (atMs: number): boolean => atMs > firstAtMs && isSealed(atMs)
  const rows = { ...checked, needsAct }
  for (const act of acts) checkKeyAct(act, keys, report)
  for (const key of keys.values()) checkLifetime(key, report)
  checkUnknownKeys(keys.values(), requests, rows)
  checkPrincipals(keys, rows)
  checkAccess(requests, keys, rows)
  checkTransitions(transitions, rows)
  await checkPolicies(store, policies, rows)
  checkPeople(people, { ...checked, isSealed })
  checkDropped(checked, mayLack)
}

/** The act of dropping a month says how many records the archive holds. It may not be sealed yet. */
function checkDropped({ acts, archived, report }: Omit<Checked, 'isWaiting'>, mayLack: boolean): void {
  const stated = new Map(
    acts.flatMap(({ kind, subject, detail }) =>
      kind === 'month.dropped' ? [[subject, detail['records']] as const] : [],
    ),
  )
  for (const [month, records] of archived) {
    const expected = stated.get(month)
    if (expected === undefined && mayLack) continue
    if (expected !== records)
      report(`month ${month}`, `${records} sealed records are missing, but an act dropped ${expected ?? 0}`)
  }
}

function checkKeyAct(act: Act, keys: ReadonlyMap<string, KeyRecord>, report: Report): void {
  const { kind, subject, detail } = act
  if (kind !== 'key.created' && kind !== 'key.rotated' && kind !== 'key.revoked') return
  const key = keys.get(subject)
  const place = `key ${subject}`
  if (key === undefined) return report(place, 'is missing, but an act of an operator names it')
  if (kind === 'key.revoked') {
    if (key.revokedAtMs === null) report(place, 'is in force, but an operator revoked it')
    return
  }
  if (key.ownerId !== detail['owner_id']) report(place, 'has another owner than the one it was made for')
  const replaced = kind === 'key.rotated' ? keys.get(String(detail['replaced_key_id'])) : null
  if (replaced === undefined) return report(place, 'replaced a key that is missing')
  const made = replaced ?? {
    type: detail['type'],
    scopes: String(detail['scopes']).split(' ').filter(Boolean),
  }
  if (key.type !== made.type || key.scopes.join(' ') !== made.scopes.join(' '))
    report(place, 'has another type or other scopes than it was made with')
  if (replaced === null) return
  const end = Math.min(replaced.expiresAtMs ?? Infinity, replaced.revokedAtMs ?? Infinity)
  if (end > Number(detail['replaced_ends_at_ms']))
    report(`key ${replaced.keyId}`, 'is in force for longer than its rotation allows')
}

function checkLifetime({ keyId, type, createdAtMs, expiresAtMs }: KeyRecord, report: Report): void {
  const lifetimeMs = keyLifetimeMs[type]
  if (lifetimeMs !== null && (expiresAtMs ?? Infinity) > createdAtMs + lifetimeMs)
    report(`key ${keyId}`, 'is in force for longer than its type allows')
}

/** A sandbox key is made by a public request, which names it, or by a rotation. */
function checkUnknownKeys(
  keys: Iterable<KeyRecord>,
  requests: readonly AccessRequest[],
  { acts, needsAct, report }: Rows,
): void {
  const made = new Set(
    acts.flatMap(({ kind, subject, detail }) =>
      kind === 'access.decided' ? [detail['live_key_id']] : kind.startsWith('key.') ? [subject] : [],
    ),
  )
  const asked = new Map(requests.map(({ sandboxKeyId, ownerId }) => [sandboxKeyId, ownerId]))
  for (const { keyId, type, ownerId, createdAtMs } of keys) {
    const isAsked = type === 'sandbox' && asked.get(keyId) === ownerId
    if (!isAsked && !made.has(keyId) && needsAct(createdAtMs))
      report(`key ${keyId}`, 'was made by no act of an operator')
  }
}

/**
 * A key that replaced another has its principal, one that a person issued acts as that person, and any other key is its
 * own. Four eyes depends on it.
 */
function checkPrincipals(keys: ReadonlyMap<string, KeyRecord>, { acts, needsAct, report }: Rows): void {
  const madeBy = new Map(
    acts.flatMap(({ kind, subject, detail }) => {
      if (kind === 'key.created' || kind === 'key.rotated') return [[subject, detail] as const]
      return kind === 'access.decided' ? [[String(detail['live_key_id']), detail] as const] : []
    }),
  )
  for (const { keyId, principalId, createdAtMs } of keys.values()) {
    const detail = madeBy.get(keyId)
    if (detail === undefined && !needsAct(createdAtMs)) continue
    const replaced = keys.get(String(detail?.['replaced_key_id']))
    const person = detail?.['acts_as']
    if (principalId === (replaced?.principalId ?? person ?? keyId)) continue
    if (replaced !== undefined) report(`key ${keyId}`, 'has another principal than the key it replaced')
    else if (typeof person === 'string')
      report(`key ${keyId}`, 'has another principal than the person who issued it')
    else report(`key ${keyId}`, 'has another principal than itself')
  }
}

function checkAccess(
  requests: readonly AccessRequest[],
  keys: ReadonlyMap<string, KeyRecord>,
  { acts, needsAct, report }: Rows,
): void {
  const decided = new Map(
    acts.flatMap((act) => (act.kind === 'access.decided' ? [[act.subject, act.detail] as const] : [])),
  )
  for (const { accessRequestId: id, status, decision } of requests) {
    const detail = decided.get(id)
    const place = `access request ${id}`
    decided.delete(id)
    if (detail === undefined) {
      if (decision !== null && needsAct(decision.decidedAtMs))
        report(place, 'was decided by no act of an operator')
      continue
    }
    const liveKeyId = decision?.liveKeyId ?? null
    if (status !== detail['status'] || liveKeyId !== detail['live_key_id'])
      report(place, 'is decided in another way than an operator did')
    if (liveKeyId !== null) checkLiveKey(liveKeyId, String(detail['replaced_key_id']), keys, report)
  }
  for (const id of decided.keys()) report(`access request ${id}`, 'is missing, but an operator decided it')
}

function checkLiveKey(
  keyId: string,
  replacedKeyId: string,
  keys: ReadonlyMap<string, KeyRecord>,
  report: Report,
): void {
  const key = keys.get(keyId)
  const replaced = keys.get(replacedKeyId)
  if (key === undefined) return report(`key ${keyId}`, 'is missing, but an operator issued it')
  if (key.type !== 'live' || (replaced !== undefined && replaced.ownerId !== key.ownerId))
    report(`key ${keyId}`, 'is not the key that an operator issued')
}

function checkTransitions(transitions: readonly CipTransition[], { acts, needsAct, report }: Rows): void {
  const made = new Map(
    acts.flatMap((act) => (act.kind === 'cip.transitioned' ? [[act.subject, act.detail] as const] : [])),
  )
  for (const { number, stage, blendPercent, reference, madeAtMs } of transitions) {
    const detail = made.get(String(number))
    made.delete(String(number))
    const place = `transition ${number}`
    if (detail === undefined) {
      if (needsAct(madeAtMs)) report(place, 'was made by no act of an operator')
    } else if (
      stage !== detail['stage'] ||
      blendPercent !== detail['blend_percent'] ||
      reference !== detail['reference']
    ) {
      report(place, 'is not as an operator made it')
    }
  }
  for (const number of made.keys()) report(`transition ${number}`, 'is missing, but an operator made it')
}

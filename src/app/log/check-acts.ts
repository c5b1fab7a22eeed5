/** Compares keys, access requests and transitions with the sealed acts that made them what they are. */

import type { Act } from '../ports/records.ts'
import type { KeyRecord } from '../ports/keys.ts'
import type { Store } from '../ports/store.ts'

/** Each finding names the row and what is wrong with it. */
type Report = (place: string, message: string) => void

/**
 * `acts` are in the order of the log. `sealedUntilMs` is the time of its newest checkpoint: the act of a later row may
 * not be sealed yet. Rows from before acts were recorded have none, and nothing proves them.
 */
export async function checkActs(
  store: Store,
  acts: readonly Act[],
  { sealedUntilMs, report }: { readonly sealedUntilMs: number; readonly report: Report },
): Promise<void> {
  const keys = new Map((await store.keys.list()).map((key) => [key.keyId, key]))
  for (const act of acts) checkKeyAct(act, keys, report)
  checkUnknownKeys(acts, keys.values(), { sealedUntilMs, report })
  await checkAccess(store, acts, report)
  await checkTransitions(store, acts, report)
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
  if (kind === 'key.created') {
    const isSame = key.type === detail['type'] && key.scopes.join(' ') === detail['scopes']
    if (!isSame) report(place, 'has another type or other scopes than it was issued with')
    return
  }
  checkReplaced(String(detail['replaced_key_id']), Number(detail['replaced_ends_at_ms']), keys, report)
}

function checkReplaced(
  keyId: string,
  endsAtMs: number,
  keys: ReadonlyMap<string, KeyRecord>,
  report: Report,
): void {
  const key = keys.get(keyId)
  const end = Math.min(key?.expiresAtMs ?? Infinity, key?.revokedAtMs ?? Infinity)
  if (key === undefined) report(`key ${keyId}`, 'is missing, but an operator replaced it')
  else if (end > endsAtMs) report(`key ${keyId}`, 'is in force for longer than its rotation allows')
}

/** Sandbox keys are made by public requests, without an operator. */
function checkUnknownKeys(
  acts: readonly Act[],
  keys: Iterable<KeyRecord>,
  { sealedUntilMs, report }: { readonly sealedUntilMs: number; readonly report: Report },
): void {
  const made = new Set(
    acts.flatMap(({ kind, subject, detail }) =>
      kind === 'access.decided' ? [detail['live_key_id']] : kind.startsWith('key.') ? [subject] : [],
    ),
  )
  const firstAtMs = Math.min(...acts.filter(({ kind }) => kind.startsWith('key.')).map(({ atMs }) => atMs))
  for (const { keyId, type, createdAtMs } of keys) {
    const isExpected = type !== 'sandbox' && createdAtMs > firstAtMs && createdAtMs < sealedUntilMs
    if (isExpected && !made.has(keyId)) report(`key ${keyId}`, 'was made by no act of an operator')
  }
}

async function checkAccess(store: Store, acts: readonly Act[], report: Report): Promise<void> {
  for (const { kind, subject, detail } of acts) {
    if (kind !== 'access.decided') continue
    const request = await store.access.find(subject)
    const place = `access request ${subject}`
    if (request === null) report(place, 'is missing, but an operator decided it')
    else if (
      request.status !== detail['status'] ||
      (request.decision?.liveKeyId ?? null) !== detail['live_key_id']
    ) {
      report(place, 'is decided in another way than an operator did')
    }
  }
}

async function checkTransitions(store: Store, acts: readonly Act[], report: Report): Promise<void> {
  const { transitions } = await store.cip.state()
  const byNumber = new Map(transitions.map((transition) => [String(transition.number), transition]))
  for (const { kind, subject, detail } of acts) {
    if (kind !== 'cip.transitioned') continue
    const row = byNumber.get(subject)
    const isSame =
      row?.stage === detail['stage'] &&
      row?.blendPercent === detail['blend_percent'] &&
      row?.reference === detail['reference']
    if (!isSame) report(`transition ${subject}`, 'is missing, or not as an operator made it')
  }
}

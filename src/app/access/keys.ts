/** Keys: issued, listed, ended and replaced by an operator, and looked up for every request. */

import { hash } from 'node:crypto'
import {
  formatKey,
  isWellFormedKey,
  keyLifetimeMs,
  keyRandomBytes,
  keyTypeOf,
  type KeyPrefix,
  type Scope,
} from '../../core/identity/api-key.ts'
import type { RateLimit } from '../../core/time/rolling-window.ts'
import { prefixedId } from '../verify/ids.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { KeyEnd, KeyRecord, KeyStore } from '../ports/keys.ts'
import type { NewKey } from '../ports/access.ts'
import { dayMs } from '../../core/time/durations.ts'

/** A replaced key goes on for at most this long. */
export const rotationOverlapMsMax = dayMs

/** How long a looked-up key is believed; well within the second in which a revocation must act everywhere. */
const believedMs = 500
const believedKeysMax = 10_000

export interface KeyDeps {
  readonly keys: KeyStore
  readonly clock: Clock
  readonly random: Random
}

export interface IssuedKey {
  readonly record: KeyRecord
  /** Shown once: only its hash is kept. */
  readonly key: string
}

export interface IssueCommand {
  readonly prefix: KeyPrefix
  readonly ownerLabel: string
  readonly scopes: readonly Scope[]
  readonly verifyLimit: RateLimit | null
}

/** Every issue makes a new owner, so that two keys never share records by sharing a label. */
export async function issueKey(deps: KeyDeps, command: IssueCommand): Promise<IssuedKey> {
  const { prefix, ownerLabel, scopes, verifyLimit } = command
  const ownerId = newOwnerId(deps.random)
  const issued = makeKey(deps, prefix, { ownerId, ownerLabel, scopes, verifyLimit })
  await deps.keys.insert(issued.record, hashKey(issued.key))
  return issued
}

export function newOwnerId(random: Random): string {
  return prefixedId('own', random)
}

export type RotateOutcome =
  | { readonly kind: 'rotated'; readonly issued: IssuedKey; readonly oldEndsAtMs: number }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }

/** The new key has the old one's owner, and with it its records; the old one goes on for the overlap. */
export async function rotateKey(deps: KeyDeps, keyId: string, overlapMs: number): Promise<RotateOutcome> {
  const old = await deps.keys.find(keyId)
  if (old === null) return { kind: 'unknown' }
  const nowMs = deps.clock.nowMs()
  if (!isActive(old, nowMs)) return { kind: 'ended' }
  const { prefix, ownerId, ownerLabel, scopes, verifyLimit } = old
  const issued = makeKey(deps, prefix, { ownerId, ownerLabel, scopes, verifyLimit })
  const { end, endsAtMs } = endAfter(old, overlapMs, nowMs)
  await deps.keys.replace(keyId, end, issued.record, hashKey(issued.key))
  return { kind: 'rotated', issued, oldEndsAtMs: endsAtMs }
}

/** How an active key ends that has been replaced: after the overlap, and no later than it would have. */
export function endAfter(
  old: KeyRecord,
  overlapMs: number,
  nowMs: number,
): { readonly end: KeyEnd; readonly endsAtMs: number } {
  if (overlapMs === 0) return { end: { revokedAtMs: nowMs }, endsAtMs: nowMs }
  const expiresAtMs = nowMs + Math.min(overlapMs, rotationOverlapMsMax)
  return { end: { expiresAtMs }, endsAtMs: Math.min(expiresAtMs, old.expiresAtMs ?? expiresAtMs) }
}

/** False where there is no such key. Revoking twice changes nothing. */
export async function revokeKey(deps: Pick<KeyDeps, 'keys' | 'clock'>, keyId: string): Promise<boolean> {
  return deps.keys.revoke(keyId, deps.clock.nowMs())
}

export function isActive(key: KeyRecord, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || key.expiresAtMs > nowMs)
}

export type Authenticate = (presented: string) => Promise<KeyRecord | null>

export interface AuthenticateDeps extends Pick<KeyDeps, 'keys' | 'clock'> {
  /** Told of every key that was let in; it must cost next to nothing. */
  readonly noteUse: (keyId: string, usedAtMs: number) => void
}

/** Null for every cause alike: malformed, unknown, expired or revoked. */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const believed = new Map<string, { key: KeyRecord; readAtMs: number }>()
  const underWay = new Map<string, Promise<KeyRecord | null>>()

  async function read(presented: string): Promise<KeyRecord | null> {
    // The age counts from before the question, so that a revocation during it is not believed away.
    const readAtMs = deps.clock.monotonicMs()
    const key = await deps.keys.findByHash(hashKey(presented))
    believed.delete(presented)
    // One that has ended is asked for each time, as an unknown one is: an answer from memory would tell them apart.
    if (key === null || !isActive(key, deps.clock.nowMs())) return null
    if (believed.size >= believedKeysMax) believed.delete(believed.keys().next().value ?? '')
    believed.set(presented, { key, readAtMs })
    return key
  }

  function lookUp(presented: string): Promise<KeyRecord | null> {
    let reading = underWay.get(presented)
    if (reading === undefined) {
      reading = read(presented).finally(() => underWay.delete(presented))
      underWay.set(presented, reading)
    }
    return reading
  }

  return async (presented) => {
    const kept = believed.get(presented)
    const fresh = kept !== undefined && deps.clock.monotonicMs() - kept.readAtMs < believedMs
    if (!fresh && !isWellFormedKey(presented)) return null
    const key = fresh ? kept.key : await lookUp(presented)
    const nowMs = deps.clock.nowMs()
    if (key === null || !isActive(key, nowMs)) return null
    deps.noteUse(key.keyId, nowMs)
    return key
  }
}

export function makeKey(
  deps: Pick<KeyDeps, 'clock' | 'random'>,
  prefix: KeyPrefix,
  owner: Pick<KeyRecord, 'ownerId' | 'ownerLabel' | 'scopes' | 'verifyLimit'>,
): IssuedKey {
  const type = keyTypeOf[prefix]
  const createdAtMs = deps.clock.nowMs()
  const lifetimeMs = keyLifetimeMs[type]
  return {
    key: formatKey(prefix, deps.random.bytes(keyRandomBytes)),
    record: {
      ...owner,
      keyId: prefixedId('key', deps.random),
      type,
      prefix,
      createdAtMs,
      expiresAtMs: lifetimeMs === null ? null : createdAtMs + lifetimeMs,
      revokedAtMs: null,
    },
  }
}

/** What of a key goes to the store. */
export function toStore({ record, key }: IssuedKey): NewKey {
  return { record, hash: hashKey(key) }
}

function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

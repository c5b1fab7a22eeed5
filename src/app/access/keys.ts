/** API keys: issue, rotation and revocation by an operator, and authentication of every request. */

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
import type { KeyEnd, KeyRecord, KeyStore, NewKey } from '../ports/identity/keys.ts'
import type { DescribeAct } from '../operate/acts.ts'
import { dayMs } from '../../core/time/durations.ts'

/** A replaced key stays valid for at most this long. */
export const rotationOverlapMsMax = dayMs

/** Lifetime of a cached key; well below the second within which a revocation must take effect everywhere. */
const cachedKeyMs = 500
const cachedKeysMax = 10_000

export interface KeyDeps {
  readonly keys: KeyStore
  readonly clock: Clock
  readonly random: Random
  /** Absent for keys that no operator makes. */
  readonly describe?: DescribeAct
}

export interface IssuedKey {
  readonly record: KeyRecord
  /** Shown once: only its hash is stored. */
  readonly key: string
}

export interface IssueCommand {
  readonly prefix: KeyPrefix
  readonly ownerLabel: string
  readonly scopes: readonly Scope[]
  readonly verifyLimit: RateLimit | null
  /** An owner that already has keys; absent for a new one. */
  readonly ownerId?: string
  /** The person whom the key acts as; absent for a key that is its own principal. */
  readonly actsAs?: string
}

/**
 * Creates a new owner unless one is named, so that two keys with the same label never share records. A key that a person
 * issues acts as that person, so that nobody gains a second pair of eyes by it.
 */
export async function issueKey(deps: KeyDeps, command: IssueCommand): Promise<IssuedKey> {
  const { prefix, ownerLabel, scopes, verifyLimit, actsAs: principalId } = command
  const ownerId = command.ownerId ?? newOwnerId(deps.random)
  const issued = generateKey(deps, prefix, { ownerId, principalId, ownerLabel, scopes, verifyLimit })
  const { record } = issued
  const detail = {
    owner_id: ownerId,
    type: record.type,
    scopes: scopes.join(' '),
    ...(principalId === undefined ? {} : { acts_as: principalId }),
  }
  const act = deps.describe?.({ kind: 'key.created', subject: record.keyId, detail })
  await deps.keys.insert(record, hashKey(issued.key), act)
  return issued
}

export function newOwnerId(random: Random): string {
  return prefixedId('own', random)
}

export type RotateOutcome =
  | { readonly kind: 'rotated'; readonly issued: IssuedKey; readonly oldEndsAtMs: number }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }

/**
 * The new key has the old one's owner and so reads its records, and acts as the same principal. The old key stays valid
 * for the overlap.
 */
export async function rotateKey(deps: KeyDeps, keyId: string, overlapMs: number): Promise<RotateOutcome> {
  const old = await deps.keys.find(keyId)
  if (old === null) return { kind: 'unknown' }
  const nowMs = deps.clock.nowMs()
  if (!isActive(old, nowMs)) return { kind: 'ended' }
  const { prefix, ownerId, principalId, ownerLabel, scopes, verifyLimit } = old
  const issued = generateKey(deps, prefix, { ownerId, principalId, ownerLabel, scopes, verifyLimit })
  const { end, endsAtMs } = endAfter(old, overlapMs, nowMs)
  const detail = { replaced_key_id: keyId, owner_id: ownerId, replaced_ends_at_ms: endsAtMs }
  const act = deps.describe?.({ kind: 'key.rotated', subject: issued.record.keyId, detail })
  const isReplaced = await deps.keys.replace(keyId, end, toStore(issued), act)
  return isReplaced ? { kind: 'rotated', issued, oldEndsAtMs: endsAtMs } : { kind: 'ended' }
}

/** The end of a replaced active key: after the overlap, and no later than its own expiry. */
export function endAfter(
  old: KeyRecord,
  overlapMs: number,
  nowMs: number,
): { readonly end: KeyEnd; readonly endsAtMs: number } {
  if (overlapMs === 0) return { end: { revokedAtMs: nowMs }, endsAtMs: nowMs }
  const expiresAtMs = nowMs + Math.min(overlapMs, rotationOverlapMsMax)
  return { end: { expiresAtMs }, endsAtMs: Math.min(expiresAtMs, old.expiresAtMs ?? expiresAtMs) }
}

/** False if there is no such key. Revoking twice changes nothing. */
export async function revokeKey(
  { keys, clock, describe }: Omit<KeyDeps, 'random'>,
  keyId: string,
): Promise<boolean> {
  const act = describe?.({ kind: 'key.revoked', subject: keyId, detail: {} })
  return keys.revoke(keyId, clock.nowMs(), act)
}

export function isActive(key: KeyRecord, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || key.expiresAtMs > nowMs)
}

export type Authenticate = (presented: string) => Promise<KeyRecord | null>

export interface AuthenticateDeps extends Pick<KeyDeps, 'keys' | 'clock'> {
  /** Called for every authenticated request, so it must be cheap. */
  readonly recordUse: (keyId: string, usedAtMs: number) => void
}

/** Null for a malformed, unknown, expired or revoked key; callers cannot tell which. */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const cache = new Map<string, { key: KeyRecord; readAtMs: number }>()
  const pending = new Map<string, Promise<KeyRecord | null>>()

  async function read(presented: string): Promise<KeyRecord | null> {
    // The age counts from before the query, so that a revocation during it is not hidden by the cache.
    const readAtMs = deps.clock.monotonicMs()
    const key = await deps.keys.findByHash(hashKey(presented))
    cache.delete(presented)
    // An ended key is not cached, just like an unknown one: a faster refusal would tell them apart.
    if (key === null || !isActive(key, deps.clock.nowMs())) return null
    if (cache.size >= cachedKeysMax) cache.delete(cache.keys().next().value ?? '')
    cache.set(presented, { key, readAtMs })
    return key
  }

  function lookUp(presented: string): Promise<KeyRecord | null> {
    let reading = pending.get(presented)
    if (reading === undefined) {
      reading = read(presented).finally(() => pending.delete(presented))
      pending.set(presented, reading)
    }
    return reading
  }

  return async (presented) => {
    const cached = cache.get(presented)
    const fresh = cached !== undefined && deps.clock.monotonicMs() - cached.readAtMs < cachedKeyMs
    if (!fresh && !isWellFormedKey(presented)) return null
    const key = fresh ? cached.key : await lookUp(presented)
    const nowMs = deps.clock.nowMs()
    if (key === null || !isActive(key, nowMs)) return null
    deps.recordUse(key.keyId, nowMs)
    return key
  }
}

interface KeyTerms extends Pick<KeyRecord, 'ownerId' | 'ownerLabel' | 'scopes' | 'verifyLimit'> {
  /** That of the key it replaces, or the person who issued it; absent for a key that is its own principal. */
  readonly principalId?: string | undefined
}

export function generateKey(
  deps: Pick<KeyDeps, 'clock' | 'random'>,
  prefix: KeyPrefix,
  { principalId, ...terms }: KeyTerms,
): IssuedKey {
  const type = keyTypeOf[prefix]
  const createdAtMs = deps.clock.nowMs()
  const lifetimeMs = keyLifetimeMs[type]
  const key = formatKey(prefix, deps.random.bytes(keyRandomBytes))
  const keyId = prefixedId('key', deps.random)
  return {
    key,
    record: {
      ...terms,
      keyId,
      principalId: principalId ?? keyId,
      type,
      prefix,
      createdAtMs,
      expiresAtMs: lifetimeMs === null ? null : createdAtMs + lifetimeMs,
      revokedAtMs: null,
    },
  }
}

/** The stored form of a key: its record and hash. */
export function toStore({ record, key }: IssuedKey): NewKey {
  return { record, hash: hashKey(key) }
}

function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

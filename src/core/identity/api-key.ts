/** API keys: prefix, 160 random bits and a checksum, so that a mistyped key is refused without a lookup. */

import { encodeBase32, encodeBase32Number } from './base32.ts'
import { hash32 } from '../shadow/hash.ts'
import { dayMs } from '../time/durations.ts'

export const keyPrefixes = ['pk_test_', 'pk_live_', 'svc-sandbox-', 'svc-live-'] as const

export type KeyPrefix = (typeof keyPrefixes)[number]
export type KeyType = 'test' | 'sandbox' | 'live'
export type Mode = 'shadow' | 'live'

export const keyTypeOf: Readonly<Record<KeyPrefix, KeyType>> = {
  pk_test_: 'test',
  pk_live_: 'live',
  'svc-sandbox-': 'sandbox',
  'svc-live-': 'live',
}

/** For keys issued before the prefix was stored. */
export const defaultPrefix: Readonly<Record<KeyType, KeyPrefix>> = {
  test: 'pk_test_',
  live: 'pk_live_',
  sandbox: 'svc-sandbox-',
}

export const modeOfKeyType: Readonly<Record<KeyType, Mode>> = {
  test: 'shadow',
  sandbox: 'shadow',
  live: 'live',
}

/** Live keys end after 90 days; the others do not expire. */
export const keyLifetimeMs: Readonly<Record<KeyType, number | null>> = {
  test: null,
  sandbox: null,
  live: 90 * dayMs,
}

/** Operators are warned of keys that expire within this time. */
export const expiresSoonMs = 14 * dayMs

export const scopes = [
  'decision:read',
  'audit:read',
  'override:create',
  'webhook:manage',
  'outcome:write',
  'policy:read',
  'policy:write',
  'policy:approve',
  'review:read',
  'review:write',
  'review:approve',
] as const

export type Scope = (typeof scopes)[number]

export const keyRandomBytes = 20

/** Matches a key anywhere in a text; used to redact logs. */
export const keyPattern = /(?:pk_test_|pk_live_|svc-sandbox-|svc-live-)[0-9a-hjkmnp-tv-z]{38}/

const exactKey = new RegExp(`^${keyPattern.source}$`)

export function formatKey(prefix: KeyPrefix, randomBytes: Uint8Array): string {
  const secret = encodeBase32(randomBytes).toLowerCase()
  return `${prefix}${secret}${checksum(prefix + secret)}`
}

/** False for text that is not a key of this service. */
export function isWellFormedKey(text: string): boolean {
  return exactKey.test(text) && text.slice(-6) === checksum(text.slice(0, -6))
}

function checksum(text: string): string {
  return encodeBase32Number(hash32(text) >>> 2, 6).toLowerCase()
}

/** Anybody can request a sandbox key, so none may approve. */
const neverInSandbox: ReadonlySet<Scope> = new Set<Scope>(['policy:approve', 'review:approve'])

/** A key without scopes has all that its type may have, as the contract requires. */
export function allowsScope(
  { type, scopes: granted }: { readonly type: KeyType; readonly scopes: readonly Scope[] },
  needed: Scope,
): boolean {
  if (type === 'sandbox' && neverInSandbox.has(needed)) return false
  return granted.length === 0 || granted.includes(needed)
}

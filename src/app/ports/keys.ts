/** API keys as the store keeps them. */

import type { KeyPrefix, KeyType, Scope } from '../../core/identity/api-key.ts'
import type { RateLimit } from '../../core/time/rolling-window.ts'

export interface KeyRecord {
  readonly keyId: string
  readonly ownerId: string
  /** A label for people; two keys with one label are still two owners. */
  readonly ownerLabel: string
  readonly type: KeyType
  readonly prefix: KeyPrefix
  /** Empty: all of them. */
  readonly scopes: readonly Scope[]
  /** This key's own limit on verify, or null for the service's. */
  readonly verifyLimit: RateLimit | null
  readonly createdAtMs: number
  /** A live key's end, or the earlier one that a rotation sets. */
  readonly expiresAtMs: number | null
  /** When it was revoked, to tell people; that it was is all that counts, whatever any clock says. */
  readonly revokedAtMs: number | null
}

/** A key as an operator sees it. */
export interface ListedKey extends KeyRecord {
  /** Null where it was not used since uses are noted. */
  readonly lastUsedAtMs: number | null
}

export interface KeyUse {
  readonly keyId: string
  readonly usedAtMs: number
}

/** At once, or after an overlap. */
export type KeyEnd = { readonly revokedAtMs: number } | { readonly expiresAtMs: number }

export interface KeyStore {
  /** Null for one that was revoked as well. */
  findByHash(hash: string): Promise<KeyRecord | null>
  find(keyId: string): Promise<KeyRecord | null>
  list(): Promise<ListedKey[]>
  /** Notes when keys were last used; an earlier time never takes the place of a later one. */
  noteUses(uses: readonly KeyUse[]): Promise<void>
  /** How many records were written with this key. */
  usage(keyId: string): Promise<number>
  insert(key: KeyRecord, hash: string): Promise<void>
  /** False where there is no such key; revoking twice changes nothing. */
  revoke(keyId: string, atMs: number): Promise<boolean>
  /** Inserts the new key and ends the old one, both or neither. An end that is set already is never put off. */
  replace(oldKeyId: string, end: KeyEnd, key: KeyRecord, hash: string): Promise<void>
}

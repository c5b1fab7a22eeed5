/** Port of the API key store. */

import type { Act } from '../records.ts'
import type { KeyPrefix, KeyType, Scope } from '../../../core/identity/api-key.ts'
import type { RateLimit } from '../../../core/time/rolling-window.ts'

export interface KeyRecord {
  readonly keyId: string
  readonly ownerId: string
  /** Shared by a key and all its successors: the id of the first of them. */
  readonly principalId: string
  /** For display; two keys with the same label may have different owners. */
  readonly ownerLabel: string
  readonly type: KeyType
  readonly prefix: KeyPrefix
  /** Empty grants all scopes that the type may have. */
  readonly scopes: readonly Scope[]
  /** The key's own limit on verify; null uses the service's. */
  readonly verifyLimit: RateLimit | null
  readonly createdAtMs: number
  /** The expiry of a live key, or the earlier one set by a rotation. */
  readonly expiresAtMs: number | null
  /** For display: a revoked key is invalid whatever this time is. */
  readonly revokedAtMs: number | null
}

/** A key as listed for operators. */
export interface ListedKey extends KeyRecord {
  /** Null if never used since usage has been recorded. */
  readonly lastUsedAtMs: number | null
}

export interface KeyUse {
  readonly keyId: string
  readonly usedAtMs: number
}

/** A key that is not in the store yet. */
export interface NewKey {
  readonly record: KeyRecord
  readonly hash: string
}

/** Revokes a key at once, or lets it expire after an overlap. */
export type KeyEnd = { readonly revokedAtMs: number } | { readonly expiresAtMs: number }

export interface Owner {
  readonly ownerId: string
  /** The label of its newest key. */
  readonly name: string
  /** One that has not ended: its people see the operator's world. */
  readonly hasLiveKey: boolean
  /** Whether all its keys were for a sandbox, which anybody can ask for. */
  readonly isSandbox: boolean
}

export interface OwnerQuery {
  readonly text: string
  readonly after: string
  readonly limit: number
  readonly nowMs: number
}

/** A page of keys, newest first. */
export interface KeyQuery {
  /** A part of the owner's name, or the whole id of a key, an owner or a principal; empty for all. */
  readonly text: string
  readonly type: KeyType | null
  readonly status: 'active' | 'expired' | 'revoked' | null
  /** Only active keys that expire before this time. */
  readonly expiresBeforeMs: number | null
  /** Only those before this one. */
  readonly before: string | null
  readonly limit: number
  readonly nowMs: number
}

export interface KeyStore {
  /** Null for an unknown or revoked key. */
  findByHash(hash: string): Promise<KeyRecord | null>
  find(keyId: string): Promise<KeyRecord | null>
  /** Null if no key was issued for such an owner. */
  findOwner(ownerId: string, nowMs: number): Promise<Owner | null>
  /** In the order of their ids, after this one; only those whose name or id contains the text. */
  owners(query: OwnerQuery): Promise<Owner[]>
  list(): Promise<ListedKey[]>
  page(query: KeyQuery): Promise<ListedKey[]>
  /** Records when keys were last used; never replaces a time with an earlier one. */
  recordUses(uses: readonly KeyUse[]): Promise<void>
  /** The number of records written with this key. */
  usage(keyId: string): Promise<number>
  /** These three take the operator's act, which becomes an entry of the log, unless no operator did it. */
  insert(key: KeyRecord, hash: string, act?: Act): Promise<void>
  /** False if there is no such key; revoking twice changes nothing. */
  revoke(keyId: string, atMs: number, act?: Act): Promise<boolean>
  /**
   * Inserts the new key and ends the old one, atomically. Never postpones an existing end. False if the old key is not
   * active when the new one is made: of a rotation and a revocation at once, no key survives the revocation.
   */
  replace(oldKeyId: string, end: KeyEnd, key: NewKey, act?: Act): Promise<boolean>
}

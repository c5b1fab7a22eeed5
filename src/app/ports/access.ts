/** What access requests need of the world: a place to be kept, and a word on whether a person sent them. */

import type { AccessStatus, CaptchaCheck } from '../../core/identity/access.ts'
import type { KeyEnd, KeyRecord } from './keys.ts'

/** Somebody asked for access: what they said, the sandbox key that they got, and what an operator made of it. */
export interface AccessRequest {
  readonly accessRequestId: string
  readonly name: string
  /** As it was given. */
  readonly email: string
  readonly reason: string
  readonly captcha: CaptchaCheck
  /** Of the sandbox key. A live key gets it only where an approval says so. */
  readonly ownerId: string
  readonly sandboxKeyId: string
  readonly createdAtMs: number
  readonly status: AccessStatus
  readonly decision: AccessDecision | null
}

interface AccessDecision {
  readonly decidedAtMs: number
  readonly decidedBy: string
  readonly note: string | null
  readonly liveKeyId: string | null
  /** The key whose owner the live key keeps. */
  readonly replacedKeyId: string | null
}

/** A key that is not in the store yet. */
export interface NewKey {
  readonly record: KeyRecord
  readonly hash: string
}

/** How many active sandbox keys one address may have, all letters taken as small ones. */
export interface EmailQuota {
  readonly emailKey: string
  readonly activeKeysMax: number
}

export interface AccessStore {
  /** Writes the request and its sandbox key, both or neither; false where the address has its keys already. */
  submit(request: AccessRequest, key: NewKey, quota: EmailQuota): Promise<boolean>
  find(accessRequestId: string): Promise<AccessRequest | null>
  /** Newest first. */
  list(status: AccessStatus | null): Promise<AccessRequest[]>
  /**
   * Writes the decision, with the live key of an approval and the end of the key that it replaces, or the end of the
   * sandbox keys of a rejected request, all or nothing.
   * False where the request has been decided already.
   */
  decide(accessRequestId: string, made: AccessSettlement): Promise<boolean>
}

export interface AccessSettlement {
  readonly status: Exclude<AccessStatus, 'received'>
  readonly decision: AccessDecision
  readonly liveKey: NewKey | null
  readonly replacedEnd: KeyEnd | null
  /** Ends every sandbox key of the request's owner: one that was rotated is another by now. */
  readonly revokesSandbox: boolean
}

export type CaptchaVerdict = CaptchaCheck | 'refused' | 'unavailable'

export interface Captcha {
  check(token: string, clientAddress: string): Promise<CaptchaVerdict>
}

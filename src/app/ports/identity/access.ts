/** Ports of access requests: their store and the captcha. */

import type { AccessStatus, CaptchaCheck } from '../../../core/identity/access.ts'
import type { Act } from '../records.ts'
import type { KeyEnd, NewKey } from './keys.ts'

/** An access request with its sandbox key and the operator's decision. */
export interface AccessRequest {
  readonly accessRequestId: string
  readonly name: string
  /** As entered. */
  readonly email: string
  readonly reason: string
  readonly captcha: CaptchaCheck
  /** The owner of the sandbox key. A live key gets it only if the approval says so. */
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
  /** The key whose owner the live key has. */
  readonly replacedKeyId: string | null
}

/** The most active sandbox keys for one email address, ignoring case, and for one client address. */
export interface SandboxQuota {
  readonly emailKey: string
  readonly keysPerEmailMax: number
  readonly clientGroup: string
  readonly keysPerClientMax: number
}

export type Submitted = 'recorded' | 'email_full' | 'client_full'

/** A page of requests, newest first. */
export interface AccessQuery {
  /** A part of the name or the email address, or a whole id; empty for all. */
  readonly text: string
  readonly status: AccessStatus | null
  /** Only those before this one. */
  readonly before: string | null
  readonly limit: number
}

export interface AccessStore {
  /** Writes the request and its sandbox key atomically, unless one of the quotas is reached. */
  submit(request: AccessRequest, key: NewKey, quota: SandboxQuota): Promise<Submitted>
  find(accessRequestId: string): Promise<AccessRequest | null>
  /** Newest first. */
  list(status: AccessStatus | null): Promise<AccessRequest[]>
  page(query: AccessQuery): Promise<AccessRequest[]>
  /**
   * Atomically writes the decision, the live key of an approval, and the end of the replaced key or of a rejected
   * request's sandbox keys. False if the request is already decided.
   */
  decide(accessRequestId: string, settlement: AccessReview, act?: Act): Promise<boolean>
}

export interface AccessReview {
  readonly status: Exclude<AccessStatus, 'received'>
  readonly decision: AccessDecision
  readonly liveKey: NewKey | null
  readonly replacedEnd: KeyEnd | null
  /** Ends every sandbox key of the request's owner, including rotated ones. */
  readonly revokesSandbox: boolean
}

export type CaptchaVerdict = CaptchaCheck | 'refused' | 'unavailable'

export interface Captcha {
  check(token: string, clientAddress: string): Promise<CaptchaVerdict>
}

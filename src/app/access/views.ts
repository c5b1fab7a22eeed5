/** How keys and access requests are shown to those who administer them. */

import { expiresSoonMs } from '../../core/identity/api-key.ts'
import { iso } from '../../core/time/durations.ts'
import { rateLimitText } from '../../core/time/rolling-window.ts'
import type { AccessRequest } from '../ports/identity/access.ts'
import type { KeyRecord, ListedKey } from '../ports/identity/keys.ts'
import { isActive, type IssuedKey } from './keys.ts'

export type KeyStatus = 'active' | 'expired' | 'revoked'

export function keyStatus(key: KeyRecord, nowMs: number): KeyStatus {
  if (isActive(key, nowMs)) return 'active'
  return key.revokedAtMs === null ? 'expired' : 'revoked'
}

export function expiresSoon(key: KeyRecord, nowMs: number): boolean {
  return isActive(key, nowMs) && key.expiresAtMs !== null && key.expiresAtMs - nowMs <= expiresSoonMs
}

export function keyView(key: ListedKey, nowMs: number) {
  return {
    key_id: key.keyId,
    type: key.type,
    owner: key.ownerLabel,
    owner_id: key.ownerId,
    scopes: [...key.scopes],
    limit_verify: key.verifyLimit === null ? null : rateLimitText(key.verifyLimit),
    status: keyStatus(key, nowMs),
    created_at: iso(key.createdAtMs),
    expires_at: iso(key.expiresAtMs),
    revoked_at: iso(key.revokedAtMs),
    expires_soon: expiresSoon(key, nowMs),
    last_used_at: iso(key.lastUsedAtMs),
    prefix: key.prefix,
    principal_id: key.principalId,
  }
}

/** The only view with the key itself. */
export function issuedView({ record, key }: IssuedKey) {
  return {
    key_id: record.keyId,
    key,
    type: record.type,
    owner: record.ownerLabel,
    owner_id: record.ownerId,
    scopes: [...record.scopes],
    created_at: iso(record.createdAtMs),
    expires_at: iso(record.expiresAtMs),
  }
}

export function accessRequestView(request: AccessRequest) {
  const { decision } = request
  return {
    access_request_id: request.accessRequestId,
    name: request.name,
    email: request.email,
    reason: request.reason,
    status: request.status,
    created_at: iso(request.createdAtMs),
    captcha: request.captcha,
    sandbox_key_id: request.sandboxKeyId,
    decided_at: iso(decision?.decidedAtMs ?? null),
    decided_by: decision?.decidedBy ?? null,
    note: decision?.note ?? null,
    live_key_id: decision?.liveKeyId ?? null,
    replaced_key_id: decision?.replacedKeyId ?? null,
  }
}

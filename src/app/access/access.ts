/** Access requests: each gets a sandbox key at once; an operator approves it with a live key, or rejects it. */

import type { Scope } from '../../core/identity/api-key.ts'
import { emailKeyOf, sandboxKeysPerClientMax, sandboxKeysPerEmailMax } from '../../core/identity/access.ts'
import type { RateLimit } from '../../core/time/rolling-window.ts'
import type { Ids } from '../verify/ids.ts'
import { endAfter, isActive, generateKey, newOwnerId, toStore, type IssuedKey } from './keys.ts'
import type {
  AccessRequest,
  AccessReview,
  AccessStore,
  Captcha,
  CaptchaVerdict,
  Submitted,
} from '../ports/identity/access.ts'
import type { Act } from '../ports/records.ts'
import type { DescribeAct } from '../operate/acts.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { KeyRecord, KeyStore } from '../ports/identity/keys.ts'

interface AccessForm {
  readonly name: string
  readonly email: string
  readonly reason: string
  readonly captchaToken: string
  /** The address of the client, for the captcha service. */
  readonly clientAddress: string
  /** By which callers are counted: the address, or its network. */
  readonly clientGroup: string
}

export type RequestOutcome =
  | { readonly kind: 'received'; readonly accessRequestId: string; readonly sandboxKey: string }
  | { readonly kind: 'captcha_refused' }
  | { readonly kind: 'captcha_unavailable' }
  | { readonly kind: Exclude<Submitted, 'recorded'> }

export type RequestAccess = (form: AccessForm) => Promise<RequestOutcome>

export interface RequestAccessDeps {
  readonly access: AccessStore
  readonly captcha: Captcha
  readonly ids: Ids
  readonly clock: Clock
  readonly random: Random
}

const captchaProblems = {
  refused: { kind: 'captcha_refused' },
  unavailable: { kind: 'captcha_unavailable' },
} as const satisfies Partial<Record<CaptchaVerdict, RequestOutcome>>

/**
 * Each request creates a new owner. The email address is not verified, so a request must not see or revoke anything
 * that another request from the same address created.
 */
export function createRequestAccess(deps: RequestAccessDeps): RequestAccess {
  return async ({ name, email, reason, captchaToken, ...client }) => {
    const verdict = await deps.captcha.check(captchaToken, client.clientAddress)
    if (verdict === 'refused' || verdict === 'unavailable') return captchaProblems[verdict]
    const issued = generateKey(deps, 'svc-sandbox-', {
      ownerId: newOwnerId(deps.random),
      ownerLabel: labelOf({ name, email }),
      scopes: [],
      verifyLimit: null,
    })
    const { id, atMs } = deps.ids.next('acr')
    const request: AccessRequest = {
      accessRequestId: id,
      name,
      email,
      reason,
      captcha: verdict,
      ownerId: issued.record.ownerId,
      sandboxKeyId: issued.record.keyId,
      createdAtMs: atMs,
      status: 'received',
      decision: null,
    }
    const submitted = await deps.access.submit(request, toStore(issued), {
      emailKey: emailKeyOf(email),
      keysPerEmailMax: sandboxKeysPerEmailMax,
      clientGroup: client.clientGroup,
      keysPerClientMax: sandboxKeysPerClientMax,
    })
    return submitted === 'recorded'
      ? { kind: 'received', accessRequestId: id, sandboxKey: issued.key }
      : { kind: submitted }
  }
}

/** The email comes first, since a name is free text and could imitate one. */
function labelOf({ name, email }: Pick<AccessRequest, 'name' | 'email'>): string {
  return `${email} (${name})`
}

export interface DecideDeps {
  readonly access: AccessStore
  readonly keys: KeyStore
  readonly clock: Clock
  readonly random: Random
  /** Absent if no operator decides. */
  readonly describe?: (by: string) => DescribeAct
}

interface DecideCommand {
  readonly accessRequestId: string
  readonly decidedBy: string
  readonly note: string | null
}

export interface ApproveCommand extends DecideCommand {
  /** The key whose owner and principal the live key gets; null creates new ones. */
  readonly replaces: string | null
  readonly overlapMs: number
  /** Null uses those of the replaced key, or all without one. */
  readonly scopes: readonly Scope[] | null
  /** Null uses that of the replaced key, or the service's without one. */
  readonly verifyLimit: RateLimit | null
}

type Undecidable =
  { readonly kind: 'unknown_request' } | { readonly kind: 'decided'; readonly request: AccessRequest }

export type ApproveOutcome =
  | Undecidable
  | { readonly kind: 'unknown_key' }
  | {
      readonly kind: 'approved'
      readonly issued: IssuedKey
      /** The replaced key, and when it ends or ended. */
      readonly replaced: { readonly keyId: string; readonly endsAtMs: number } | null
    }

/**
 * The live key has a new owner unless the operator names the key that it replaces. The sender of a public request is
 * not authenticated and holds its sandbox key, which must never read the records of the live key.
 */
export async function approveAccess(deps: DecideDeps, command: ApproveCommand): Promise<ApproveOutcome> {
  const { accessRequestId, replaces, decidedBy, note } = command
  const request = await deps.access.find(accessRequestId)
  if (request === null) return { kind: 'unknown_request' }
  if (request.decision !== null) return { kind: 'decided', request }
  const old = replaces === null ? null : await deps.keys.find(replaces)
  if (old === null && replaces !== null) return { kind: 'unknown_key' }
  const decidedAtMs = deps.clock.nowMs()
  const issued = generateKey(deps, 'svc-live-', {
    ownerId: old?.ownerId ?? newOwnerId(deps.random),
    principalId: old?.principalId,
    ownerLabel: old?.ownerLabel ?? labelOf(request),
    scopes: command.scopes ?? old?.scopes ?? [],
    verifyLimit: command.verifyLimit ?? old?.verifyLimit ?? null,
  })
  // An expired or revoked key is left unchanged; it can still be replaced.
  const ending =
    old !== null && isActive(old, decidedAtMs) ? endAfter(old, command.overlapMs, decidedAtMs) : null
  const { keyId } = issued.record
  const review: AccessReview = {
    status: 'approved',
    decision: { decidedAtMs, decidedBy, note, liveKeyId: keyId, replacedKeyId: replaces },
    liveKey: toStore(issued),
    replacedEnd: ending?.end ?? null,
    revokesSandbox: false,
  }
  const isDecided = await deps.access.decide(accessRequestId, review, actOf(deps, accessRequestId, review))
  if (!isDecided) return decidedRequest(deps, accessRequestId)
  const replaced =
    old === null ? null : { keyId: old.keyId, endsAtMs: ending?.endsAtMs ?? endOf(old, decidedAtMs) }
  return { kind: 'approved', issued, replaced }
}

/** When an ended key ended. */
function endOf({ revokedAtMs, expiresAtMs }: KeyRecord, nowMs: number): number {
  return Math.min(revokedAtMs ?? nowMs, expiresAtMs ?? nowMs)
}

export interface RejectCommand extends DecideCommand {
  readonly revokesSandbox: boolean
}

export type RejectOutcome =
  Undecidable | { readonly kind: 'rejected'; readonly request: AccessRequest; readonly decidedAtMs: number }

export async function rejectAccess(
  deps: Pick<DecideDeps, 'access' | 'clock' | 'describe'>,
  { accessRequestId, decidedBy, note, revokesSandbox }: RejectCommand,
): Promise<RejectOutcome> {
  const request = await deps.access.find(accessRequestId)
  if (request === null) return { kind: 'unknown_request' }
  if (request.decision !== null) return { kind: 'decided', request }
  const decidedAtMs = deps.clock.nowMs()
  const review: AccessReview = {
    status: 'rejected',
    decision: { decidedAtMs, decidedBy, note, liveKeyId: null, replacedKeyId: null },
    liveKey: null,
    replacedEnd: null,
    revokesSandbox,
  }
  const isDecided = await deps.access.decide(accessRequestId, review, actOf(deps, accessRequestId, review))
  return isDecided ? { kind: 'rejected', request, decidedAtMs } : decidedRequest(deps, accessRequestId)
}

function actOf(
  { describe }: Pick<DecideDeps, 'describe'>,
  accessRequestId: string,
  { status, decision, revokesSandbox }: AccessReview,
): Act | undefined {
  const { decidedBy, liveKeyId, replacedKeyId } = decision
  return describe?.(decidedBy)({
    kind: 'access.decided',
    subject: accessRequestId,
    detail: {
      status,
      live_key_id: liveKeyId,
      replaced_key_id: replacedKeyId,
      revokes_sandbox: revokesSandbox ? 1 : 0,
    },
  })
}

/** Reads the request that another operator decided first. */
async function decidedRequest(
  { access }: Pick<DecideDeps, 'access'>,
  accessRequestId: string,
): Promise<Undecidable> {
  const request = await access.find(accessRequestId)
  return request === null ? { kind: 'unknown_request' } : { kind: 'decided', request }
}

/**
 * Authenticates a request, checks its scope and applies its rate limit, before the body is read. Where the commit asks for
 * the admission, the limit is applied with it.
 */

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../app/access/keys.ts'
import { callerOfKey, type Caller } from '../app/people/caller.ts'
import type { Limiter, OwedAdmission } from '../app/ports/limiter.ts'
import type { Metrics } from '../app/ports/metrics.ts'
import { StoreUnavailable, type Store } from '../app/ports/store.ts'
import type { Clock } from '../app/ports/system.ts'
import type { Admission, RateLimit } from '../core/time/rolling-window.ts'
import { clientGroup } from './client-address.ts'
import { publicWindows, refusalOf, type Access, type LimitName, type PublicWindow } from './access.ts'
import { sendProblem, unauthorized } from './errors.ts'
import { createPersonGuard, type Identified, type PersonGuardDeps } from './person-guard.ts'

export interface GuardDeps extends PersonGuardDeps {
  readonly authenticate: Authenticate
  readonly limiter: Limiter
  /** Counts for this process alone, without the database. */
  readonly ownLimiter: Limiter
  readonly limits: Readonly<Record<LimitName, RateLimit>>
  readonly metrics: Pick<Metrics, 'limited'>
  readonly store: Pick<Store, 'ahead' | 'keys'>
  readonly clock: Clock
}

/** All values of a header, from the raw headers: Node joins some repeated headers and drops others. */
export function headerValues(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? ''
    if (candidate.length === name.length && candidate.toLowerCase() === name)
      values.push(rawHeaders[index + 1] ?? '')
  }
  return values
}

/** The key, if all headers that carry one agree; null if there is none or two differ. */
function presentedKey(request: FastifyRequest): string | null {
  const presented = new Set(headerValues(request, 'x-api-key').map((value) => value.trim()))
  for (const value of headerValues(request, 'authorization')) {
    const bearer = /^bearer +(\S+)\s*$/i.exec(value)?.[1]
    if (bearer === undefined) return null
    presented.add(bearer)
  }
  const [key] = presented
  return presented.size === 1 && key !== undefined ? key : null
}

export type Guard = (request: FastifyRequest, reply: FastifyReply, access: Access) => Promise<Caller | null>

type IdentifyDeps = PersonGuardDeps & Pick<GuardDeps, 'authenticate'>

/** Null after sending an error. A key counts, not a session, if there are both. */
function createIdentify(deps: IdentifyDeps) {
  const personGuard = createPersonGuard(deps)
  return async (request: FastifyRequest, reply: FastifyReply, access: Access): Promise<Identified | null> => {
    const { cookie, authorization, 'x-api-key': apiKey } = request.headers
    const hasKey = authorization !== undefined || apiKey !== undefined
    if (!hasKey && cookie !== undefined) return personGuard(request, reply, access)
    const presented = presentedKey(request)
    const key = presented === null ? null : await deps.authenticate(presented)
    if (key !== null) return { caller: callerOfKey(key), refusal: null }
    reply.header('www-authenticate', 'Bearer realm="fairway"')
    sendProblem(reply, unauthorized)
    return null
  }
}

export type StillMay = (request: FastifyRequest, reply: FastifyReply, access: Access) => Promise<boolean>

/** For a request that has waited: false after sending an error, if the caller was refused now. Nothing is counted. */
export function createStillMay(deps: IdentifyDeps): StillMay {
  const identify = createIdentify(deps)
  return async (request, reply, access) => {
    const identified = await identify(request, reply, access)
    if (identified === null) return false
    const refusal = identified.refusal ?? refusalOf(identified.caller, access)
    if (refusal !== null) sendProblem(reply, refusal)
    return refusal === null
  }
}

/** Returns the caller, or null after sending an error. */
export function createGuard(deps: GuardDeps): Guard {
  const refusals = new Refusals(deps.clock)
  const identify = createIdentify(deps)

  return async (request, reply, access) => {
    const identified = await identify(request, reply, access)
    if (identified === null) return null
    const { caller } = identified
    // Also for the log of a refusal.
    request.caller = caller
    const limit = (access.limit === 'verify' ? caller.verifyLimit : null) ?? deps.limits[access.limit]
    const bucket = { name: access.limit, subject: caller.by.id, isPublic: false }
    const refusal = identified.refusal ?? refusalOf(caller, access)
    const isAllowed = refusal === null
    const isAdmittedLater = isAllowed && access.isAdmittedLater === true && deps.store.ahead !== null
    if (isAdmittedLater && !refusals.isRecent(bucket)) {
      request.owed = owedAdmission({ ...deps, refusals }, request, reply, { bucket, limit })
      return caller
    }
    if (!(await admit(deps, reply, bucket, limit))) {
      if (isAdmittedLater) refusals.add(bucket)
      return null
    }
    if (!isAllowed) {
      sendProblem(reply, refusal)
      return null
    }
    return caller
  }
}

interface Wanted {
  readonly bucket: Bucket
  readonly limit: RateLimit
}

/** A commit that asks for a refused admission fails for its whole batch, so a caller at its limit asks alone for a while. */
const askAloneMs = 1_000

class Refusals {
  readonly #clock: Clock
  /** By key, so they are as many as there are keys. */
  readonly #atMs = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add({ subject }: Bucket): void {
    this.#atMs.set(subject, this.#clock.monotonicMs())
  }

  isRecent({ subject }: Bucket): boolean {
    const atMs = this.#atMs.get(subject)
    if (atMs === undefined) return false
    const isRecent = this.#clock.monotonicMs() - atMs < askAloneMs
    if (!isRecent) this.#atMs.delete(subject)
    return isRecent
  }
}

/** Asked for at most once: by the commit, or before any other answer. */
function owedAdmission(
  deps: Pick<GuardDeps, 'limiter' | 'metrics'> & { readonly refusals: Refusals },
  request: FastifyRequest,
  reply: FastifyReply,
  { bucket, limit }: Wanted,
): OwedAdmission {
  const noted = (isAdmitted: boolean): boolean => {
    if (!isAdmitted) deps.refusals.add(bucket)
    return isAdmitted
  }
  return {
    handOver() {
      request.owed = null
      // Also on an answer that cannot say what is left, because the commit failed.
      reply.header('ratelimit-policy', policyOf(bucket, limit))
      return { bucket: nameOf(bucket), limit }
    },
    async settle() {
      request.owed = null
      return noted(await admit(deps, reply, bucket, limit))
    },
    take: (admission) => noted(applyAdmission(deps, reply, { bucket, limit }, admission)),
  }
}

/** Admits a request that failed before its commit. Returns what to report, or null if it was refused and answered. */
export async function settleOwed(request: FastifyRequest, failure: FastifyError): Promise<Error | null> {
  if (request.owed === null || failure instanceof StoreUnavailable) return failure
  try {
    return (await request.owed.settle()) ? failure : null
  } catch (error) {
    return error as Error
  }
}

export type PublicGuard = (
  request: FastifyRequest,
  reply: FastifyReply,
  window: PublicWindow,
) => Promise<boolean>

/** Counts requests to public routes by client address. Returns false after sending an error. */
export function createPublicGuard(
  deps: Pick<GuardDeps, 'limiter' | 'ownLimiter' | 'limits' | 'metrics'>,
): PublicGuard {
  return (request, reply, window) => {
    const {
      limit,
      isOwn,
      times = 1,
    }: { limit: LimitName; isOwn: boolean; times?: number } = publicWindows[window]
    const { count, windowMs } = deps.limits[limit]
    const bucket = { name: window, subject: clientGroup(request), isPublic: true }
    const limiter = isOwn ? deps.ownLimiter : deps.limiter
    return admit({ ...deps, limiter }, reply, bucket, { count: count * times, windowMs })
  }
}

interface Bucket {
  readonly name: string
  readonly subject: string
  /** Whether a caller without a key can create such a bucket. */
  readonly isPublic: boolean
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
const policyOf = ({ name }: Bucket, limit: RateLimit): string =>
  `"${name}";q=${limit.count};w=${seconds(limit.windowMs)}`
const nameOf = ({ name, subject }: Bucket): string => `${name}:${subject}`

async function admit(
  deps: Pick<GuardDeps, 'limiter' | 'metrics'>,
  reply: FastifyReply,
  bucket: Bucket,
  limit: RateLimit,
): Promise<boolean> {
  const admission = await deps.limiter.admit(nameOf(bucket), limit, bucket.isPublic)
  return applyAdmission(deps, reply, { bucket, limit }, admission)
}

/** Sets the headers that tell the state of the limit. Returns false after sending an error. */
function applyAdmission(
  { metrics }: Pick<GuardDeps, 'metrics'>,
  reply: FastifyReply,
  { bucket, limit }: Wanted,
  admission: Admission,
): boolean {
  const { name } = bucket
  const windowSeconds = seconds(limit.windowMs)
  // Rounding, and a clock that was set back, can make the rest longer than the window.
  const state = (remaining: number, ms: number): string =>
    `"${name}";r=${remaining};t=${Math.min(windowSeconds, seconds(ms))}`
  reply.header('ratelimit-policy', policyOf(bucket, limit))
  if (admission.admitted) {
    reply.header('ratelimit', state(admission.remaining, admission.resetMs))
    return true
  }
  metrics.limited(name)
  const retryAfterSeconds = seconds(admission.retryAfterMs)
  reply.header('ratelimit', state(0, admission.retryAfterMs))
  sendProblem(reply, {
    code: 'RATE_LIMITED',
    message: `Too many requests: the limit is ${limit.count} in ${windowSeconds} seconds. Retry in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  })
  return false
}

/** The caller of a keyed route. The guard has run, so there always is one. */
export function anyCallerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('a keyed route was reached without a caller')
  return caller
}

/** The owner whose policies a request is about; null for those of the installation. */
export function policyOwnerOf(request: FastifyRequest): string | null {
  return anyCallerOf(request).isInstallation ? null : callerOf(request).ownerId
}

/** The caller of a route with a scope, who always has an owner. */
export function callerOf(request: FastifyRequest): Caller & { readonly ownerId: string } {
  const caller = anyCallerOf(request)
  if (caller.ownerId === null) throw new Error('a route with a scope was reached without an owner')
  return caller as Caller & { readonly ownerId: string }
}

/** /api/v1/admin/access-requests: who asked for access, and the decisions. */

import { Type, type Static } from 'typebox'
import { approveAccess, rejectAccess } from '../../../app/access/access.ts'
import { rotationOverlapMsMax } from '../../../app/access/keys.ts'
import { accessRequestView, issuedView } from '../../../app/access/views.ts'
import { callerOfKey, scopesOf } from '../../../app/people/caller.ts'
import { actsBy } from '../../../app/operate/acts.ts'
import type { AccessRequest } from '../../../app/ports/identity/access.ts'
import type { KeyRecord } from '../../../app/ports/identity/keys.ts'
import type { Scope } from '../../../core/identity/api-key.ts'
import { iso } from '../../../core/time/durations.ts'
import { invalid, notFound, sendProblem, type FieldError, type Problem } from '../../errors.ts'
import { cursorRule, readCursor } from '../../input/paging.ts'
import { limits } from '../../limits.ts'
import { response } from '../../schemas/common.ts'
import {
  AccessRequestList,
  AccessRequestQuery,
  AccessRequestView,
  ApproveBody,
  ApprovedAccess,
  RejectBody,
} from './schemas.ts'
import type { App } from '../../types.ts'
import {
  adminOf,
  adminPath,
  beyondAdmin,
  common,
  config,
  errorsOfAction,
  errorsOfList,
  linkHeader,
  paged,
  readLimit,
  scopesSeenBy,
  type AdminDeps,
} from './common.ts'

const path = `${adminPath}/access-requests`
const params = Type.Object({ access_request_id: Type.String({ description: 'The id of a request.' }) })

const isRequestId = (text: string): boolean => /^acr_[0-9a-z]{26}$/.test(text)

export function registerAdminAccess(app: App, deps: AdminDeps): void {
  registerList(app, deps)
  registerApprove(app, deps)
  registerReject(app, deps)
}

function registerList(app: App, { store }: AdminDeps): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'accessRequests',
      summary: 'List access requests, newest first',
      querystring: AccessRequestQuery,
      response: { 200: response(AccessRequestList, 'limited', linkHeader), ...errorsOfList },
    },
    async handler(request, reply) {
      const { query } = request
      const { limit = limits.historyPageDefault, cursor, q = '', status = null } = query
      const before = cursor === undefined ? null : readCursor(cursor)
      if (before !== null && !isRequestId(before))
        return sendProblem(reply, invalid([{ path: '/cursor', message: cursorRule }]))
      const found = await store.access.page({ text: q.trim(), status, before, limit: limit + 1 })
      const idOf = (one: AccessRequest): string => one.accessRequestId
      const { page, nextCursor, link } = paged(found, { limit, idOf, path, query })
      if (link !== null) reply.header('link', link)
      return reply.send({ access_requests: page.map(accessRequestView), next_cursor: nextCursor })
    },
  })
}

const decided: Problem = {
  code: 'ADMIN_CONFLICT',
  message: 'This request was decided before, and a decision is final.',
}

function registerApprove(app: App, deps: AdminDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/:access_request_id/approve`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'approveAccess',
      summary: 'Approve a request and issue a live key',
      description:
        'The key is shown only in this response. Without `replaces` it belongs to a new owner, whose records the sandbox key of the request cannot read, and is a principal of its own. Its scopes are among those of your roles, without those to write or approve reviews and policies: without `scopes` all of these, or those that the replaced key has; others are 403, and an operator grants them with `fairway access approve`.',
      params,
      body: ApproveBody,
      response: { 200: response(ApprovedAccess, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { replaces = null, overlap_s: overlapS, note = null } = request.body
      const { access_request_id: accessRequestId } = request.params
      if (!isRequestId(accessRequestId)) return sendProblem(reply, notFound)
      const errors: FieldError[] = []
      const verifyLimit = readLimit(request.body.limit_verify, errors)
      if (overlapS !== undefined && replaces === null)
        errors.push({ path: '/overlap_s', message: 'needs replaces: without it no key expires' })
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const admin = adminOf(request, deps)
      const { personId } = admin
      const { access, keys } = deps.store
      const old = replaces === null ? null : await keys.find(replaces)
      const seen = scopesSeenBy(admin, old?.principalId ?? null)
      const granted = scopesOfApproval(request.body, old, seen)
      const excess = granted.filter((scope) => !seen.includes(scope))
      const command = `fairway access approve ${accessRequestId}`
      if (excess.length > 0) return sendProblem(reply, beyondAdmin(excess, command))
      const outcome = await approveAccess(
        { ...deps, access, keys, describe: (by) => actsBy(by, deps) },
        {
          accessRequestId,
          replaces,
          overlapMs: overlapS === undefined ? rotationOverlapMsMax : overlapS * 1000,
          // An empty list would be all scopes; the predecessor's are not empty.
          scopes: granted.length === 0 ? null : granted,
          verifyLimit,
          decidedBy: personId,
          note,
        },
      )
      if (outcome.kind === 'unknown_request') return sendProblem(reply, notFound)
      if (outcome.kind === 'unknown_key')
        return sendProblem(reply, invalid([{ path: '/replaces', message: 'there is no such key' }]))
      if (outcome.kind === 'decided') return sendProblem(reply, decided)
      return reply.send({
        access_request_id: accessRequestId,
        ...issuedView(outcome.issued),
        replaced_key_id: outcome.replaced?.keyId ?? null,
        replaced_key_ends_at: iso(outcome.replaced?.endsAtMs ?? null),
      })
    },
  })
}

/**
 * Without `scopes` the key of a new owner gets all that the admin may see, and a successor those of them that its
 * predecessor has. All of the predecessor's are returned, and refused, if the admin may see none of them.
 */
function scopesOfApproval(
  { scopes = [] }: Static<typeof ApproveBody>,
  old: KeyRecord | null,
  seen: readonly Scope[],
): readonly Scope[] {
  if (scopes.length > 0) return scopes
  if (old === null) return seen
  const former = scopesOf(callerOfKey(old))
  const shared = former.filter((scope) => seen.includes(scope))
  return shared.length === 0 ? former : shared
}

function registerReject(app: App, deps: AdminDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/:access_request_id/reject`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'rejectAccess',
      summary: 'Reject a request',
      params,
      body: RejectBody,
      response: { 200: response(AccessRequestView, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { revoke_sandbox: revokesSandbox = false, note = null } = request.body
      const { access_request_id: accessRequestId } = request.params
      if (!isRequestId(accessRequestId)) return sendProblem(reply, notFound)
      const { access } = deps.store
      const outcome = await rejectAccess(
        { ...deps, access, describe: (by) => actsBy(by, deps) },
        { accessRequestId, decidedBy: adminOf(request, deps).personId, note, revokesSandbox },
      )
      if (outcome.kind === 'unknown_request') return sendProblem(reply, notFound)
      if (outcome.kind === 'decided') return sendProblem(reply, decided)
      const after = await access.find(accessRequestId)
      return after === null ? sendProblem(reply, notFound) : reply.send(accessRequestView(after))
    },
  })
}

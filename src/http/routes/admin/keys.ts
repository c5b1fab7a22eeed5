/** /api/v1/admin/keys: the API keys of all owners. */

import { Type } from 'typebox'
import { isActive, issueKey, revokeKey, rotateKey, rotationOverlapMsMax } from '../../../app/access/keys.ts'
import { issuedView, keyView } from '../../../app/access/views.ts'
import { callerOfKey, scopesOf } from '../../../app/people/caller.ts'
import { expiresSoonMs } from '../../../core/identity/api-key.ts'
import { iso } from '../../../core/time/durations.ts'
import { invalid, notFound, sendProblem, type FieldError, type Problem } from '../../errors.ts'
import { cursorRule, readCursor } from '../../input/paging.ts'
import { limits } from '../../limits.ts'
import { isBlank, response } from '../../schemas/common.ts'
import {
  AdminKeyList,
  AdminKeyQuery,
  IssuedKey,
  IssueKeyBody,
  RevokedKey,
  RotatedKey,
  RotateKeyBody,
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

const path = `${adminPath}/keys`
const params = Type.Object({ key_id: Type.String({ description: 'The id of a key.' }) })

export function registerAdminKeys(app: App, deps: AdminDeps): void {
  registerList(app, deps)
  registerIssue(app, deps)
  registerRotate(app, deps)
  registerRevoke(app, deps)
}

const isKeyId = (text: string): boolean => /^key_[0-9a-z]{16}$/.test(text)

function registerList(app: App, { store, clock }: AdminDeps): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'adminKeys',
      summary: 'List the keys of all owners, newest first',
      querystring: AdminKeyQuery,
      response: { 200: response(AdminKeyList, 'limited', linkHeader), ...errorsOfList },
    },
    async handler(request, reply) {
      const { query } = request
      const { limit = limits.historyPageDefault, cursor, q = '', type = null, status = null } = query
      const before = cursor === undefined ? null : readCursor(cursor)
      // Keys are listed by time, which an id does not tell: after an unknown one the list would seem to end.
      if (before !== null && (!isKeyId(before) || (await store.keys.find(before)) === null))
        return sendProblem(reply, invalid([{ path: '/cursor', message: cursorRule }]))
      const nowMs = clock.nowMs()
      const expiresBeforeMs = query.expires_soon === 'true' ? nowMs + expiresSoonMs : null
      const wanted = { text: q.trim(), type, status, expiresBeforeMs, before, limit: limit + 1, nowMs }
      const found = await store.keys.page(wanted)
      const { page, nextCursor, link } = paged(found, { limit, idOf: (key) => key.keyId, path, query })
      if (link !== null) reply.header('link', link)
      return reply.send({ keys: page.map((key) => keyView(key, nowMs)), next_cursor: nextCursor })
    },
  })
}

function registerIssue(app: App, deps: AdminDeps): void {
  app.route({
    method: 'POST',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'issueKey',
      summary: 'Issue a key',
      description:
        'For a new owner, or a further key for an existing one. The key acts as the person who issues it: it is no second pair of eyes, and its scopes are among those of that person’s roles, all of them without `scopes`; others are 403. It is shown only in this response.',
      body: IssueKeyBody,
      response: { 200: response(IssuedKey, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { type, owner, owner_id: ownerId, scopes = [], limit_verify: limitText } = request.body
      const errors: FieldError[] = []
      const verifyLimit = readLimit(limitText, errors)
      if (owner !== undefined && isBlank(owner)) errors.push({ path: '/owner', message: 'must not be blank' })
      if (owner === undefined && ownerId === undefined)
        errors.push({ path: '/owner', message: 'name a new owner, or give owner_id' })
      const known =
        ownerId === undefined ? null : await deps.store.keys.findOwner(ownerId, deps.clock.nowMs())
      if (ownerId !== undefined && known === null)
        errors.push({ path: '/owner_id', message: 'there is no such owner' })
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const admin = adminOf(request, deps)
      const { personId, describe } = admin
      const seen = scopesSeenBy(admin, personId)
      const granted = scopes.length === 0 ? seen : scopes
      const excess = granted.filter((scope) => !seen.includes(scope))
      if (excess.length > 0) return sendProblem(reply, beyondAdmin(excess, 'fairway keys issue'))
      const issued = await issueKey(
        { ...deps, keys: deps.store.keys, describe },
        {
          prefix: type === 'live' ? 'pk_live_' : 'pk_test_',
          ownerLabel: owner ?? known?.name ?? '',
          scopes: granted,
          verifyLimit,
          actsAs: personId,
          ...(ownerId === undefined ? {} : { ownerId }),
        },
      )
      return reply.send(issuedView(issued))
    },
  })
}

const ended: Problem = {
  code: 'ADMIN_CONFLICT',
  message:
    'This key has expired or was revoked. Issue a new one, or approve an access request that replaces it.',
}

function registerRotate(app: App, deps: AdminDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/:key_id/rotate`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'rotateKey',
      summary: 'Replace a key by a new one',
      description:
        'The new key has the owner, the scopes, the limit and the principal of the old one. It is shown only in this response. 403 if the key may do what your roles lack, or writes or approves reviews or policies as somebody else: an operator rotates it with `fairway keys rotate`.',
      params,
      body: RotateKeyBody,
      response: { 200: response(RotatedKey, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { key_id: keyId } = request.params
      const { overlap_s: overlapS } = request.body
      const overlapMs = overlapS === undefined ? rotationOverlapMsMax : overlapS * 1000
      if (!isKeyId(keyId)) return sendProblem(reply, notFound)
      const admin = adminOf(request, deps)
      const { describe } = admin
      const old = await deps.store.keys.find(keyId)
      const isUsable = old !== null && isActive(old, deps.clock.nowMs())
      const seen = scopesSeenBy(admin, old?.principalId ?? null)
      const excess = isUsable ? scopesOf(callerOfKey(old)).filter((scope) => !seen.includes(scope)) : []
      if (excess.length > 0) return sendProblem(reply, beyondAdmin(excess, `fairway keys rotate ${keyId}`))
      const outcome = await rotateKey({ ...deps, keys: deps.store.keys, describe }, keyId, overlapMs)
      if (outcome.kind === 'unknown') return sendProblem(reply, notFound)
      if (outcome.kind === 'ended') return sendProblem(reply, ended)
      return reply.send({
        ...issuedView(outcome.issued),
        replaced_key_id: keyId,
        replaced_key_ends_at: iso(outcome.oldEndsAtMs),
      })
    },
  })
}

function registerRevoke(app: App, deps: AdminDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/:key_id/revoke`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description: 'Every instance refuses it within a second. A second revocation changes nothing.',
      params,
      response: { 200: response(RevokedKey, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { key_id: keyId } = request.params
      const { keys } = deps.store
      const { describe } = adminOf(request, deps)
      const isKnown = isKeyId(keyId) && (await revokeKey({ ...deps, keys, describe }, keyId))
      if (!isKnown) return sendProblem(reply, notFound)
      const key = await keys.find(keyId)
      return reply.send({ key_id: keyId, revoked_at: iso(key?.revokedAtMs ?? null) })
    },
  })
}

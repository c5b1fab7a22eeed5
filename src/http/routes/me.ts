/** GET /api/v1/me, the caller's own sessions, and the owners that an admin of the installation may choose. */

import { Type } from 'typebox'
import { scopesOf, type Caller } from '../../app/people/caller.ts'
import type { Sessions } from '../../app/people/sessions.ts'
import type { Store } from '../../app/ports/store.ts'
import type { Clock } from '../../app/ports/system.ts'
import { iso } from '../../core/time/durations.ts'
import { anyCallerOf } from '../auth.ts'
import { invalid, notFound, sendProblem } from '../errors.ts'
import { cursorRule, linkToNext, readCursor } from '../input/paging.ts'
import { limits } from '../limits.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { Ended, Me, OwnerList, OwnerQuery, SessionList } from '../schemas/people.ts'
import type { App } from '../types.ts'

export interface MeDeps {
  readonly store: Store
  readonly sessions: Sessions
  readonly clock: Clock
}

const common = { tags: ['Access'], security: keyed }

export function registerMe(app: App, { store, sessions, clock }: MeDeps): void {
  app.route({
    method: 'GET',
    url: '/api/v1/me',
    config: { access: { scope: null, limit: 'keyed' } },
    schema: {
      ...common,
      operationId: 'me',
      summary: 'Show who calls, and what the caller may do',
      response: { 200: response(Me, 'limited'), ...errorResponses('limited', 401, 403, 429, 500, 503) },
    },
    handler: async (request) => meView(anyCallerOf(request)),
  })
  registerSessions(app, sessions)
  registerOwners(app, store, clock)
}

/** How a caller is shown to itself. The owner is its own, whichever an admin has chosen. */
export function meView(caller: Caller) {
  const { by, roles, mode, signedIn, key, ownerName } = caller
  const ownerId = key?.ownerId ?? signedIn?.person.ownerId ?? null
  return {
    kind: key === null ? ('person' as const) : ('key' as const),
    id: by.id,
    name: by.name,
    owner_id: ownerId,
    owner_name: ownerId === null ? null : ownerName,
    roles: [...roles],
    scopes: scopesOf(caller),
    mode,
    ...(signedIn === null
      ? {}
      : {
          email: signedIn.person.email,
          session: {
            session_id: signedIn.session.sessionId,
            method: signedIn.session.method,
            expires_at: iso(signedIn.session.expiresAtMs),
          },
        }),
  }
}

function registerSessions(app: App, sessions: Sessions): void {
  const config = { access: { scope: null, limit: 'keyed', callers: 'people' } } as const
  const url = '/api/v1/me/sessions'
  app.route({
    method: 'GET',
    url,
    config,
    schema: {
      ...common,
      operationId: 'mySessions',
      summary: 'List your sessions',
      response: {
        200: response(SessionList, 'limited'),
        ...errorResponses('limited', 401, 403, 429, 500, 503),
      },
    },
    async handler(request) {
      const { by } = anyCallerOf(request)
      const listed = await sessions.list(by.id)
      return {
        sessions: listed.map((session) => ({
          session_id: session.sessionId,
          is_current: session.sessionId === by.sessionId,
          method: session.method,
          client_address: session.clientAddress,
          user_agent: session.userAgent,
          created_at: iso(session.createdAtMs),
          expires_at: iso(session.expiresAtMs),
          last_used_at: iso(session.lastUsedAtMs),
        })),
      }
    },
  })
  app.route({
    method: 'DELETE',
    url: `${url}/:session_id`,
    config,
    schema: {
      ...common,
      operationId: 'endMySession',
      summary: 'End one of your sessions',
      params: Type.Object({ session_id: Type.String() }),
      response: {
        200: response(Ended, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 404, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { session_id: sessionId } = request.params
      const isSession = /^ses_[0-9a-z]{26}$/.test(sessionId)
      const isEnded = isSession && (await sessions.end(anyCallerOf(request).by.id, sessionId))
      return isEnded ? { session_id: sessionId } : sendProblem(reply, notFound)
    },
  })
}

function registerOwners(app: App, { keys }: Store, clock: Clock): void {
  const url = '/api/v1/owners'
  app.route({
    method: 'GET',
    url,
    config: { access: { scope: null, limit: 'keyed', callers: 'admins' } },
    schema: {
      ...common,
      operationId: 'owners',
      summary: 'List the owners of the installation',
      description:
        'For admins of the installation. They name the owner that they act for in the header `X-Fairway-Owner` of each request.',
      querystring: OwnerQuery,
      response: {
        200: response(OwnerList, 'limited', {
          Link: { type: 'string', description: 'The next page, if any.' },
        }),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { cursor, limit = limits.historyPageDefault, query: text = '' } = request.query
      const after = cursor === undefined ? '' : readCursor(cursor)
      if (cursor !== undefined && !/^own_[0-9a-z]{16}$/.test(after))
        return sendProblem(reply, invalid([{ path: '/cursor', message: cursorRule }]))
      const found = await keys.owners({ text, after, limit: limit + 1, nowMs: clock.nowMs() })
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1)?.ownerId : undefined
      if (last !== undefined) reply.header('link', linkToNext(url, request.query, last))
      return reply.send({
        owners: page.map(({ ownerId, name, hasLiveKey }) => ({
          owner_id: ownerId,
          name,
          has_live_key: hasLiveKey,
        })),
        next_cursor: last === undefined ? null : Buffer.from(last).toString('base64url'),
      })
    },
  })
}

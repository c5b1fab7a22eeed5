/** GET /api/v1/audit/{id}/proof and GET /api/v1/audit/checkpoint: inclusion and consistency proofs of the log. */

import { Type } from 'typebox'
import { behindOrThrow } from '../../app/followers/journal.ts'
import { newestCheckpoint, proveConsistency, proveSealed } from '../../app/log/proof.ts'
import type { Store } from '../../app/ports/store.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, notFound, sendProblem } from '../errors.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { AuditProof, CheckpointAnswer } from '../schemas/log.ts'

export interface LogDeps {
  readonly store: Store
  readonly sealNow: () => Promise<void>
}

export function registerLog(app: App, deps: LogDeps): void {
  registerProof(app, deps)
  registerCheckpoint(app, deps)
}

function registerProof(app: App, deps: LogDeps): void {
  const { store } = deps
  app.route({
    method: 'GET',
    url: '/api/v1/audit/:id/proof',
    config: { access: { scope: 'audit:read', limit: 'keyed' } },
    schema: {
      operationId: 'auditProof',
      tags: ['Records'],
      summary: 'Prove that a record is in the log',
      description:
        'Hash paths (RFC 6962) from the record and its override to the root that the checkpoint signs. With a stored checkpoint you can prove later that neither was changed.',
      security: keyed,
      params: Type.Object({ id: Type.String({ description: 'The `request_id` of a verify response.' }) }),
      response: {
        200: response(AuditProof, 'limited'),
        ...errorResponses('limited', 401, 403, 404, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const parsed = parseRequestId(request.params.id)
      const record = parsed === null ? null : await store.forOwner(callerOf(request).ownerId).find(parsed.id)
      if (record === null) return sendProblem(reply, notFound)
      return { request_id: record.requestId, ...(await proveSealed(deps, { ...record, record })) }
    },
  })
}

function registerCheckpoint(app: App, deps: LogDeps): void {
  const { store } = deps
  app.route({
    method: 'GET',
    url: '/api/v1/audit/checkpoint',
    config: { publicWindow: 'checkpoint' },
    schema: {
      operationId: 'auditCheckpoint',
      tags: ['Records'],
      summary: 'Get the latest checkpoint of the log',
      description:
        'Public. With `from`, also returns the proof that the log still contains everything that the earlier checkpoint signed.',
      querystring: Type.Object({
        from: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The `tree_size` of an earlier checkpoint.',
          }),
        ),
      }),
      response: {
        200: response(CheckpointAnswer, 'limited'),
        ...errorResponses('limited', 400, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { from } = request.query
      const checkpoint = await currentCheckpoint(deps)
      const size = checkpoint?.tree_size ?? 0
      if (from === undefined) return { checkpoint, consistency: null }
      if (from > size) {
        const message = `must be at most ${size}, the size of the log`
        return sendProblem(reply, invalid([{ path: '/from', message }]))
      }
      return { checkpoint, consistency: await proveConsistency(store, from, size) }
    },
  })
}

/** A checkpoint says itself how far it goes, so an older one is an answer while the log is behind. */
async function currentCheckpoint({ store, sealNow }: LogDeps): ReturnType<typeof newestCheckpoint> {
  const behind = await sealNow().then(() => null, behindOrThrow)
  const checkpoint = await newestCheckpoint(store)
  if (checkpoint === null && behind !== null) throw behind
  return checkpoint
}

/** GET /api/v1/audit/{id}/proof and GET /api/v1/audit/checkpoint: that a record is in the log, and that the log only grew. */

import { Type } from 'typebox'
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
  const { store } = deps
  app.route({
    method: 'GET',
    url: '/api/v1/audit/:id/proof',
    config: { access: { scope: 'audit:read', limit: 'keyed' } },
    schema: {
      operationId: 'auditProof',
      tags: ['Records'],
      summary: 'The proof that a record is in the log',
      description:
        'A path of hashes (RFC 6962) from the record to the root that the checkpoint signs, and the same for its override. Who keeps the checkpoint can show later that neither was changed.',
      security: keyed,
      params: Type.Object({ id: Type.String({ description: 'The `request_id` of a verify answer.' }) }),
      response: {
        200: response(AuditProof, 'limited'),
        ...errorResponses('limited', 401, 403, 404, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const parsed = parseRequestId(request.params.id)
      const record = parsed === null ? null : await store.forOwner(callerOf(request).ownerId).find(parsed.id)
      if (record === null) return sendProblem(reply, notFound)
      return { request_id: record.requestId, ...(await proveSealed(deps, record, record.override)) }
    },
  })
  app.route({
    method: 'GET',
    url: '/api/v1/audit/checkpoint',
    schema: {
      operationId: 'auditCheckpoint',
      tags: ['Records'],
      summary: 'The newest checkpoint of the log',
      description:
        'Public. With `from`, also the proof that the log still begins with what an earlier checkpoint signed.',
      querystring: Type.Object({
        from: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The `tree_size` of an earlier checkpoint.',
          }),
        ),
      }),
      response: { 200: response(CheckpointAnswer, 'free'), ...errorResponses('free', 400, 500, 503) },
    },
    async handler(request, reply) {
      const { from } = request.query
      const checkpoint = (await newestCheckpoint(store)) ?? (await firstCheckpoint(deps))
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

/** Of a service that was started a moment ago. */
async function firstCheckpoint({ store, sealNow }: LogDeps): ReturnType<typeof newestCheckpoint> {
  await sealNow()
  return newestCheckpoint(store)
}

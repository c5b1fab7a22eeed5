/** GET /api/v1/audit/{request_id}: the record of one decision. */

import { Type } from 'typebox'
import type { Store } from '../../app/ports/store.ts'
import { auditRecord } from '../../app/inspect/record-wire.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { notFound, sendProblem } from '../errors.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { AuditRecord } from '../schemas/records.ts'

export function registerAudit(app: App, store: Store): void {
  app.route({
    method: 'GET',
    url: '/api/v1/audit/:request_id',
    config: { access: { scope: 'audit:read', limit: 'keyed' } },
    schema: {
      operationId: 'audit',
      tags: ['Records'],
      summary: 'Get the record of a decision',
      security: keyed,
      params: Type.Object({
        request_id: Type.String({ description: 'The `request_id` of a verify response.' }),
      }),
      response: {
        200: response(AuditRecord, 'limited'),
        ...errorResponses('limited', 401, 403, 404, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const parsed = parseRequestId(request.params.request_id)
      const record = parsed === null ? null : await store.forOwner(callerOf(request).ownerId).find(parsed.id)
      return record === null ? sendProblem(reply, notFound) : auditRecord(record)
    },
  })
}

/** GET /api/v1/audit/export/{id}: the evidence bundle of one decision, as a download. */

import { Type } from 'typebox'
import { bundleJson, bundleOf } from '../../app/audit/bundle.ts'
import { toCsv } from '../../app/audit/csv-form.ts'
import { openDecisionFile } from '../../app/inspect/decision-file.ts'
import { verifierKey } from '../../app/log/checkpoint.ts'
import type { Signing } from '../../app/log/installation-key.ts'
import { proveSealed, type ProofMember } from '../../app/log/proof.ts'
import type { App, AppDeps } from '../types.ts'
import { callerOf } from '../auth.ts'
import { notFound, sendProblem } from '../errors.ts'
import { chooseFormat, mediaTypes } from '../input/media.ts'
import type { LogDeps } from './log.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { AuditBundle } from '../schemas/intelligence.ts'

const ExportQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'The response format. Defaults to the `Accept` header, then JSON.',
    }),
  ),
})

export function registerExport(app: App, deps: LogDeps & Pick<AppDeps, 'clock' | 'key'>): void {
  const { store, clock } = deps
  app.route({
    method: 'GET',
    url: '/api/v1/audit/export/:id',
    config: { access: { scope: 'audit:read', limit: 'keyed' } },
    schema: {
      operationId: 'exportAudit',
      tags: ['Records'],
      summary: 'Export the evidence bundle of a decision',
      description:
        'Contains the record, its explanation and timeline, and hashes that anyone can recompute, signed by the key of the log. `fairway audit verify FILE` verifies the bundle offline and reports changes.',
      security: keyed,
      params: Type.Object({ id: Type.String({ description: 'The `request_id` of a verify response.' }) }),
      querystring: ExportQuery,
      response: {
        200: response(
          {
            description: 'The bundle. In CSV, one line per value, with its JSON pointer and type.',
            content: {
              'application/json': { schema: AuditBundle },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          'limited',
          { 'Content-Disposition': { type: 'string', description: 'A suggested file name.' } },
        ),
        ...errorResponses('limited', 400, 401, 403, 404, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const file = await openDecisionFile(store.forOwner(callerOf(request).ownerId), request.params.id)
      if (file === null) return sendProblem(reply, notFound)
      const format = chooseFormat(request, reply, request.query.format)
      const { signing } = await deps.key()
      const proof = await provedBy(signing, deps, file)
      const exported = { atMs: clock.nowMs(), proof, signing }
      return reply
        .type(mediaTypes[format])
        .header('content-disposition', `attachment; filename="audit-${file.record.requestId}.${format}"`)
        .send(format === 'csv' ? toCsv(bundleOf(file, exported)) : bundleJson(file, exported))
    },
  })
}

/** After a change of the key, the newest checkpoint may still be by the earlier one: the change itself is sealed then. */
async function provedBy(
  { origin, signer }: Signing,
  deps: LogDeps,
  file: Parameters<typeof proveSealed>[1],
): Promise<ProofMember> {
  const proof = await proveSealed(deps, file)
  if (proof.checkpoint?.verifier_key === verifierKey(origin, signer.publicKey)) return proof
  await deps.sealNow()
  return proveSealed(deps, file)
}

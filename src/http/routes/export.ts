/** GET /api/v1/audit/export/{id}: the evidence bundle of one decision, as a download. */

import { Type } from 'typebox'
import { bundleJson, bundleOf } from '../../app/audit/bundle.ts'
import { toCsv } from '../../app/audit/csv-form.ts'
import { withheld } from '../../app/audit/withheld.ts'
import { openDecisionFile } from '../../app/inspect/decision-file.ts'
import type { Signing } from '../../app/log/installation-key.ts'
import { proveSealed, type ProofMember } from '../../app/log/proof.ts'
import { StoreUnavailable } from '../../app/ports/store.ts'
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

export function registerExport(
  app: App,
  deps: LogDeps & Pick<AppDeps, 'clock' | 'key' | 'policyLibrary' | 'mask'>,
): void {
  const { store, clock, policyLibrary, mask } = deps
  app.route({
    method: 'GET',
    url: '/api/v1/audit/export/:id',
    config: { access: { scope: 'audit:read', limit: 'keyed' } },
    schema: {
      operationId: 'exportAudit',
      tags: ['Records'],
      summary: 'Export the evidence bundle of a decision',
      description:
        'Contains the record, the policies that it was decided under, its explanation and timeline, and hashes that anyone can recompute, signed by the key of the log. `fairway audit verify FILE` verifies the bundle offline and reports changes.',
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
      const records = store.forOwner(callerOf(request).ownerId)
      const found = await openDecisionFile(records, policyLibrary, request.params.id)
      if (found === null) return sendProblem(reply, notFound)
      const file = withheld(found, await mask())
      const format = chooseFormat(request, reply, request.query.format)
      const exported = { atMs: clock.nowMs(), ...(await provedAndSigned(deps, file)) }
      return reply
        .type(mediaTypes[format])
        .header('content-disposition', `attachment; filename="audit-${file.record.requestId}.${format}"`)
        .send(format === 'csv' ? toCsv(bundleOf(file, exported)) : bundleJson(file, exported))
    },
  })
}

/**
 * Signs with the key of the newest checkpoint, whichever of those that are held here it is: instances may differ while a
 * key is replaced. A key of which nothing is known here signed before ours did: ours then seals its own entry.
 */
async function provedAndSigned(
  deps: LogDeps & Pick<AppDeps, 'key'>,
  file: Parameters<typeof proveSealed>[1],
): Promise<{ proof: ProofMember; signing: Signing }> {
  const { held, signing } = await deps.key()
  for (const prepare of [() => Promise.resolve(), deps.sealNow]) {
    await prepare()
    const proof = await proveSealed(deps, file)
    const known = proof.checkpoint === null ? signing : held.get(proof.checkpoint.verifier_key ?? '')
    if (known !== undefined) return { proof, signing: known }
  }
  throw new StoreUnavailable('exports: the newest checkpoint is by a key that this instance does not have')
}

/** What somebody can do who knows how an export is made, and has a key of his own but not that of the log. */

import { integrityOf, type Bundle, type Evidence, type Integrity } from '../../src/app/audit/bundle.ts'
import { signExport } from '../../src/app/audit/signature.ts'
import { signerOf } from '../../src/app/log/checkpoint.ts'

const forger = { origin: 'fairway/forger', signer: signerOf(Buffer.alloc(32, 5)) }

/** The hashes of changed evidence, mended and signed anew. */
export function forgedIntegrity(bundle: Evidence & Partial<Bundle>): Integrity {
  const { proof: _proof, integrity: _old, ...evidence } = bundle
  const integrity = integrityOf(evidence)
  const signed = {
    requestId: String(evidence.record['request_id']),
    bundleHash: integrity.bundle_hash,
    exportedAt: evidence.exported_at,
  }
  return evidence.export_version < 5 ? integrity : { ...integrity, signature: signExport(signed, forger) }
}

/** Checks the signatures of a bundle: over its place in the log, and over the export as a whole. */

import { signedExportsFrom } from '../../core/decision/engine.ts'
import { isObject } from '../../core/reference/json.ts'
import type { Checkpoint, Verifier } from '../log/checkpoint.ts'
import { checkProof, isInLog } from '../log/verify-proof.ts'
import type { Bundle } from './bundle.ts'
import { signatureFault } from './signature.ts'

export interface Finding {
  /** JSON pointer into the bundle. */
  readonly path: string
  readonly message: string
}

export interface Seal {
  readonly checkpoint: Checkpoint
  readonly leafIndex: number
  readonly verifierKey: string
  /** The record is sealed but its override is not yet. */
  readonly isOverridePending: boolean
}

/** Verifies that the record is in a signed log. With a trusted key, a proof is required. */
export function sealOf(bundle: Bundle, trusted: Verifier | null): { findings: Finding[]; seal: Seal | null } {
  const { proof, record, human_override: override, outcome } = bundle
  if (!isObject(proof)) {
    const isRequired = trusted !== null || bundle.export_version >= 3
    return { findings: isRequired ? [{ path: '/proof', message: 'is missing' }] : [], seal: null }
  }
  const { findings: inProof, checkpoint } = checkProof(proof, { record, override, outcome }, trusted)
  const findings = inProof.map(({ path, message }) => ({ path: `/proof${path}`, message }))
  const leaf = proof['record']
  if (trusted !== null && leaf === null)
    findings.push({ path: '/proof', message: 'was pending when this was exported' })
  // Only its leaf proves that an override was recorded; without it, anyone could have added it to the file.
  const isOverridePending = leaf !== null && proof['override'] === null && (override ?? null) !== null
  if (trusted !== null && isOverridePending)
    findings.push({
      path: '/proof/override',
      message: 'was pending when this was exported: nothing proves that it was recorded',
    })
  if (trusted !== null && isInLog(outcome) && (proof['outcome'] ?? null) === null)
    findings.push({
      path: '/proof/outcome',
      message: 'was pending when this was exported: nothing proves that it was reported',
    })
  const isProven = findings.length === 0 && checkpoint !== null && isObject(leaf)
  if (!isProven) return { findings, seal: null }
  const { verifierKey } = checkpoint
  const leafIndex = Number(leaf['leaf_index'])
  return { findings, seal: { checkpoint, leafIndex, verifierKey, isOverridePending } }
}

const signedFromVersion = 5
const signaturePath = '/integrity/signature'

/**
 * A bundle that must be signed and is not was forged, whatever version it says that it has. The hash that is signed is the
 * one in the file: whether it is that of the contents is checked elsewhere.
 */
export function checkSignature(
  bundle: Bundle,
  trusted: Verifier | null,
): { findings: Finding[]; isSigned: boolean } {
  const { signature, bundle_hash: bundleHash } = bundle.integrity
  if (signature === undefined) {
    const isRequired = bundle.export_version >= signedFromVersion || isOfSignedRevision(bundle.record)
    const message = 'is missing: exports of this record are signed'
    return { findings: isRequired ? [{ path: signaturePath, message }] : [], isSigned: false }
  }
  const { record, exported_at: exportedAt } = bundle
  const signed = { requestId: String(record['request_id']), bundleHash, exportedAt }
  const fault = signatureFault(signature, signed, trusted) ?? otherKeyFault(bundle)
  return {
    findings: fault === null ? [] : [{ path: signaturePath, message: fault }],
    isSigned: fault === null,
  }
}

/** Log and export are signed by one key: else a reader would take the key of the one for that of the other. */
function otherKeyFault({ proof, integrity }: Bundle): string | null {
  const checkpoint = isObject(proof) ? proof['checkpoint'] : null
  const { signature } = integrity
  if (!isObject(checkpoint) || !isObject(signature)) return null
  return checkpoint['verifier_key'] === signature['verifier_key']
    ? null
    : 'is by another key than the checkpoint'
}

/** The revision is in the evidence, which the log seals: it cannot be taken back with the signature. */
function isOfSignedRevision({ evidence }: Bundle['record']): boolean {
  return isObject(evidence) && Number(evidence['revision']) >= signedExportsFrom
}

export interface Coverage {
  /** Whether the export is signed as a whole. */
  readonly isSigned: boolean
  readonly covered: readonly string[]
  readonly notCovered: readonly string[]
}

export function coverageOf(seal: Seal | null, isSigned: boolean): Coverage {
  const sealed = 'the record, as it was sealed in the log'
  const whole = 'all of this export, as it was when it was exported'
  const rest = 'override, outcome and explanation: an export before version 5 is not signed as a whole'
  const since = 'what was recorded after the export'
  return {
    isSigned,
    covered: [...(seal === null ? [] : [sealed]), ...(isSigned ? [whole] : [])],
    notCovered: [...(seal === null ? [sealed] : []), ...(isSigned ? [] : [rest]), since],
  }
}

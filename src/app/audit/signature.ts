/** Signs an export or archive as a whole with the log's key, and checks that: a signed note over its hash and its time. */

import { isTextSignedBy, readVerifierKey, signedText, verifierKey, type Verifier } from '../log/checkpoint.ts'
import type { Signing } from '../log/installation-key.ts'
import { isObject } from '../../core/reference/json.ts'

export interface ExportSignature {
  readonly verifier_key: string
  readonly note: string
}

/** The signed values: with the hash everything that it covers, and the time of the export. */
interface Signed {
  readonly requestId: string
  readonly bundleHash: string
  readonly exportedAt: string
}

const form = 'fairway/export/1'

const textOf = ({ requestId, bundleHash, exportedAt }: Signed): string =>
  `${form}\n${requestId}\n${bundleHash}\n${exportedAt}\n`

export function signExport(signed: Signed, signing: Signing): ExportSignature {
  return signatureOver(textOf(signed), signing)
}

/** Of a text that ends with a line end. */
export function signatureOver(text: string, { origin, signer }: Signing): ExportSignature {
  return { verifier_key: verifierKey(origin, signer.publicKey), note: signedText(text, origin, signer) }
}

export function signatureFault(member: unknown, signed: Signed, trusted: Verifier | null): string | null {
  return faultOver(member, textOf(signed), trusted)
}

/** Null if the signature is that of a trusted key or, without one, of the key that it names. */
export function faultOver(member: unknown, text: string, trusted: Verifier | null): string | null {
  const { verifier_key: key, note } = isObject(member) ? member : {}
  const named = typeof key === 'string' ? readVerifierKey(key) : null
  const hasOthers = isObject(member) && Object.keys(member).length !== 2
  if (named === null || typeof note !== 'string' || hasOthers) return 'is not a valid signature'
  if (!isTextSignedBy(note, text, trusted ?? named)) {
    return trusted === null ? 'does not sign this export' : 'is not that of the trusted key over this export'
  }
  const isNamed = trusted === null || verifierKey(trusted.origin, trusted.publicKey) === key
  return isNamed ? null : 'names another key than the trusted one'
}

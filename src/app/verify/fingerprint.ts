/** The fingerprint by which two bodies under one idempotency key are told apart. */

import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Mode } from '../../core/identity/api-key.ts'

/** Of the body as it was sent, less the key itself, and of the mode: the same payment asked twice, in any layout. */
export function fingerprintOf(body: Readonly<Record<string, unknown>>, mode: Mode): string {
  const { idempotency_key: _key, ...rest } = body
  return hash('sha256', `${mode}\n${canonicalize(rest) ?? ''}`, 'base64url')
}

/** Encrypts secrets at rest: AES-256-GCM under a key derived from the installation's own. */

import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto'
import type { Random } from '../ports/system.ts'

export interface SecretBox {
  /** Encrypts under the newest key. It opens only for what it belongs to. */
  seal(text: string, belongsTo: string): string
  /** Null if no key opens it. A text that was never encrypted is returned as it is. */
  open(stored: string, belongsTo: string): string | null
  /** Whether it is encrypted under the newest key. */
  isCurrent(stored: string): boolean
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const sealedForm = /^sealed1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/

interface BoxKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** Newest first. */
export function createSecretBox(seeds: readonly Uint8Array[], random: Random): SecretBox {
  const keys = seeds.map(boxKeyOf)
  const [newest] = keys
  if (newest === undefined) throw new Error('a secret box needs a key')
  return {
    seal(text, belongsTo) {
      const nonce = random.bytes(nonceBytes)
      const cipher = createCipheriv(algorithm, newest.bytes, nonce).setAAD(Buffer.from(belongsTo))
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `sealed1.${newest.id}.${bytes.toString('base64url')}`
    },
    open(stored, belongsTo) {
      const [, id, encoded] = sealedForm.exec(stored) ?? []
      if (id === undefined || encoded === undefined) return stored
      const bytes = Buffer.from(encoded, 'base64url')
      const key = keys.find((one) => one.id === id)
      return key === undefined ? null : opened(key, bytes, belongsTo)
    },
    isCurrent: (stored) => sealedForm.exec(stored)?.[1] === newest.id,
  }
}

/** Null if the bytes were changed, or belong to something else. */
function opened({ bytes: key }: BoxKey, bytes: Buffer, belongsTo: string): string | null {
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(belongsTo))
      .setAuthTag(bytes.subarray(-tagBytes))
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** The id tells which key was used, and nothing of the key. */
function boxKeyOf(seed: Uint8Array): BoxKey {
  const bytes = new Uint8Array(hkdfSync('sha256', seed, '', 'fairway/webhook-secrets/1', 32))
  return { bytes, id: hash('sha256', bytes, 'hex').slice(0, 8) }
}

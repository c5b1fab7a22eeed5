/**
 * Signs and reads checkpoints: the log's size and root hash as a signed note.
 * Formats: https://c2sp.org/signed-note and https://c2sp.org/tlog-checkpoint.
 */

import { createPrivateKey, createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto'
import { isHash } from '../ports/log.ts'
import type { Hash } from './merkle.ts'

export interface Checkpoint {
  /** The log's name. It does not change with the key. */
  readonly origin: string
  readonly size: number
  readonly root: Hash
  /** The size of the previous checkpoint, so that removing one is detected; null for the first. */
  readonly previous: number | null
  readonly madeAtMs: number
}

/** Ed25519. */
export interface Signer {
  readonly publicKey: Buffer
  sign(text: string): Buffer
}

export const seedBytes = 32
const publicKeyBytes = 32
const signatureBytes = 64
const keyHashBytes = 4
/** The signature type of Ed25519 in a signed note. */
const ed25519 = Buffer.from([1])

/** DER prefixes of the 32 key bytes (RFC 8410): Node reads PKCS #8 and SubjectPublicKeyInfo, not raw keys. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export function signerOf(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return { publicKey: spki.subarray(-publicKeyBytes), sign: (text) => sign(null, Buffer.from(text), key) }
}

function publicKeyOf(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' })
}

function keyHash(name: string, publicKey: Uint8Array): Buffer {
  const input = Buffer.concat([Buffer.from(`${name}\n`), ed25519, publicKey])
  return hash('sha256', input, 'buffer').subarray(0, keyHashBytes)
}

/** The log's name and public key, for verifiers. */
export function verifierKey(origin: string, publicKey: Uint8Array): string {
  const bytes = Buffer.concat([ed25519, publicKey]).toString('base64')
  return `${origin}+${keyHash(origin, publicKey).toString('hex')}+${bytes}`
}

export interface Verifier {
  readonly origin: string
  readonly publicKey: Buffer
}

/** Null if the text is not a verifier key. Only the canonical form is accepted. */
export function readVerifierKey(text: string): Verifier | null {
  const [, origin, bytes] = /^([^\s+]+)\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44})$/.exec(text) ?? []
  if (origin === undefined || bytes === undefined) return null
  const publicKey = Buffer.from(bytes, 'base64').subarray(1)
  return verifierKey(origin, publicKey) === text ? { origin, publicKey } : null
}

/** The last lines are extensions: the size of the previous checkpoint and the time. */
function bodyOf({ origin, size, root, previous, madeAtMs }: Checkpoint): string {
  const previousLine = previous === null ? '' : `previous ${previous}\n`
  return `${origin}\n${size}\n${root}\n${previousLine}time ${new Date(madeAtMs).toISOString()}\n`
}

export function signedNote(checkpoint: Checkpoint, signer: Signer): string {
  return signedText(bodyOf(checkpoint), checkpoint.origin, signer)
}

/** A signed note with this text, which ends with a line end. */
export function signedText(text: string, origin: string, signer: Signer): string {
  const signature = Buffer.concat([keyHash(origin, signer.publicKey), signer.sign(text)])
  return `${text}\n\u2014 ${origin} ${signature.toString('base64')}\n`
}

const signatureLine = /^\u2014 [^\s+]+ [A-Za-z0-9+/=]+$/

const noteForm =
  /^([^\s+]+)\n(0|[1-9]\d{0,15})\n(\S{44})\n(?:previous (0|[1-9]\d{0,15})\n)?time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\n\n((?:\u2014 [^\s+]+ [A-Za-z0-9+/=]+\n)+)$/

/** The checkpoint in a note; null if the note is not a checkpoint. Does not check the signature: see `isSignedBy`. */
export function readNote(note: string): Checkpoint | null {
  const [, origin, size, root, previous, time] = noteForm.exec(note) ?? []
  if (origin === undefined || !isHash(root)) return null
  const checkpoint = {
    origin,
    size: Number(size),
    root,
    previous: previous === undefined ? null : Number(previous),
    madeAtMs: Date.parse(String(time)),
  }
  // The pattern also matches impossible dates, such as month 13.
  const areNumbers = Number.isSafeInteger(checkpoint.size) && Number.isSafeInteger(checkpoint.madeAtMs)
  return areNumbers && note.startsWith(bodyOf(checkpoint)) ? checkpoint : null
}

/** The verifiers for the keys of a log. */
export function verifiersOf(origin: string, keys: readonly { readonly publicKey: string }[]): Verifier[] {
  return keys.map(({ publicKey }) => ({ origin, publicKey: Buffer.from(publicKey, 'base64') }))
}

export function isSignedBy(note: string, verifier: Verifier): boolean {
  const checkpoint = readNote(note)
  if (checkpoint === null || checkpoint.origin !== verifier.origin) return false
  return isTextSignedBy(note, bodyOf(checkpoint), verifier)
}

/** Whether the note has exactly this text, and one of its signatures is the verifier's. */
export function isTextSignedBy(note: string, text: string, verifier: Verifier): boolean {
  if (!note.startsWith(`${text}\n`)) return false
  const lines = note.slice(text.length + 1).split('\n')
  // Every line ends, and each is a signature: nothing else may stand in a note.
  if (lines.pop() !== '' || !lines.every((line) => signatureLine.test(line))) return false
  const expectedKeyHash = keyHash(verifier.origin, verifier.publicKey)
  return lines.some((line) => {
    const [, name, encoded = ''] = line.split(' ')
    const bytes = Buffer.from(encoded, 'base64')
    return (
      // Compare exactly: base64 can encode the last byte in several ways, and the name is not signed.
      name === verifier.origin &&
      bytes.toString('base64') === encoded &&
      bytes.length === keyHashBytes + signatureBytes &&
      bytes.subarray(0, keyHashBytes).equals(expectedKeyHash) &&
      verify(null, Buffer.from(text), publicKeyOf(verifier.publicKey), bytes.subarray(keyHashBytes))
    )
  })
}

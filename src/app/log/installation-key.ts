/**
 * The installation's own key: it signs the log, and webhook secrets are encrypted under a key derived from it. It comes
 * from the settings, from a file, or from the database, where earlier versions kept it and where it lies if there is no
 * other place. The newest key signs and encrypts; earlier ones only open what was encrypted under them.
 */

import { readSealKeys } from '../../core/identity/seal-keys.ts'
import { actsBy } from '../operate/acts.ts'
import { maskKeyOf } from '../operate/mask.ts'
import type { KeyFile } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Clock, Random } from '../ports/system.ts'
import {
  isSignedBy,
  readNote,
  seedBytes,
  signerOf,
  verifierKey,
  verifiersOf,
  type Signer,
} from './checkpoint.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'

export interface InstallationKeyDeps {
  readonly store: Pick<Store, 'log' | 'acts'>
  readonly clock: Clock
  readonly random: Random
  /** From the settings, newest first. */
  readonly keys: readonly string[]
  /** Null: a generated key is kept in the database. */
  readonly file: KeyFile | null
}

/** The key that signs, and the log's name. */
export interface Signing {
  readonly origin: string
  readonly signer: Signer
}

type KeyPlace = 'settings' | 'file' | 'database'

export interface InstallationKey {
  readonly signing: Signing
  /** Those of all keys that are held here, by their verifier key. */
  readonly held: ReadonlyMap<string, Signing>
  readonly box: SecretBox
  /** The key of masked values in logs and exports. */
  readonly maskKey: Uint8Array
  readonly place: KeyPlace
  /** Whether the database holds a key, in use or not. */
  readonly isStored: boolean
  /** The verifier key of the last checkpoint, if another key signed it. */
  readonly changedFrom: string | null
}

/** Opened at the first call. */
export function lazyInstallationKey(deps: InstallationKeyDeps): () => Promise<InstallationKey> {
  let opened: Promise<InstallationKey> | null = null
  return () => {
    opened ??= openInstallationKey(deps).catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
}

/** Generates a key if there is none. The first key names the log. */
export async function openInstallationKey(deps: InstallationKeyDeps): Promise<InstallationKey> {
  const { store, clock, random } = deps
  const found = (await findKeys(deps)) ?? (await generate(deps))
  const [newest = ''] = found.keys
  const signer = signerOf(bytesOf(newest))
  const publicKey = Buffer.from(signer.publicKey).toString('base64')
  if (!(await store.log.keys()).some((key) => key.publicKey === publicKey)) {
    const seed = found.place === 'database' ? newest : null
    await store.log.addKey({ publicKey, seed, createdAtMs: clock.nowMs() }, originOf(publicKey))
    // Another instance may have been first; its key then applies.
    if (found.place === 'database') return openInstallationKey(deps)
  }
  const { origin, note } = await store.log.head()
  if (origin === null) throw new Error('the log has no origin in log_head')
  const signing = { origin, signer }
  const changedFrom = await previousKey(deps, signing, note)
  // The change becomes an entry, so that a checkpoint by the new key follows at once.
  if (changedFrom !== null) await recordChange(deps, { from: changedFrom, signing })
  const box = createSecretBox(found.keys.map(bytesOf), random)
  const held = new Map(found.keys.map((key) => heldSigning(origin, key)))
  const maskKey = maskKeyOf(bytesOf(newest))
  return { signing, held, box, maskKey, place: found.place, isStored: found.isStored, changedFrom }
}

function heldSigning(origin: string, key: string): readonly [string, Signing] {
  const signer = signerOf(bytesOf(key))
  return [verifierKey(origin, signer.publicKey), { origin, signer }]
}

/** Null if the newest checkpoint is by this key, or there is none. */
async function previousKey(
  { store }: InstallationKeyDeps,
  { origin, signer }: Signing,
  note: string | null,
): Promise<string | null> {
  if (note === null || isSignedBy(note, { origin, publicKey: signer.publicKey })) return null
  const verifiers = verifiersOf(origin, await store.log.keys())
  const previous = verifiers.find((verifier) => isSignedBy(note, verifier))
  return previous === undefined ? 'unknown' : verifierKey(origin, previous.publicKey)
}

async function recordChange(
  { store, clock, random }: InstallationKeyDeps,
  { from, signing }: { readonly from: string; readonly signing: Signing },
): Promise<void> {
  const to = verifierKey(signing.origin, signing.signer.publicKey)
  const describe = actsBy('server', { clock, random })
  await store.acts.record(describe({ kind: 'seal_key.changed', subject: '', detail: { from, to } }))
}

interface Found {
  readonly place: KeyPlace
  /** Newest first; the one in the database is last, for what was encrypted before it was moved out. */
  readonly keys: readonly string[]
  readonly isStored: boolean
}

/** Null if there is no key anywhere. */
async function findKeys({
  store,
  keys,
  file,
}: Pick<InstallationKeyDeps, 'store' | 'keys' | 'file'>): Promise<Found | null> {
  const stored = (await store.log.keys()).flatMap(({ seed }) => seed ?? [])
  const isStored = stored.length > 0
  if (keys.length > 0) return { place: 'settings', keys: [...keys, ...stored], isStored }
  const inFile = file === null ? null : await readKeyFile(file)
  if (inFile !== null) return { place: 'file', keys: [...inFile, ...stored], isStored }
  return isStored ? { place: 'database', keys: stored, isStored } : null
}

/** Opens stored secrets, and generates no key; null if there is none anywhere. */
export async function findSecretBox(
  deps: Pick<InstallationKeyDeps, 'store' | 'keys' | 'file' | 'random'>,
): Promise<SecretBox | null> {
  const found = await findKeys(deps)
  return found === null ? null : createSecretBox(found.keys.map(bytesOf), deps.random)
}

/**
 * For a command beside a server: the held key that signed this checkpoint. Generates no key and records no change; null
 * if none of the keys here signed it.
 */
export async function findSigning(
  deps: Pick<InstallationKeyDeps, 'store' | 'keys' | 'file'>,
  note: string,
): Promise<Pick<InstallationKey, 'signing' | 'maskKey'> | null> {
  const origin = readNote(note)?.origin ?? ''
  const found = await findKeys(deps)
  for (const bytes of found?.keys.map(bytesOf) ?? []) {
    const signer = signerOf(bytes)
    if (isSignedBy(note, { origin, publicKey: signer.publicKey }))
      return { signing: { origin, signer }, maskKey: maskKeyOf(bytes) }
  }
  return null
}

/** How the keys that are held here fit the log. */
export interface KeyFit {
  readonly place: KeyPlace
  /** Whether the database holds a key, in use or not. */
  readonly isStored: boolean
  /** `newest` also if no checkpoint was signed yet. */
  readonly signedBy: 'newest' | 'earlier' | 'another'
  /** The verifier key of the newest checkpoint, if it is not that of the newest key here. */
  readonly changedFrom: string | null
  readonly box: SecretBox
}

/** Generates no key and records no change; null if there is no key anywhere. */
export async function findFit(deps: InstallationKeyDeps): Promise<KeyFit | null> {
  const found = await findKeys(deps)
  if (found === null) return null
  const { place, isStored, keys } = found
  const { origin, note } = await deps.store.log.head()
  const signers = keys.map((key) => signerOf(bytesOf(key)))
  const isHeld = signers.some(({ publicKey }) => isSignedBy(note ?? '', { origin: origin ?? '', publicKey }))
  const [newest] = signers
  const signing = newest === undefined || origin === null ? null : { origin, signer: newest }
  const changedFrom = signing === null ? null : await previousKey(deps, signing, note)
  const signedBy = changedFrom === null ? 'newest' : isHeld ? 'earlier' : 'another'
  return { place, isStored, signedBy, changedFrom, box: createSecretBox(keys.map(bytesOf), deps.random) }
}

async function generate({ random, file }: InstallationKeyDeps): Promise<Found> {
  const key = Buffer.from(random.bytes(seedBytes)).toString('base64')
  if (file === null) return { place: 'database', keys: [key], isStored: true }
  if (await file.create(`${key}\n`)) return { place: 'file', keys: [key], isStored: false }
  // Another process was first.
  return { place: 'file', keys: (await readKeyFile(file)) ?? [], isStored: false }
}

/** Null if there is no file. */
export async function readKeyFile(file: KeyFile): Promise<readonly string[] | null> {
  const text = await file.read()
  if (text === null) return null
  const keys = readSealKeys(text)
  if (keys === null || keys.length === 0)
    throw new Error(`${file.path} must hold 32 bytes in base64 per line, the newest key first`)
  return keys
}

const bytesOf = (key: string): Uint8Array => Buffer.from(key, 'base64')

/** Signed notes allow neither spaces nor plus signs in a name. */
function originOf(publicKey: string): string {
  return `fairway/${Buffer.from(publicKey, 'base64').toString('hex').slice(0, 16)}`
}

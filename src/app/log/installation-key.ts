/**
 * The installation's own key: it signs the log, and webhook secrets are encrypted under a key derived from it. It comes
 * from the settings, from a file, or from the database, where earlier versions kept it. The newest key signs and
 * encrypts; earlier ones only open what was encrypted under them. Another key than the log's last never signs by itself.
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
  /** The place of a key that is not in the settings. */
  readonly file: KeyFile
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
  /** The file that was created for it; null if there was a key. */
  readonly madeIn: string | null
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

/** A log without a key gets one, and that names it. A key that is not the log's last is refused. */
export async function openInstallationKey(deps: InstallationKeyDeps): Promise<InstallationKey> {
  const { store, clock, random } = deps
  const before = await readLogKeys(store)
  const existing = await findKeys(deps)
  if (existing === null && before !== null) throw new KeyRefusal(missingText(deps))
  const found = existing ?? (await generate(deps))
  const [newest = ''] = found.keys
  const signer = signerOf(bytesOf(newest))
  const publicKey = publicKeyOf(newest)
  if (before === null)
    await store.log.addKey({ publicKey, seed: null, createdAtMs: clock.nowMs() }, originOf(publicKey))
  // Another instance may have been first; its key then is the log's.
  const log = before ?? (await readLogKeys(store))
  if (log === null) throw new Error('the log has no origin in log_head')
  const { origin } = log
  if (!maySign(log, publicKey)) throw new KeyRefusal(otherKeyText(placeText(deps, found.place), log))
  const signing = { origin, signer }
  const box = createSecretBox(found.keys.map(bytesOf), random)
  const held = new Map(found.keys.map((key) => heldSigning(origin, key)))
  const maskKey = maskKeyOf(bytesOf(newest))
  const changedFrom = changeOf(log, publicKey)
  const madeIn = existing === null ? deps.file.path : null
  return { signing, held, box, maskKey, place: found.place, isStored: found.isStored, changedFrom, madeIn }
}

function heldSigning(origin: string, key: string): readonly [string, Signing] {
  const signer = signerOf(bytesOf(key))
  return [verifierKey(origin, signer.publicKey), { origin, signer }]
}

/** The keys that the log knows, as verifier keys. */
interface LogKeys {
  readonly origin: string
  /** That of the newest checkpoint: null without one, `unknown` if no key of the log signed it. */
  readonly signedBy: string | null
  /** The newest. */
  readonly last: string
}

/** Null if no key was ever registered. */
async function readLogKeys(store: Pick<Store, 'log'>): Promise<LogKeys | null> {
  const [{ origin, note }, keys] = await Promise.all([store.log.head(), store.log.keys()])
  const newest = keys.at(-1)
  if (origin === null || newest === undefined) return null
  const signer = verifiersOf(origin, keys).find((verifier) => isSignedBy(note ?? '', verifier))
  const signedBy = signer === undefined ? null : verifierKey(origin, signer.publicKey)
  return {
    origin,
    signedBy: note !== null && signedBy === null ? 'unknown' : signedBy,
    last: verifierKey(origin, Buffer.from(newest.publicKey, 'base64')),
  }
}

/** Until the last key has signed, so may the one before it: instances change their key one after the other. */
function maySign({ origin, last, signedBy }: LogKeys, publicKey: string): boolean {
  const key = verifierKey(origin, Buffer.from(publicKey, 'base64'))
  return key === last || key === signedBy
}

/** The signer of the newest checkpoint, if it is another; null if there is no checkpoint. */
function changeOf({ origin, signedBy }: LogKeys, publicKey: string): string | null {
  return signedBy === verifierKey(origin, Buffer.from(publicKey, 'base64')) ? null : signedBy
}

/** Records that an accepted key signs from now on: the entry brings a checkpoint by it. */
export async function recordChange(
  { store, clock, random }: Pick<InstallationKeyDeps, 'store' | 'clock' | 'random'>,
  { signing }: Pick<InstallationKey, 'signing'>,
): Promise<void> {
  const log = await readLogKeys(store)
  const to = verifierKey(signing.origin, signing.signer.publicKey)
  // An instance that still has the earlier key, beside one with the new key, changes nothing back.
  if (log === null || log.signedBy === null || log.signedBy === to || log.last !== to) return
  const from = log.signedBy
  const describe = actsBy('server', { clock, random })
  await store.acts.record(describe({ kind: 'seal_key.changed', subject: '', detail: { from, to } }))
}

/** The remedy of a refusal. */
export const wayOut =
  'Bring that key back in FAIRWAY_SEAL_KEY or FAIRWAY_SEAL_KEY_FILE. If it is lost, or is to be replaced, run fairway audit new-key --reference CHANGE-ID'

/** The key of the database is missing, or is another: nothing is signed. */
export class KeyRefusal extends Error {
  override readonly name = 'KeyRefusal'

  constructor(reason: string) {
    super(`${reason}. ${wayOut}`)
  }
}

const missingText = ({ file }: Pick<InstallationKeyDeps, 'file'>): string =>
  `the key of this database is missing: FAIRWAY_SEAL_KEY is not set, and there is no file ${file.path}; every instance needs the same key`

const otherKeyText = (place: string, { last }: LogKeys): string =>
  `the key in ${place} is not the last key of the log, ${last}; every instance needs the same key`

const placeText = ({ file }: Pick<InstallationKeyDeps, 'file'>, place: KeyPlace): string =>
  ({ settings: 'FAIRWAY_SEAL_KEY', file: file.path, database: 'the database' })[place]

export type NewKey =
  | { readonly kind: 'changed'; readonly to: string; readonly madeIn: string | null; readonly box: SecretBox }
  | { readonly kind: 'unchanged'; readonly key: string }
  | { readonly kind: 'no_log' }

/** Makes the key that the settings name the log's last, with an entry of the log. Creates the key file if there is none. */
export async function acceptNewKey(
  deps: InstallationKeyDeps,
  { by, reference }: { readonly by: string; readonly reference: string },
): Promise<NewKey> {
  const { store, clock, random } = deps
  const log = await readLogKeys(store)
  if (log === null) return { kind: 'no_log' }
  const held = await findKeys(deps)
  const isNamed = held !== null && held.place !== 'database'
  const found = isNamed ? held : await generate(deps)
  const keys = [...new Set([...found.keys, ...(held?.keys ?? [])])]
  const [newest = ''] = keys
  const publicKey = publicKeyOf(newest)
  const [key] = heldSigning(log.origin, newest)
  const { last: from } = log
  if (key === from) return { kind: 'unchanged', key }
  const describe = actsBy(by, { clock, random })
  const act = describe({ kind: 'seal_key.changed', subject: '', detail: { from, to: key, reference } })
  await store.log.changeKey({ publicKey, seed: null, createdAtMs: clock.nowMs() }, act)
  const madeIn = isNamed ? null : deps.file.path
  return { kind: 'changed', to: key, madeIn, box: createSecretBox(keys.map(bytesOf), random) }
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
  const inFile = await readKeyFile(file)
  if (inFile !== null) return { place: 'file', keys: [...inFile, ...stored], isStored }
  return isStored ? { place: 'database', keys: stored, isStored } : null
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
  /** The verifier key of the newest checkpoint, if it is not that of the newest key here. */
  readonly changedFrom: string | null
  readonly box: SecretBox
}

/**
 * Generates no key and records no change. No fit if there is no key anywhere; the refusal is why a server would not start,
 * null if it would.
 */
export async function findFit(
  deps: InstallationKeyDeps,
): Promise<{ readonly fit: KeyFit | null; readonly refusal: string | null }> {
  const found = await findKeys(deps)
  const log = await readLogKeys(deps.store)
  if (found === null) return { fit: null, refusal: log === null ? null : missingText(deps) }
  const { place, isStored, keys } = found
  const publicKey = publicKeyOf(keys[0] ?? '')
  const refusal = log === null || maySign(log, publicKey) ? null : otherKeyText(placeText(deps, place), log)
  const changedFrom = log === null ? null : changeOf(log, publicKey)
  const box = createSecretBox(keys.map(bytesOf), deps.random)
  return { fit: { place, isStored, changedFrom, box }, refusal }
}

async function generate({ random, file }: InstallationKeyDeps): Promise<Found> {
  const key = Buffer.from(random.bytes(seedBytes)).toString('base64')
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

const publicKeyOf = (key: string): string => Buffer.from(signerOf(bytesOf(key)).publicKey).toString('base64')

/** Signed notes allow neither spaces nor plus signs in a name. */
function originOf(publicKey: string): string {
  return `fairway/${Buffer.from(publicKey, 'base64').toString('hex').slice(0, 16)}`
}

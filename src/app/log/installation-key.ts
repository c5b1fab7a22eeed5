/**
 * The installation's own key: it signs the log, and webhook secrets are encrypted under a key derived from it. It comes
 * from the settings, from a file, or from the database, where earlier versions kept it and where it lies if there is no
 * other place. The newest key signs and encrypts; earlier ones only open what was encrypted under them.
 */

import { readSealKeys } from '../../core/identity/seal-keys.ts'
import type { KeyFile, LogStore } from '../ports/log.ts'
import type { Clock, Random } from '../ports/system.ts'
import { seedBytes, signerOf, type Signer } from './checkpoint.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'

export interface InstallationKeyDeps {
  readonly store: { readonly log: LogStore }
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
  readonly box: SecretBox
  readonly place: KeyPlace
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
  const { origin } = await store.log.head()
  if (origin === null) throw new Error('the log has no origin in log_head')
  return {
    signing: { origin, signer },
    box: createSecretBox(found.keys.map(bytesOf), random),
    place: found.place,
  }
}

interface Found {
  readonly place: KeyPlace
  /** Newest first; the one in the database is last, for what was encrypted before it was moved out. */
  readonly keys: readonly string[]
}

/** Null if there is no key anywhere. */
async function findKeys({
  store,
  keys,
  file,
}: Pick<InstallationKeyDeps, 'store' | 'keys' | 'file'>): Promise<Found | null> {
  const stored = (await store.log.keys()).flatMap(({ seed }) => seed ?? [])
  if (keys.length > 0) return { place: 'settings', keys: [...keys, ...stored] }
  const inFile = file === null ? null : await readFile(file)
  if (inFile !== null) return { place: 'file', keys: [...inFile, ...stored] }
  return stored.length === 0 ? null : { place: 'database', keys: stored }
}

/** Opens stored secrets, and generates no key; null if there is none anywhere. */
export async function findSecretBox(
  deps: Pick<InstallationKeyDeps, 'store' | 'keys' | 'file' | 'random'>,
): Promise<SecretBox | null> {
  const found = await findKeys(deps)
  return found === null ? null : createSecretBox(found.keys.map(bytesOf), deps.random)
}

async function generate({ random, file }: InstallationKeyDeps): Promise<Found> {
  const key = Buffer.from(random.bytes(seedBytes)).toString('base64')
  if (file === null) return { place: 'database', keys: [key] }
  if (await file.create(`${key}\n`)) return { place: 'file', keys: [key] }
  // Another process was first.
  return { place: 'file', keys: (await readFile(file)) ?? [] }
}

/** Null if there is no file. */
async function readFile(file: KeyFile): Promise<readonly string[] | null> {
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

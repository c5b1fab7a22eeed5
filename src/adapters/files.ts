/** Files as the command line needs them: read in pieces, written whole or not at all. */

import { randomUUID } from 'node:crypto'
import { constants, fstatSync } from 'node:fs'
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { FileFault, type InputFile, type OutputFolder } from '../app/ports/assess.ts'

/** A standard input has a descriptor where it is one of the system. */
type StandardInput = Readable & { readonly fd?: number }

/** `-` is the standard input. Ends with an error when the signal is given. */
export async function openInput(path: string, signal: AbortSignal, stdin: StandardInput): Promise<InputFile> {
  const trouble = (error: unknown): Error => faultOf(`cannot read ${path}`, error)
  if (path === '-') {
    const pieces = addAbortSignal(signal, stdin)
    return {
      name: 'standard input',
      sizeBytes: null,
      id: stdin.fd === undefined ? null : idOf(fstatSync(stdin.fd, { bigint: true })),
      pieces: told(pieces, trouble),
    }
  }
  try {
    const handle = await open(path, constants.O_RDONLY)
    const found = await handle.stat({ bigint: true })
    if (found.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
    return {
      name: basename(path),
      sizeBytes: found.isFile() ? Number(found.size) : null,
      id: idOf(found),
      pieces: told(handle.createReadStream({ signal }), trouble),
    }
  } catch (error) {
    throw trouble(error)
  }
}

/** Two paths, or a path and the standard input, may lead to one file. */
function idOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`
}

async function* told(pieces: AsyncIterable<Uint8Array>, trouble: (error: unknown) => Error) {
  try {
    yield* pieces
  } catch (error) {
    throw trouble(error)
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'there is no space left for this user',
  EFBIG: 'the file would be larger than is allowed',
  EIO: 'the disk does not answer as it should',
}

/** What the system reports, in words; anything else is passed on. */
export function faultOf(what: string, error: unknown): Error {
  if (!(error instanceof Error) || !('code' in error))
    return error instanceof Error ? error : new Error(String(error))
  if (error.name === 'AbortError') return error
  return new FileFault(`${what}: ${causes[String(error.code)] ?? error.message}`, { cause: error })
}

/** One file, whole. Without `overwrite` whatever is there stays as it is, and that is a fault; with it only a file is replaced. */
export async function writeWhole(path: string, text: string, overwrite: boolean): Promise<void> {
  let part: string | null = null
  try {
    const { target, mode } = await placeFor(path, overwrite)
    // A name that nobody else has: what an earlier run has left is in nobody's way.
    part = join(dirname(target), `.fairway-${randomUUID()}.part`)
    await writeFile(part, text, { flag: 'wx' })
    // Whoever kept others from reading it goes on doing so.
    if (mode !== null) await chmod(part, mode)
    // A link never replaces anything, whoever else is writing there.
    if (overwrite) await rename(part, target)
    else await link(part, target)
  } catch (error) {
    if (error instanceof FileFault) throw error
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw isThere(path, error)
    throw faultOf(`cannot write ${path}`, error)
  } finally {
    if (part !== null) await rm(part, { force: true })
  }
}

const isThere = (path: string, cause?: Error): FileFault =>
  new FileFault(`${path} is there already: --force overwrites it`, { cause })

/** Where the text goes, and the mode that it takes over. Looked at before anything is written: a device is not even a place for a part. */
async function placeFor(path: string, overwrite: boolean): Promise<{ target: string; mode: number | null }> {
  const found = await lstat(path).catch(nothingThere)
  if (found === null) return { target: path, mode: null }
  // A link is followed, so that it goes on being one; but not to a device, and not into the void.
  const target = found.isSymbolicLink() ? await realpath(path) : path
  const kind = await lstat(target)
  if (kind.isDirectory()) throw new FileFault(`cannot write ${path}: it is a folder`)
  if (!kind.isFile()) throw new FileFault(`cannot write ${path}: it is not a file, but a device or the like`)
  if (!overwrite) throw isThere(path)
  return { target, mode: kind.mode & 0o777 }
}

function nothingThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Each file is written under another name and renamed when all is done. The input is never overwritten. */
export async function openOutput(
  path: string,
  names: readonly string[],
  inputId: string | null,
): Promise<OutputFolder> {
  const trouble = (error: unknown): Error => faultOf(`cannot write to ${path}`, error)
  for (const name of names) {
    const existing = await stat(join(path, name), { bigint: true }).catch(() => null)
    if (existing?.isDirectory() === true)
      throw new FileFault(`cannot write to ${path}: ${name} is a folder there`)
    if (existing !== null && idOf(existing) === inputId) {
      throw new FileFault(`cannot write to ${path}: it would overwrite the input ${name}`)
    }
  }
  const made = await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw trouble(error)
  })
  return new Folder(path, made ?? null, trouble)
}

class Folder implements OutputFolder {
  readonly path: string
  /** The topmost folder that was made for this, if any. */
  readonly #made: string | null
  readonly #trouble: (error: unknown) => Error
  /** Known from the moment that they are being opened. */
  readonly #files = new Map<string, Promise<FileHandle>>()
  #phase: 'open' | 'publishing' | 'discarded' = 'open'

  constructor(path: string, made: string | null, trouble: (error: unknown) => Error) {
    this.path = path
    this.#made = made
    this.#trouble = trouble
  }

  async append(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#phase !== 'open') throw new Error('the output takes nothing more')
    try {
      const handle = this.#files.get(name) ?? open(this.#part(name), 'w')
      this.#files.set(name, handle)
      await (await handle).writeFile(bytes)
    } catch (error) {
      throw this.#trouble(error)
    }
  }

  async publish(stale: readonly string[]): Promise<void> {
    if (this.#phase !== 'open') throw new Error('the output takes nothing more')
    this.#phase = 'publishing'
    const moved: string[] = []
    try {
      for (const opened of this.#files.values()) {
        const handle = await opened
        await handle.sync()
        await handle.close()
      }
      for (const name of new Set([...this.#files.keys(), ...stale])) {
        await rename(this.#target(name), this.#old(name)).catch(unlessMissing)
        moved.push(name)
        if (this.#files.has(name)) await rename(this.#part(name), this.#target(name))
      }
    } catch (error) {
      this.#phase = 'open'
      for (const name of moved) await this.#putBack(name)
      throw this.#trouble(error)
    }
    // All is there; what cannot be taken away is in nobody's way.
    for (const name of moved) await rm(this.#old(name), { force: true }).catch(() => {})
  }

  /** False where it is too late: the files are there, or will be in a moment. */
  async discard(): Promise<boolean> {
    if (this.#phase === 'publishing') return false
    this.#phase = 'discarded'
    for (const [name, opened] of this.#files) {
      const handle = await opened.catch(() => null)
      await handle?.close().catch(() => {})
      await rm(this.#part(name), { force: true })
    }
    this.#files.clear()
    if (this.#made !== null) await removeEmpty(this.path, this.#made)
    return true
  }

  async #putBack(name: string): Promise<void> {
    const earlier = await stat(this.#old(name)).catch(() => null)
    if (earlier === null) await rm(this.#target(name), { force: true })
    else await rename(this.#old(name), this.#target(name))
  }

  #target(name: string): string {
    return join(this.path, name)
  }

  #part(name: string): string {
    return join(this.path, `.${name}.${process.pid}.part`)
  }

  #old(name: string): string {
    return join(this.path, `.${name}.${process.pid}.old`)
  }
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** The folders that were made for this, as far as nothing is in them. */
async function removeEmpty(path: string, topmost: string): Promise<void> {
  try {
    for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) await rmdir(folder)
  } catch {
    // Someone else's files are in it: it stays.
  }
}

/** File access for the command line: reads in chunks, writes atomically. */

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

/** `fd` is set only for the process's own standard input. */
type StandardInput = Readable & { readonly fd?: number }

/** `-` is the standard input. Fails with an error when the signal aborts. */
export async function openInput(path: string, signal: AbortSignal, stdin: StandardInput): Promise<InputFile> {
  const toFault = (error: unknown): Error => faultOf(`cannot read ${path}`, error)
  if (path === '-') {
    const pieces = addAbortSignal(signal, stdin)
    return {
      name: 'standard input',
      sizeBytes: null,
      id: stdin.fd === undefined ? null : idOf(fstatSync(stdin.fd, { bigint: true })),
      pieces: withFaults(pieces, toFault),
    }
  }
  try {
    const handle = await open(path, constants.O_RDONLY)
    const stats = await handle.stat({ bigint: true })
    if (stats.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
    return {
      name: basename(path),
      sizeBytes: stats.isFile() ? Number(stats.size) : null,
      id: idOf(stats),
      pieces: withFaults(handle.createReadStream({ signal }), toFault),
    }
  } catch (error) {
    throw toFault(error)
  }
}

/** Identifies a file: two paths, or a path and the standard input, may refer to the same one. */
function idOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`
}

async function* withFaults(pieces: AsyncIterable<Uint8Array>, toFault: (error: unknown) => Error) {
  try {
    yield* pieces
  } catch (error) {
    throw toFault(error)
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
  EFBIG: 'the file would exceed the size limit',
  EIO: 'disk I/O error',
}

/** Converts a system error into a readable message; other errors pass through. */
export function faultOf(what: string, error: unknown): Error {
  if (!(error instanceof Error) || !('code' in error))
    return error instanceof Error ? error : new Error(String(error))
  if (error.name === 'AbortError') return error
  return new FileFault(`${what}: ${causes[String(error.code)] ?? error.message}`, { cause: error })
}

/** Writes a file atomically. An existing path is an error; with `overwrite`, a regular file is replaced. */
export async function writeFileAtomically(path: string, text: string, overwrite: boolean): Promise<void> {
  let part: string | null = null
  try {
    const { target, mode } = await placeFor(path, overwrite)
    // A unique name, so that remains of an earlier run do not interfere.
    part = join(dirname(target), `.fairway-${randomUUID()}.part`)
    await writeFile(part, text, { flag: 'wx' })
    // Keep the permissions of the replaced file.
    if (mode !== null) await chmod(part, mode)
    // A hard link never replaces a file, even one created concurrently.
    if (overwrite) await rename(part, target)
    else await link(part, target)
  } catch (error) {
    if (error instanceof FileFault) throw error
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw alreadyExists(path, error)
    throw faultOf(`cannot write ${path}`, error)
  } finally {
    if (part !== null) await rm(part, { force: true })
  }
}

/** Writes a new file that only its owner can read, and waits for the disk. Fails if the file exists. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const alreadyExists = (path: string, cause?: Error): FileFault =>
  new FileFault(`${path} already exists: use --force to overwrite it`, { cause })

/** The path to write and the mode to keep. Checked first, so that no temporary file is created next to a device. */
async function placeFor(path: string, overwrite: boolean): Promise<{ target: string; mode: number | null }> {
  const entry = await lstat(path).catch(nullIfMissing)
  if (entry === null) return { target: path, mode: null }
  // A symbolic link is followed, so that it stays a link; but not to a device or a missing file.
  const target = entry.isSymbolicLink() ? await realpath(path) : path
  const kind = await lstat(target)
  if (kind.isDirectory()) throw new FileFault(`cannot write ${path}: it is a folder`)
  if (!kind.isFile()) throw new FileFault(`cannot write ${path}: it is not a regular file`)
  if (!overwrite) throw alreadyExists(path)
  return { target, mode: kind.mode & 0o777 }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Each file is written under a temporary name and renamed at the end. The input is never overwritten. */
export async function openOutput(
  path: string,
  names: readonly string[],
  inputId: string | null,
): Promise<OutputFolder> {
  const toFault = (error: unknown): Error => faultOf(`cannot write to ${path}`, error)
  for (const name of names) {
    const existing = await stat(join(path, name), { bigint: true }).catch(() => null)
    if (existing?.isDirectory() === true)
      throw new FileFault(`cannot write to ${path}: ${name} in it is a folder`)
    if (existing !== null && idOf(existing) === inputId) {
      throw new FileFault(`cannot write to ${path}: it would overwrite the input ${name}`)
    }
  }
  const created = await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw toFault(error)
  })
  return new Folder(path, created ?? null, toFault)
}

class Folder implements OutputFolder {
  readonly path: string
  /** The topmost folder that was created for this, if any. */
  readonly #created: string | null
  readonly #toFault: (error: unknown) => Error
  /** Part of all temporary names: whoever else can write to the folder cannot guess them. */
  readonly #run = randomUUID()
  /** Added as soon as opening starts. */
  readonly #files = new Map<string, Promise<FileHandle>>()
  #phase: 'open' | 'publishing' | 'discarded' = 'open'

  constructor(path: string, created: string | null, toFault: (error: unknown) => Error) {
    this.path = path
    this.#created = created
    this.#toFault = toFault
  }

  async append(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#phase !== 'open') throw new Error('the output folder is already published or discarded')
    try {
      const handle = this.#files.get(name) ?? open(this.#part(name), 'wx')
      this.#files.set(name, handle)
      await (await handle).writeFile(bytes)
    } catch (error) {
      throw this.#toFault(error)
    }
  }

  async publish(stale: readonly string[]): Promise<void> {
    if (this.#phase !== 'open') throw new Error('the output folder is already published or discarded')
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
      throw this.#toFault(error)
    }
    // The output is complete; an old file that cannot be removed does no harm.
    for (const name of moved) await rm(this.#old(name), { force: true }).catch(() => {})
  }

  /** False if it is too late: the files are published, or publishing has started. */
  async discard(): Promise<boolean> {
    if (this.#phase === 'publishing') return false
    this.#phase = 'discarded'
    for (const [name, opened] of this.#files) {
      const handle = await opened.catch(() => null)
      await handle?.close().catch(() => {})
      await rm(this.#part(name), { force: true })
    }
    this.#files.clear()
    if (this.#created !== null) await removeEmpty(this.path, this.#created)
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
    return join(this.path, `.${name}.${this.#run}.part`)
  }

  #old(name: string): string {
    return join(this.path, `.${name}.${this.#run}.old`)
  }
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Removes the folders that were created for this, as far as they are empty. */
async function removeEmpty(path: string, topmost: string): Promise<void> {
  try {
    for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) await rmdir(folder)
  } catch {
    // A folder with other files in it stays.
  }
}

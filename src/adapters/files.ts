/** Files as the command line needs them: read in pieces, written whole or not at all. */

import { constants, fstatSync } from 'node:fs'
import { link, mkdir, open, rename, rm, rmdir, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { FileFault, type InputFile, type OutputFolder } from '../app/ports.ts'

/** `-` is the standard input. Ends with an error when the signal is given. */
export async function openInput(path: string, signal: AbortSignal): Promise<InputFile> {
  const trouble = (error: unknown): Error => faultOf(`cannot read ${path}`, error)
  if (path === '-') {
    const pieces = addAbortSignal(signal, process.stdin)
    return {
      name: 'standard input',
      sizeBytes: null,
      id: idOf(fstatSync(0, { bigint: true })),
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

/** One file, whole. Without `overwrite` one that is there stays as it is, and that is a fault. */
export async function writeWhole(path: string, text: string, overwrite: boolean): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    await writeFile(part, text, { flag: 'wx' })
    // A link never replaces anything, whoever else is writing there.
    if (overwrite) await rename(part, path)
    else await link(part, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new FileFault(`${path} is there already: --force overwrites it`, { cause: error })
    }
    throw faultOf(`cannot write ${path}`, error)
  } finally {
    await rm(part, { force: true })
  }
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

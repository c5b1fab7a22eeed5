/** The folder of an archive. Files are synced before they are renamed; only their owner can read them. */

import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveFolder, PartFile } from '../../app/ports/operate/archive.ts'
import { FileFault } from '../../app/ports/assess.ts'
import { faultOf } from '../files.ts'
import { HashThread } from './hash-thread.ts'

const fileMode = 0o600
const folderMode = 0o700

/** Creates the folder unless it is only read. */
export async function openArchiveFolder(
  path: string,
  { isRead }: { readonly isRead: boolean },
): Promise<ArchiveFolder> {
  if (!isRead) await mkdir(path, { recursive: true, mode: folderMode }).catch(writeFault(path))
  return new Folder(path)
}

const writeFault =
  (path: string) =>
  (error: unknown): never => {
    throw faultOf(`cannot write to ${path}`, error)
  }

const readFault =
  (path: string) =>
  (error: unknown): never => {
    throw faultOf(`cannot read ${path}`, error)
  }

class Folder implements ArchiveFolder {
  readonly path: string
  /** Files that are read in several places. */
  readonly #opened = new Map<string, FileHandle>()
  /** Started with the first file that is written. */
  #hashes: HashThread | null = null

  constructor(path: string) {
    this.path = path
  }

  async names(): Promise<string[]> {
    return (await readdir(this.path).catch(readFault(this.path))).toSorted()
  }

  async readText(name: string): Promise<string | null> {
    const path = join(this.path, name)
    const handle = await open(path).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? null : readFault(path)(error),
    )
    if (handle === null) return null
    try {
      return await handle.readFile('utf8').catch(readFault(path))
    } finally {
      await handle.close()
    }
  }

  async *pieces(name: string): AsyncIterable<Uint8Array> {
    const path = join(this.path, name)
    const handle = await open(path).catch(readFault(path))
    try {
      yield* handle.createReadStream({ highWaterMark: 1 << 20, autoClose: false })
    } catch (error) {
      readFault(path)(error)
    } finally {
      await handle.close()
    }
  }

  async bytesAt(name: string, offset: number, count: number): Promise<Uint8Array> {
    const path = join(this.path, name)
    const handle = this.#opened.get(name) ?? (await open(path).catch(readFault(path)))
    this.#opened.set(name, handle)
    const bytes = Buffer.alloc(count)
    const { bytesRead } = await handle.read(bytes, 0, count, offset).catch(readFault(path))
    return bytes.subarray(0, bytesRead)
  }

  async create(name: string): Promise<PartFile> {
    const path = join(this.path, name)
    const fail = writeFault(this.path)
    const handle = await open(path, 'w', fileMode).catch(fail)
    this.#hashes ??= new HashThread()
    const hash = this.#hashes.open()
    return {
      async append(bytes) {
        await Promise.all([handle.writeFile(bytes).catch(fail), hash.update(bytes)])
      },
      async finish() {
        try {
          await handle.sync()
          await handle.close()
        } catch (error) {
          fail(error)
        }
        return hash.digest()
      },
      async discard() {
        await handle.close().catch(() => undefined)
        await rm(path, { force: true })
      },
    }
  }

  async rename(from: string, to: string, options?: { readonly replaces: true }): Promise<void> {
    if (options === undefined && (await this.names()).includes(to))
      throw new FileFault(`cannot write ${join(this.path, to)}: a file of that name came into the folder`)
    try {
      await rename(join(this.path, from), join(this.path, to))
      await this.#sync()
    } catch (error) {
      writeFault(this.path)(error)
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true }).catch(writeFault(this.path))
    await this.#sync().catch(writeFault(this.path))
  }

  async close(): Promise<void> {
    for (const handle of this.#opened.values()) await handle.close()
    this.#opened.clear()
    await this.#hashes?.close()
    this.#hashes = null
  }

  /** Makes new names durable. Windows cannot open a folder. */
  async #sync(): Promise<void> {
    if (process.platform === 'win32') return
    const handle = await open(this.path)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

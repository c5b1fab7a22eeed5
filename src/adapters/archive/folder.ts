/** The folder of an archive. Files are written under a temporary name, synced, then renamed; only their owner can read them. */

import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { unfinished, type ArchiveFolder, type PartFile } from '../../app/ports/operate/archive.ts'
import { faultOf } from '../files.ts'

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
    const part = `${path}${unfinished}`
    const fail = writeFault(this.path)
    const handle = await open(part, 'w', fileMode).catch(fail)
    return {
      append: (bytes) => handle.writeFile(bytes).catch(fail),
      publish: async () => {
        try {
          await handle.sync()
          await handle.close()
          await rename(part, path)
          await this.#sync()
        } catch (error) {
          fail(error)
        }
      },
      async discard() {
        await handle.close().catch(() => undefined)
        await rm(part, { force: true })
      },
    }
  }

  async write(name: string, text: string): Promise<void> {
    const file = await this.create(name)
    try {
      await file.append(Buffer.from(text))
      await file.publish()
    } catch (error) {
      await file.discard()
      throw error
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true }).catch(writeFault(this.path))
    await this.#sync().catch(writeFault(this.path))
  }

  async close(): Promise<void> {
    for (const handle of this.#opened.values()) await handle.close()
    this.#opened.clear()
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

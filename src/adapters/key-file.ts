/** The file with the installation's key: for its owner only, created once, never replaced. */

import { randomUUID } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FileFault } from '../app/ports/assess.ts'
import type { KeyFile } from '../app/ports/log.ts'
import { faultOf, writePrivate } from './files.ts'

/** All permissions of the group and of others. */
const othersMask = 0o077
/** Windows protects folders by access control lists. */
const hasModes = process.platform !== 'win32'
/** Ample for some keys. */
const bytesMax = 16 * 1024

export function openKeyFile(path: string): KeyFile {
  return {
    path,
    async read() {
      const handle = await open(path, 'r').catch(nullWith('ENOENT', `cannot read ${path}`))
      if (handle === null) return null
      try {
        const { mode } = await handle.stat()
        if (hasModes && (mode & othersMask) !== 0) {
          throw new FileFault(`${path} can be read by others: run chmod 600 on it`)
        }
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax), 0, bytesMax, 0)
        return buffer.toString('utf8', 0, bytesRead)
      } finally {
        await handle.close()
      }
    },
    /** Appears whole or not at all: a file that a crash left empty would stop every later start. */
    async create(text) {
      const part = `${path}.${randomUUID()}.part`
      try {
        await mkdir(dirname(path), { recursive: true })
        await writePrivate(part, text)
        // A hard link never replaces a file, even one created concurrently.
        return (await link(part, path).then(() => true, nullWith('EEXIST', `cannot write ${path}`))) ?? false
      } catch (error) {
        throw faultOf(`cannot write ${path}`, error)
      } finally {
        await rm(part, { force: true })
        await syncFolder(dirname(path))
      }
    },
  }
}

/** So that the name survives a crash, too. Not every system can. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

const nullWith =
  (code: string, what: string) =>
  (error: NodeJS.ErrnoException): null => {
    if (error.code === code) return null
    throw faultOf(what, error)
  }

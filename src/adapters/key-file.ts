/** The file with the installation's key: for its owner only, created once, never replaced. */

import { open } from 'node:fs/promises'
import { FileFault } from '../app/ports/assess.ts'
import type { KeyFile } from '../app/ports/log.ts'
import { faultOf } from './files.ts'

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
    async create(text) {
      const handle = await open(path, 'wx', 0o600).catch(nullWith('EEXIST', `cannot write ${path}`))
      if (handle === null) return false
      try {
        await handle.writeFile(text)
        await handle.sync()
      } finally {
        await handle.close()
      }
      return true
    },
  }
}

const nullWith =
  (code: string, what: string) =>
  (error: NodeJS.ErrnoException): null => {
    if (error.code === code) return null
    throw faultOf(what, error)
  }

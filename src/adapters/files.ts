/** Files as the command line needs them: read in pieces, written whole or not at all. */

import { addAbortSignal } from 'node:stream'
import { createReadStream } from 'node:fs'
import { mkdir, open, realpath, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { InputFile, OutputFolder } from '../app/ports.ts'

/** `-` is the standard input. Ends with the signal's reason when that is given. */
export async function openInput(path: string, signal: AbortSignal): Promise<InputFile> {
  if (path === '-') {
    const pieces = addAbortSignal(signal, process.stdin)
    return { name: 'standard input', sizeBytes: null, pieces }
  }
  const found = await stat(path)
  if (found.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
  const pieces = createReadStream(path, { signal })
  return { name: basename(path), sizeBytes: found.isFile() ? found.size : null, pieces }
}

/** Each file is written under another name and renamed when all is done. The input is never overwritten. */
export async function openOutput(
  path: string,
  names: readonly string[],
  inputPath: string,
): Promise<OutputFolder> {
  const input = inputPath === '-' ? null : await realpath(inputPath)
  for (const name of names) {
    const existing = await realpath(join(path, name)).catch(() => null)
    if (existing !== null && existing === input) {
      throw Object.assign(new Error(`it would overwrite the input ${name}`), { code: 'EINPUT' })
    }
  }
  const made = await mkdir(path, { recursive: true })
  const files = new Map<string, { handle: FileHandle; part: string }>()
  const partOf = (name: string): string => join(path, `.${name}.${process.pid}.part`)

  async function opened(name: string): Promise<FileHandle> {
    const known = files.get(name)
    if (known !== undefined) return known.handle
    const part = partOf(name)
    const handle = await open(part, 'w')
    files.set(name, { handle, part })
    return handle
  }

  return {
    path,
    async append(name, bytes) {
      await (await opened(name)).writeFile(bytes)
    },
    async publish(stale) {
      for (const { handle } of files.values()) {
        await handle.sync()
        await handle.close()
      }
      for (const [name, { part }] of files) await rename(part, join(path, name))
      for (const name of stale) if (!files.has(name)) await rm(join(path, name), { force: true })
      files.clear()
    },
    async discard() {
      for (const { handle, part } of files.values()) {
        await handle.close().catch(() => {})
        await rm(part, { force: true })
      }
      files.clear()
      if (made !== undefined) await removeEmpty(path, made)
    },
  }
}

/** The folders that were made for this, as far as nothing is in them. */
async function removeEmpty(path: string, topmost: string): Promise<void> {
  try {
    for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) await rmdir(folder)
  } catch {
    // Someone else's files are in it: it stays.
  }
}

/** Folders of their own for databases and files of tests: in memory where the run asks for it, since most tests do not need a disk. */

import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the folder below which this run keeps its databases. */
const setting = 'FAIRWAY_TEST_FOLDER'

const memoryFolder = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

/** For a run whose subject is not durability. A machine without a large enough memory folder uses its disk. */
export function useMemoryFolder(): void {
  if (process.env[setting] !== undefined || !isUsable(memoryFolder)) return
  process.env[setting] = memoryFolder
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}

export function scratchFolder(prefix: string): string {
  return mkdtempSync(join(process.env[setting] ?? tmpdir(), prefix))
}

/** Finds the built console and reads its page. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const distFolder = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** Null if it was not built. The page is read once, at start: a later build would name files that are not listed. */
export function builtConsole(folder = distFolder): { folder: string; page: string } | null {
  try {
    return { folder, page: readFileSync(join(folder, 'index.html'), 'utf8') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Where `npm run build` puts the console, and its page as it was at the start. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const distFolder = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** Null where it was not built. The page is read once: it names files that are listed at the start, and a later build has others. */
export function builtConsole(folder = distFolder): { folder: string; page: string } | null {
  try {
    return { folder, page: readFileSync(join(folder, 'index.html'), 'utf8') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

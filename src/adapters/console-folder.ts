/** Where `npm run build` puts the console. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** Null where it was not built. */
export function builtConsole(): string | null {
  return existsSync(`${folder}index.html`) ? folder : null
}

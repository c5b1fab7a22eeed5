/** Reads the documents that come with the program, in a checkout and in a package. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programFolder } from './threads/installation.ts'

/** `scripts/release/package.ts` copies the page into the package. */
export const readMethodology = (): Promise<string> =>
  readFile(join(programFolder, 'docs', 'methodology.md'), 'utf8')

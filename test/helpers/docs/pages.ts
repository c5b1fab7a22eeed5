/** Which documents there are, and which of them have something to run. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './checkout.ts'
import { blocksOf } from './markdown.ts'

export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Every Markdown file below a folder, as a path from the root. */
const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))

export const pages: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'client/README.md',
  'clients/python/README.md',
  ...markdownIn('docs'),
].filter((path) => existsSync(join(root, path)))

/** Documents with an example. A fence that cannot be taken at its word throws. */
export function pagesWithExamples(): string[] {
  return pages.filter((path) =>
    blocksOf(path, readPage(path)).some(({ kind }) => kind === 'shell' || kind === 'program'),
  )
}

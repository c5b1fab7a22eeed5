/** The files of the project, as the house rules see them. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')
export const isThere = (path: string): boolean => existsSync(join(root, path))
export const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')
export const expectNone = (found: readonly string[]): void => assert.deepEqual(found, [])

export const sourceFolders = [
  'src',
  'client',
  'console',
  'test',
  'bench',
  'scripts',
  'bin',
  'examples',
  'torture',
]
const notOurs = new Set(['node_modules', 'dist'])

/** Every file below a folder, as a path from the root with forward slashes; none where the folder is absent. */
export function filesBelow(folder: string): string[] {
  if (!isThere(folder)) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

export const everyFile = [
  ...readdirSync(root).filter((name) => statSync(join(root, name)).isFile() && !/\.(?:db|tgz)/.test(name)),
  ...[...sourceFolders, 'docs', '.ci'].flatMap(filesBelow),
]
export const sources = sourceFolders.flatMap(filesBelow).filter((path) => /\.[jt]sx?$/.test(path))
export const inSrc = sources.filter((path) => path.startsWith('src/'))

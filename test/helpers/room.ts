/** Runs the tests of some folders in one process: what they import is loaded once, which costs more than most of them. */

import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '../..')

/** One file after the other, as in processes of their own. */
export async function runRoom(...folders: readonly string[]): Promise<void> {
  for (const path of folders.flatMap(testsIn)) await import(pathToFileURL(join(root, path)).href)
}

/** The test files of a folder below `test/`, as paths from the root. */
export function testsIn(folder: string): string[] {
  const found = globSync(`test/${folder}/**/*.test.ts`, { cwd: root }).toSorted()
  if (found.length === 0) throw new Error(`test/${folder} has no tests`)
  return found
}

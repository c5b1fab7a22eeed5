/** Finds the built console and the built API reference: the files of a folder, and the forms that each has. */

import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { programFolder } from './threads/installation.ts'

const distFolder = join(programFolder, 'console', 'dist')

const endings = { br: '.br', gzip: '.gz', identity: '' } as const

type Read = () => Promise<Buffer>
type Forms = { readonly identity: Read } & { readonly [encoding in keyof typeof endings]?: Read }

/** By its path in the folder, like `assets/page.js`. Null if it was not built. */
export function builtConsole(folder = distFolder): ReadonlyMap<string, Forms> | null {
  const names = new Set(filesIn(folder))
  if (!names.has('index.html')) return null
  const originals = [...names].filter((name) => !/\.(?:br|gz)$/.test(name))
  return new Map(originals.map((name) => [name.replaceAll(sep, '/'), formsOf(folder, name, names)]))
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function formsOf(folder: string, name: string, names: ReadonlySet<string>): Forms {
  const forms = Object.entries(endings)
    .filter(([, ending]) => names.has(name + ending))
    .map(([encoding, ending]) => [encoding, readerOf(join(folder, name + ending), name)])
  return Object.fromEntries(forms) as Forms
}

/** Pages are read at once: those of a later build would name files that are not listed. */
function readerOf(path: string, name: string): Read {
  if (!name.endsWith('.html')) return () => readFile(path)
  const bytes = readFileSync(path)
  return async () => bytes
}

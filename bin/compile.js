/**
 * Fills the compile cache ahead of time, so that the first start is as fast, and its process as small, as later ones.
 * Loads every file except the entry points, which would start a process or thread.
 */

import { readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import { keepCompiled } from './compile-cache.js'
import { nodeIsNewEnough } from './require-node.js'

const source = resolve(import.meta.dirname, '..', 'src')

if (nodeIsNewEnough()) {
  keepCompiled()
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  for (const name of files) {
    if (name === 'main.ts' || name === 'assess-worker.ts') continue
    await import(pathToFileURL(resolve(source, name)).href)
  }
}

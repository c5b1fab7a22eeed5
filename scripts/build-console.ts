/** Builds the console, the guide and the API reference into `console/dist`, and compresses each file, so that the server need not. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { consoleSizes } from './console-sizes.ts'
import { guidePages } from './site/guide.ts'
import { notFoundPage } from './site/not-found.ts'
import { referenceFiles } from './site/reference.ts'

const folder = fileURLToPath(new URL('../console/', import.meta.url))
const dist = join(folder, 'dist')

/** Fonts are already compressed. */
const compressible = /\.(?:css|html|js|svg)$/

function compress(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  // The highest quality takes ten seconds for the megabytes of the reference, and saves little.
  const quality = bytes.length > 1_000_000 ? 9 : constants.BROTLI_MAX_QUALITY
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  )
}

/** The path of a style sheet of the build, by the name of its source. */
function stylesOf(name: string): string {
  const found = readdirSync(join(dist, 'assets')).find(
    (file) => file.startsWith(`${name}-`) && file.endsWith('.css'),
  )
  if (found === undefined) throw new Error(`the build has no styles for ${name}`)
  return `/assets/${found}`
}

function write(place: string, content: string | Buffer): void {
  const path = join(dist, place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' })
const styles = stylesOf('guide')
for (const [name, page] of guidePages({ root: join(folder, '..'), styles })) write(`guide/${name}`, page)
for (const [name, content] of await referenceFiles(stylesOf('reference'))) write(`docs/${name}`, content)
write('not-found.html', notFoundPage(styles))
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
  compressible.test(name),
)
for (const name of files) compress(join(dist, name))

const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`
const sizes = consoleSizes(dist)
const largest = (of: 'firstVisitBytes' | 'ownBytes'): string => {
  const [found] = sizes.toSorted((left, right) => right[of] - left[of])
  return found === undefined ? 'none' : `${kB(found[of])} (${found.page})`
}
process.stdout.write(
  `console/dist: built; compressed JavaScript of a first visit: at most ${largest('firstVisitBytes')}, of a page: at most ${largest('ownBytes')}\n`,
)

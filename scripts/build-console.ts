/** Builds the console, the guide and the API reference into `console/dist`, and compresses each file, so that the server need not. */

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { consoleSizes } from './console-sizes.ts'
import { guidePages, imagesFolder } from './site/guide.ts'
import { notFoundPage } from './site/not-found.ts'
import { readContract, referencePage } from './site/reference/page.ts'
import { searchIndex } from './site/search-index.ts'

const folder = fileURLToPath(new URL('../console/', import.meta.url))
const dist = join(folder, 'dist')

/** Fonts are already compressed. */
const compressible = /\.(?:css|html|js|json|svg)$/

function compress(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotliCompressSync(bytes))
}

/** The path of a file of the build, by the name of its source. */
function assetOf(name: string, ending: string): string {
  const found = readdirSync(join(dist, 'assets')).find(
    (file) => file.startsWith(`${name}-`) && file.endsWith(ending),
  )
  if (found === undefined) throw new Error(`the build has no ${ending} file for ${name}`)
  return `/assets/${found}`
}

function write(place: string, content: string): void {
  const path = join(dist, place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' })
// Apart from the console: what both have in common would be a file of its own, and a request more for each.
await build({
  root: folder,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    target: 'es2022',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: { input: join(folder, 'src/site/site.ts') },
  },
})
const files = { styles: assetOf('guide', '.css'), script: assetOf('site', '.js') }
const guide = guidePages({ root: join(folder, '..'), files })
for (const [name, page] of guide) write(`guide/${name}`, page)
cpSync(join(folder, '..', imagesFolder), join(dist, 'guide/images'), { recursive: true })
const contract = readContract(new URL('../docs/openapi.json', import.meta.url))
const reference = referencePage(contract, { ...files, styles: assetOf('reference', '.css') })
write('docs/index.html', reference)
write('not-found.html', notFoundPage(files))
const site = [...guide].map(
  ([name, page]) => [`/guide/${name.replace(/(?:index)?\.html$/, '')}`, page] as const,
)
write('guide/search.json', JSON.stringify(searchIndex(new Map([...site, ['/docs/', reference]]))))
const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
  compressible.test(name),
)
for (const name of built) compress(join(dist, name))

const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`
const sizes = consoleSizes(dist)
const largest = (of: 'firstVisitBytes' | 'ownBytes'): string => {
  const [found] = sizes.toSorted((left, right) => right[of] - left[of])
  return found === undefined ? 'none' : `${kB(found[of])} (${found.page})`
}
process.stdout.write(
  `console/dist: built; compressed JavaScript of a first visit: at most ${largest('firstVisitBytes')}, of a page: at most ${largest('ownBytes')}\n`,
)

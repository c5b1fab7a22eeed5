/** Builds the console into `console/dist` and compresses each file, so that the server need not compress. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const folder = fileURLToPath(new URL('../console/', import.meta.url))
const dist = join(folder, 'dist')

/** Fonts are already compressed. */
const compressible = /\.(?:css|html|js|svg)$/

function compress(path: string): number {
  const bytes = readFileSync(path)
  const gzipped = gzipSync(bytes, { level: 9 })
  writeFileSync(`${path}.gz`, gzipped)
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  )
  return gzipped.length
}

await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' })
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
  compressible.test(name),
)
let scriptBytes = 0
for (const name of files) {
  const size = compress(join(dist, name))
  if (name.endsWith('.js')) scriptBytes += size
}
process.stdout.write(`console/dist: built, ${(scriptBytes / 1_000).toFixed(1)} kB of compressed JavaScript\n`)

/** Builds the console and the API reference into `console/dist`, and compresses each file, so that the server need not. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import apiReference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { build } from 'vite'
import { consoleSizes } from './console-sizes.ts'

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

/** Writes the page at /docs/ and its script. It contacts its own server alone. */
async function buildReference(): Promise<void> {
  const page = Fastify()
  await page.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Fairway API reference',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // These features contact the vendor's servers.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      favicon: '/favicon.ico',
    },
  })
  for (const [url, name] of [
    ['/docs/', 'docs/index.html'],
    ['/docs/js/scalar.js', 'docs/js/scalar.js'],
  ] as const) {
    const { statusCode, rawPayload } = await page.inject(url)
    if (statusCode !== 200) throw new Error(`the API reference has no ${url}`)
    mkdirSync(dirname(join(dist, name)), { recursive: true })
    writeFileSync(join(dist, name), rawPayload)
  }
  await page.close()
}

await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' })
await buildReference()
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

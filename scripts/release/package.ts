/** The folder of the package, before it is packed. */

import { chmodSync, cpSync, lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from './compile.ts'
import { licencesOf } from './licences.ts'
import { packageManifest } from './manifest.ts'

const copied = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'console/dist',
  'docs/methodology.md',
  'deploy/fairway.service',
  'bin/compile-cache.js',
  'bin/quiet.js',
  'bin/thread.js',
]

/** A checkout has the rights that its owner's files get, which are of no meaning to others. */
function makeReadable(folder: string): void {
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const place = join(folder, path)
    chmodSync(place, lstatSync(place).isDirectory() ? 0o755 : 0o644)
  }
}

/** The console must be built. */
export async function fillPackage(root: string, folder: string): Promise<void> {
  await compile(root, folder)
  for (const place of copied) cpSync(join(root, place), join(folder, place), { recursive: true })
  cpSync(join(root, 'bin/packaged.js'), join(folder, 'bin/fairway.js'))
  writeFileSync(join(folder, 'LICENSES-OF-PACKAGES.txt'), licencesOf(root))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(root), null, 2)}\n`)
  makeReadable(folder)
}

/** `npm run release`: writes all files of a release into `release`, or the folder of `--out`. The same sources make the same bytes. */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { billOfMaterials } from './release/bill.ts'
import { readManifest } from './release/manifest.ts'
import { notesOf } from './release/notes.ts'
import { fillPackage } from './release/package.ts'

const root = resolve(import.meta.dirname, '..')
const usual = join(root, 'release')
/** npm writes no times and no owners into a tarball. */
function pack(folder: string, out: string): void {
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', out], {
    cwd: folder,
    stdio: 'ignore',
  })
}

function checksums(out: string): string {
  const hash = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex')
  return readdirSync(out)
    .toSorted()
    .map((name) => `${hash(name)}  ${name}\n`)
    .join('')
}

// npm packs the rights of files, which those of others may read in any installation.
process.umask(0o022)
const { values } = parseArgs({ options: { out: { type: 'string', default: usual } } })
const out = resolve(values.out)
const { version } = readManifest(root)
const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
if (notes === null) throw new Error(`CHANGELOG.md has no section of ${version}`)

if (values.out === usual) rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
if (readdirSync(out).length > 0) throw new Error(`${out} has files already`)
const folder = mkdtempSync(join(tmpdir(), 'fairway-release-'))
try {
  await fillPackage(root, folder)
  pack(folder, out)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
pack(join(root, 'client'), out)
writeFileSync(join(out, `fairway-${version}.cdx.json`), billOfMaterials(root))
writeFileSync(join(out, 'RELEASE-NOTES.md'), notes)
writeFileSync(join(out, 'SHA256SUMS'), checksums(out))
for (const name of readdirSync(out)) process.stdout.write(`${join(values.out, name)}\n`)

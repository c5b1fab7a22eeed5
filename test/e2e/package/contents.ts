/** The files of a release, which the build stage of the image makes. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { execute, outs, release, root, tarball } from './built.ts'

/** Paths in the package. */
async function contents(): Promise<string[]> {
  const { stdout } = await execute('tar', ['--list', '--file', tarball()], { maxBuffer: 64_000_000 })
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^package\//, '')]))
}

test('the same sources make the same bytes, in any folder and for any user, and the checksums name them', () => {
  const sums = outs.map((out) => readFileSync(join(out, 'SHA256SUMS'), 'utf8'))
  assert.equal(sums[0], sums[1])
  const named = (sums[0] ?? '').trimEnd().split('\n')
  const own = readdirSync(outs[0]).filter((name) => name !== 'SHA256SUMS')
  assert.deepEqual(
    named,
    own.map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(outs[0], name)))
      return `${hash.digest('hex')}  ${name}`
    }),
  )
})

test('beside the package are the client, the bill of materials and the notes of its version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const client = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')) as { version: string }
  assert.deepEqual(readdirSync(outs[0]), [
    'RELEASE-NOTES.md',
    'SHA256SUMS',
    `fairway-${version}.cdx.json`,
    `fairway-${version}.tgz`,
    `fairway-client-${client.version}.tgz`,
  ])
  assert.ok(readFileSync(join(outs[0], 'RELEASE-NOTES.md'), 'utf8').startsWith(`# Fairway ${version}\n`))
})

test('a folder that has files is not written into', async () => {
  await assert.rejects(release(outs[1]), /has files already/)
})

test('it holds JavaScript, the console and the guide: no TypeScript, no tools, no second Node.js', async () => {
  const paths = await contents()
  const own = paths.filter((path) => !path.startsWith('node_modules/'))
  for (const path of [
    'bin/fairway.js',
    'src/main.js',
    'console/dist/index.html',
    'console/dist/guide/index.html',
    'docs/methodology.md',
  ])
    assert.ok(own.includes(path), path)
  assert.deepEqual(
    own.filter((path) => /\.tsx?$/.test(path)),
    [],
  )
})

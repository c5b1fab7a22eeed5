/** The software bill of materials: all that runs in production, each with its version and hash, and no registry's address. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Locked {
  readonly version?: string
  readonly dev?: true
  readonly link?: true
}

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly unknown[]
}

test('npm run sbom names every package that runs in production, with its hash', () => {
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: root, encoding: 'utf8', env: { PATH, HOME }, maxBuffer: 64 * 1024 * 1024 } as const
  const text = execFileSync('npm', ['run', '-s', 'sbom'], options)
  const { bomFormat, components } = JSON.parse(text) as { bomFormat: string; components: Component[] }
  assert.equal(bomFormat, 'CycloneDX')
  const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as {
    packages: Record<string, Locked>
  }
  const named = new Map(components.map((one) => [`${one.name}@${one.version}`, one]))
  const production = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true,
  )
  assert.ok(production.length > 100, 'the packages were not found')
  const missing = production
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
    .filter((name) => (named.get(name)?.hashes?.length ?? 0) === 0)
  assert.deepEqual(missing, [])
  assert.doesNotMatch(text, /https?:\/\/(?!cyclonedx\.org)/, 'a host is named')
})

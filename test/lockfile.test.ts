/** The lock file: whole, so that `npm ci` works on every machine, and not only on the one that wrote it. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  /** A package of this repository, and the way to it. */
  readonly link?: true
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>
}

/** Where Node would find a package from a place, nearest first. */
function placesOf(from: string, name: string): string[] {
  const parts = from === '' ? [] : from.split('/node_modules/')
  const places = parts.map(
    (_, depth) => `${parts.slice(0, depth + 1).join('/node_modules/')}/node_modules/${name}`,
  )
  return [...places.toReversed(), `node_modules/${name}`]
}

test('every package that is named is locked, those of other systems too', () => {
  const missing: string[] = []
  for (const [path, one] of Object.entries(lock.packages)) {
    const named = {
      ...one.dependencies,
      ...one.optionalDependencies,
      ...(path.includes('node_modules/') ? {} : one.devDependencies),
    }
    for (const name of Object.keys(named)) {
      if (!placesOf(path, name).some((place) => place in lock.packages)) missing.push(`${path}: ${name}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('every locked package has its integrity', () => {
  const packages = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link === undefined,
  )
  assert.ok(packages.length > 100)
  assert.deepEqual(
    packages.filter(([, one]) => one.integrity === undefined).map(([path]) => path),
    [],
  )
})

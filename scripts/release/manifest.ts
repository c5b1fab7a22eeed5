/** The manifest of the package, and the packages that are compiled into it. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first whose SQLite does all that the service asks of it. */
export const oldestNode = '22.20.0'
/** Its line got the same change to the parameters of statements later. */
const oldestOf24 = '24.7.0'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: object
}

/** Of a package in the lock file that only builds, tests or optional features need. */
const flags = ['dev', 'devOptional', 'optional', 'peer', 'link'] as const

interface Lock {
  readonly packages: Readonly<Record<string, Partial<Record<(typeof flags)[number], true>>>>
}

const read = (root: string, name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'))

export const readManifest = (root: string): Manifest => read(root, 'package.json') as Manifest

export function packageManifest(root: string) {
  const { version, description, license, peerDependencies, peerDependenciesMeta } = readManifest(root)
  return {
    name: 'fairway',
    version,
    description,
    license,
    type: 'module',
    bin: { fairway: 'bin/fairway.js' },
    engines: { node: `^${oldestNode} || >=${oldestOf24}` },
    peerDependencies,
    peerDependenciesMeta,
  }
}

/** Folders below the checkout, of packages whose code is in the service or in the console. */
export function productionPackages(root: string): readonly string[] {
  const { packages } = read(root, 'package-lock.json') as Lock
  return Object.entries(packages)
    .filter(([path, one]) => path.startsWith('node_modules/') && flags.every((flag) => one[flag] !== true))
    .map(([path]) => path)
}

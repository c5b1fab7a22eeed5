/** The licences of the packages that are compiled into the release, which they ask to be passed on. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { productionPackages } from './manifest.ts'

interface Installed {
  readonly name: string
  readonly version: string
  readonly license?: string
}

export function licencesOf(root: string): string {
  const texts = productionPackages(root).map((place) => {
    const folder = join(root, place)
    const {
      name,
      version,
      license = 'no licence named',
    } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Installed
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    const bodies = files.toSorted().map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`)
    return `${name} ${version}: ${license}\n${bodies.join('')}`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

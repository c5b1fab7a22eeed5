/** The CycloneDX bill of the packages that run in production, from the lock file alone: the same file, the same bill. */

import { execFileSync } from 'node:child_process'
import { readManifest } from './manifest.ts'

interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bill {
  /** Random. */
  readonly serialNumber?: string
  readonly metadata: { readonly timestamp?: string; readonly component: { readonly name: string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

export function billOfMaterials(folder: string): string {
  // npm's own `--omit dev` also drops packages that production and tests share, such as `pg`.
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const text = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const { serialNumber: _random, metadata: given, ...bill } = JSON.parse(text) as Bill
  const { timestamp: _time, component: own, ...rest } = given
  // npm gives it the name of the folder.
  const metadata = { ...rest, component: { ...own, name: readManifest(folder).name } }
  const components = bill.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  )
  const omitted = new Set(bill.components.map((one) => one['bom-ref']))
  for (const one of components) omitted.delete(one['bom-ref'])
  const dependencies = bill.dependencies
    .filter(({ ref }) => !omitted.has(ref))
    .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => !omitted.has(ref)) }))
  return `${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`
}

/** `npm run -s sbom`: the software bill of materials of what runs in production, as CycloneDX, from the lock file alone. */

import { execFileSync } from 'node:child_process'

interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bill {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

// npm's own `--omit dev` also leaves out what production and the tests share, `pg` among it.
const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
const text = execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const bill = JSON.parse(text) as Bill
const components = bill.components.filter(
  ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
)
const left = new Set(bill.components.map((one) => one['bom-ref']))
for (const one of components) left.delete(one['bom-ref'])
const dependencies = bill.dependencies
  .filter(({ ref }) => !left.has(ref))
  .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => !left.has(ref)) }))
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`)
